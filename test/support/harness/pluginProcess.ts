/** The packed plugin as the engine uses it: a process that speaks gRPC and logs to the engine. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceResponse, LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

export type Properties = Record<string, JavaScriptValue>;

const plugin = resolve(__dirname, "../../../plugin/plugin.cjs");

/** The part of the engine that providers call: its log, and the resource that a program has registered as its stack. */
export class EngineLogServer {
  /** `onLine` gets each line; a warning begins with `warning: `. `stack`: the URN of the stack. */
  static async start(
    onLine: (line: string, request: LogRequest) => void,
    stack = () => "",
  ): Promise<EngineLogServer> {
    const server = new grpc.Server();
    server.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, callback: grpc.sendUnaryData<Empty>) => {
        const isWarning = request.getSeverity() === LogSeverity.WARNING;
        onLine(`${isWarning ? "warning: " : ""}${request.getMessage()}`, request);
        callback(null, new Empty());
      },
      getRootResource: (_: unknown, callback: grpc.sendUnaryData<GetRootResourceResponse>) => {
        callback(null, new GetRootResourceResponse().setUrn(stack()));
      },
    });
    const listen = promisify(server.bindAsync.bind(server));
    const port = await listen("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
    return new EngineLogServer(server, `127.0.0.1:${port}`);
  }

  private constructor(
    private readonly server: grpc.Server,
    readonly address: string,
  ) {}

  stop(): void {
    this.server.forceShutdown();
  }
}

export class PluginProcess {
  /** `engineAddress`: undefined for an engine that attaches to the plugin. `environment`: the settings. `node`: another Node.js. */
  static async start(
    engineAddress: string | undefined,
    environment: Readonly<Record<string, string>>,
    node = process.execPath,
  ): Promise<PluginProcess> {
    const args = engineAddress === undefined ? [plugin] : [plugin, engineAddress];
    const child = spawn(node, args, {
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
    for await (const port of createInterface(child.stdout)) return new PluginProcess(child, Number(port));
    throw new Error("The plugin didn't start");
  }

  readonly client: ResourceProviderClient;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    this.client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  }

  /** As the engine ends it: by a signal. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, "exit");
      this.child.kill("SIGINT");
      await ended;
    }
    this.client.close();
  }
}

/** The methods of the plugin, with plain properties instead of messages. */
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
  read(urn: string, id: string, properties?: Properties, inputs?: Properties) {
    const request = new proto.ReadRequest().setUrn(urn).setId(id);
    if (properties) request.setProperties(toStruct(properties));
    if (inputs) request.setInputs(toStruct(inputs));
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

type Callback<Response> = (error: grpc.ServiceError | null, response: Response) => void;

/** Calls a method of the plugin. A rejection has what the engine takes from the error. */
export function unary<Response>(start: (callback: Callback<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error) reject(toError(error));
      else resolve(response);
    });
  });
}

function toError({ details, metadata }: grpc.ServiceError): Error {
  const error = new Error(details);
  const [status] = metadata.get("grpc-status-details-bin");
  if (!(status instanceof Buffer)) return error;
  const [detail] = Status.deserializeBinary(status).getDetailsList();
  const failed = detail?.unpack(
    (bytes) => proto.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failed) return error;
  const properties = failed.getProperties()?.toJavaScript() ?? {};
  return Object.assign(error, { id: failed.getId(), properties, reasons: failed.getReasonsList() });
}
