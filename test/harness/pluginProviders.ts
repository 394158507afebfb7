/** The plugin's gRPC methods in the form of the dynamic providers, so that the model of the engine can use both. */
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { z } from "zod";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { EngineLogServer, PluginProcess, unary } from "./pluginProcess";
import type { Providers } from "./product";

/** Starts the packed plugin for one command. `onLine` gets what it logs; a warning begins with `warning: `. */
export async function startPlugin(
  settings: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<Providers> {
  const log = await EngineLogServer.start(onLine);
  const plugin = await PluginProcess.start(log.address, environment);
  await configure(plugin.client, settings);
  const end = async () => {
    await plugin.stop();
    log.stop();
  };
  const { client } = plugin;
  return {
    userGroup: pluginProvider(client, "UserGroup"),
    userGroups: pluginProvider(client, "UserGroups"),
    end,
    cancel: async () => {
      await unary((callback) => plugin.client.cancel(new Empty(), callback));
    },
  };
}

/** Passes the settings, as the engine does for the default provider. */
function configure(
  client: ResourceProviderClient,
  settings: Readonly<Record<string, string>>,
): Promise<proto.ConfigureResponse> {
  const request = new proto.ConfigureRequest().setName("default").setArgs(Struct.fromJavaScript(settings));
  return unary((callback) => client.configure(request, callback));
}

function pluginProvider(client: ResourceProviderClient, type: string): DynamicProvider {
  // A dynamic resource has a URN of its own type.
  const urnIn = (properties: unknown) => {
    const resource = resourceName.parse(properties).__resource ?? "resource";
    return `urn:pulumi:dev::tests::user-groups:index:${type}::${resource.split("::").at(-1)}`;
  };
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const request = new proto.CheckRequest()
        .setUrn(urnIn(news))
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const response = await unary<proto.CheckResponse>((callback) => client.check(request, callback));
      const failures = response.getFailuresList().map((failure) => failure.toObject());
      return { inputs: withResource(fromStruct(response.getInputs()), news), failures };
    },
    async diff(id, olds, news) {
      const request = new proto.DiffRequest()
        .setUrn(urnIn(news))
        .setId(id)
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const response = await unary<proto.DiffResponse>((callback) => client.diff(request, callback));
      return {
        changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = new proto.CreateRequest().setUrn(urnIn(inputs)).setProperties(toStruct(inputs));
      const creation = unary<proto.CreateResponse>((callback) => client.create(request, callback));
      const response = await orWithResource(creation, inputs);
      return { id: response.getId(), outs: withResource(fromStruct(response.getProperties()), inputs) };
    },
    async read(id, props) {
      const request = new proto.ReadRequest().setUrn(urnIn(props)).setId(id).setProperties(toStruct(props));
      const response = await unary<proto.ReadResponse>((callback) => client.read(request, callback));
      const [outputs, inputs] = [response.getProperties(), response.getInputs()];
      return {
        id: response.getId(),
        props: withResource(fromStruct(outputs), props),
        inputs: withResource(fromStruct(inputs), props),
      };
    },
    async update(id, olds, news) {
      const request = new proto.UpdateRequest()
        .setUrn(urnIn(news))
        .setId(id)
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const change = unary<proto.UpdateResponse>((callback) => client.update(request, callback));
      const response = await orWithResource(change, news);
      return { outs: withResource(fromStruct(response.getProperties()), news) };
    },
    async delete(id, props) {
      const request = new proto.DeleteRequest().setUrn(urnIn(props)).setId(id).setProperties(toStruct(props));
      await unary((callback) => client.delete(request, callback));
    },
  };
}

const resourceName = z.object({ __resource: z.string().optional() });
const json = z.record(z.string(), z.json());

/** The engine knows the URN of each state. Here, states have it as those of dynamic resources do. */
function withResource(properties: object, from: unknown): object {
  const { __resource } = resourceName.parse(from);
  return __resource === undefined ? properties : { ...properties, __resource };
}

/** Also the state of a partial failure. */
async function orWithResource<Response>(operation: Promise<Response>, from: unknown): Promise<Response> {
  return operation.catch((error: unknown) => {
    if (error instanceof Error && "properties" in error)
      error.properties = withResource(z.looseObject({}).parse(error.properties), from);
    throw error;
  });
}

/** Without what only dynamic resources have. */
function toStruct(properties: unknown): Struct {
  const plain = json.parse(JSON.parse(JSON.stringify(properties)));
  return Struct.fromJavaScript(
    Object.fromEntries(Object.entries(plain).filter(([name]) => !name.startsWith("__"))),
  );
}

function fromStruct(struct: Struct | undefined): Record<string, unknown> {
  return struct?.toJavaScript() ?? {};
}
