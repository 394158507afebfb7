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
): Promise<Providers> {
  const log = await EngineLogServer.start(onLine);
  const plugin = await PluginProcess.start(log.address, {});
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
  const urn = (resource = "resource") =>
    `urn:pulumi:dev::tests::user-groups:index:${type}::${resource.split("::").at(-1)}`;
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const request = new proto.CheckRequest()
        .setUrn(urn(resourceName.parse(news).__resource))
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const response = await unary<proto.CheckResponse>((callback) => client.check(request, callback));
      const failures = response.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(response.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = new proto.DiffRequest()
        .setUrn(urn())
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
      const request = new proto.CreateRequest().setUrn(urn()).setProperties(toStruct(inputs));
      const response = await unary<proto.CreateResponse>((callback) => client.create(request, callback));
      return { id: response.getId(), outs: fromStruct(response.getProperties()) };
    },
    async read(id, props) {
      const request = new proto.ReadRequest().setUrn(urn()).setId(id).setProperties(toStruct(props));
      const response = await unary<proto.ReadResponse>((callback) => client.read(request, callback));
      const [outputs, inputs] = [response.getProperties(), response.getInputs()];
      return { id: response.getId(), props: fromStruct(outputs), inputs: fromStruct(inputs) };
    },
    async update(id, olds, news) {
      const request = new proto.UpdateRequest()
        .setUrn(urn())
        .setId(id)
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const response = await unary<proto.UpdateResponse>((callback) => client.update(request, callback));
      return { outs: fromStruct(response.getProperties()) };
    },
    async delete(id, props) {
      const request = new proto.DeleteRequest().setUrn(urn()).setId(id).setProperties(toStruct(props));
      await unary((callback) => client.delete(request, callback));
    },
  };
}

const resourceName = z.object({ __resource: z.string().optional() });
const json = z.record(z.string(), z.json());

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
