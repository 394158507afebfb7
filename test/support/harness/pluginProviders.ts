/** The packed plugin in the form of the dynamic providers, so that the model of the engine can use both. */
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { z } from "zod";
import { EngineLogServer, fromStruct, PluginMethods, PluginProcess, type Properties } from "./pluginProcess";
import type { Provider, Providers } from "./product";

/** Starts the packed plugin for one command. `onLine` gets what it logs; a warning begins with `warning: `. */
export async function startPlugin(
  settings: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<Providers> {
  const log = await EngineLogServer.start(onLine);
  const plugin = await PluginProcess.start(log.address, environment);
  const methods = new PluginMethods(plugin.client);
  // As the engine does for the default provider.
  await methods.configure("default", settings);
  return {
    userGroup: pluginProvider(methods, "UserGroup"),
    userGroups: pluginProvider(methods, "UserGroups"),
    end: async () => {
      await plugin.stop();
      log.stop();
    },
  };
}

function pluginProvider(methods: PluginMethods, type: string): Provider {
  // A dynamic resource has a URN of its own type.
  const urnIn = (properties: unknown, urn = resourceName.parse(properties).__resource ?? "resource") =>
    `urn:pulumi:dev::tests::user-groups:index:${type}::${urn.split("::").at(-1)}`;
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const response = await methods.check(urnIn(news), plain(news), plain(olds));
      const failures = response.getFailuresList().map((failure) => failure.toObject());
      return { inputs: withResource(fromStruct(response.getInputs()), news), failures };
    },
    async diff(id, olds, news) {
      const response = await methods.diff(urnIn(news), id, plain(olds), plain(news));
      return {
        changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const response = await orWithResource(methods.create(urnIn(inputs), plain(inputs)), inputs);
      return { id: response.getId(), outs: withResource(fromStruct(response.getProperties()), inputs) };
    },
    async read(id, props, urn) {
      const response = await methods.read(urnIn(props, urn), id, plain(props));
      return {
        id: response.getId(),
        props: withResource(fromStruct(response.getProperties()), props),
        inputs: withResource(fromStruct(response.getInputs()), props),
      };
    },
    async update(id, olds, news) {
      const response = await orWithResource(methods.update(urnIn(news), id, plain(olds), plain(news)), news);
      return { outs: withResource(fromStruct(response.getProperties()), news) };
    },
    async delete(id, props, urn) {
      await methods.delete(urnIn(props, urn), id, plain(props));
    },
  };
}

const resourceName = z.object({ __resource: z.string().optional() });
const json = z.record(z.string(), z.json());

/** Here, states have the URN as those of dynamic resources do. */
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
function plain(properties: unknown): Properties {
  const all = json.parse(JSON.parse(JSON.stringify(properties)));
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith("__")));
}
