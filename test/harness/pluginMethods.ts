/** The plugin's gRPC methods, with plain properties instead of messages. */
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { unary } from "./pluginProcess";

export type Properties = Record<string, JavaScriptValue>;

export class PluginMethods {
  constructor(readonly client: ResourceProviderClient) {}

  configure(name: string, args: Properties) {
    const request = new proto.ConfigureRequest().setName(name).setArgs(toStruct(args));
    return unary<proto.ConfigureResponse>((done) => this.client.configure(request, done));
  }

  /** The response has the inputs that the engine records, and passes to `Configure`. */
  checkConfig(name: string, args: Properties) {
    const provider = `urn:pulumi:dev::tests::pulumi:providers:user-groups::${name}`;
    const request = new proto.CheckRequest().setUrn(provider).setNews(toStruct(args));
    return unary<proto.CheckResponse>((done) => this.client.checkConfig(request, done));
  }

  cancel() {
    return unary<Empty>((done) => this.client.cancel(new Empty(), done));
  }

  check(urn: string, news: Properties, olds: Properties = {}) {
    const request = new proto.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
    return unary<proto.CheckResponse>((done) => this.client.check(request, done));
  }

  diff(urn: string, id: string, olds: Properties, news: Properties, ignored: string[] = []) {
    const request = new proto.DiffRequest().setUrn(urn).setId(id).setIgnorechangesList(ignored);
    request.setOlds(toStruct(olds)).setNews(toStruct(news));
    return unary<proto.DiffResponse>((done) => this.client.diff(request, done));
  }

  create(urn: string, inputs: Properties, { timeout = 0, isPreview = false } = {}) {
    const request = new proto.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
    request.setTimeout(timeout).setPreview(isPreview);
    return unary<proto.CreateResponse>((done) => this.client.create(request, done));
  }

  /** Without properties: an import. */
  read(urn: string, id: string, properties?: Properties) {
    const request = new proto.ReadRequest().setUrn(urn).setId(id);
    if (properties) request.setProperties(toStruct(properties));
    return unary<proto.ReadResponse>((done) => this.client.read(request, done));
  }

  update(urn: string, id: string, olds: Properties, news: Properties, isPreview = false) {
    const request = new proto.UpdateRequest().setUrn(urn).setId(id).setPreview(isPreview);
    request.setOlds(toStruct(olds)).setNews(toStruct(news));
    return unary<proto.UpdateResponse>((done) => this.client.update(request, done));
  }

  delete(urn: string, id: string, properties: Properties) {
    const request = new proto.DeleteRequest().setUrn(urn).setId(id).setProperties(toStruct(properties));
    return unary<Empty>((done) => this.client.delete(request, done));
  }
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
