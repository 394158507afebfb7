import type { dynamic } from "@pulumi/pulumi";
import { checkReasons, defined, outputsOf, wireOutputs } from "../adapter/results";
import type { Lifecycle } from "../core/lifecycle";
import { toUserGroupError } from "../errors";
import type { Configuration } from "../settings/readSettings";
import { isObject, propertiesOf, providerKey, type JsonObject } from "../values";

export type DynamicProvider = Required<dynamic.ResourceProvider<unknown, unknown>>;

/** The resource classes add this key to the inputs. It identifies the resource in check, and isn't recorded. */
const resourceKey = "__resource";

export function dynamicProvider(
  lifecycle: Lifecycle,
  configure: (configuration: Configuration) => void,
): DynamicProvider {
  return {
    /** Synchronous: the SDK doesn't wait for it before it calls other operations. */
    configure({ config }) {
      configure(config);
      return Promise.resolve();
    },

    async check(olds, news) {
      const inputs = propertiesOf(news);
      const request = { resource: valueOf(resourceKey, news), olds: propertiesOf(olds), news: inputs };
      const issues = await withUserGroupErrors(() => lifecycle.check(request));
      return { inputs, failures: checkReasons(issues).map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      const isForeign = valueOf(providerKey, olds) !== valueOf(providerKey, news);
      const request = { id, olds: propertiesOf(olds), news: propertiesOf(news), isForeign };
      const diff = await withUserGroupErrors(() => lifecycle.diff(request));
      const { changes, replaces, deleteBeforeReplace } = diff;
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    },

    async create(inputs) {
      const created = await withUserGroupErrors(() => lifecycle.create(propertiesOf(inputs)));
      return { id: created.id, outs: outputsOf(created, providerIn(inputs)) };
    },

    async read(id, props) {
      const { state, inputs } = await withUserGroupErrors(() => lifecycle.read(id, propertiesOf(props)));
      return { id, props: wireOutputs(state), inputs: defined(inputs) };
    },

    async update(id, olds, news) {
      const update = () => lifecycle.update(id, propertiesOf(olds), propertiesOf(news));
      return { outs: outputsOf(await withUserGroupErrors(update), providerIn(news)) };
    },

    async delete(id, props) {
      await withUserGroupErrors(() => lifecycle.delete(id, propertiesOf(props)));
    },
  };
}

/** The SDK adds the provider to the outputs of a success only. */
function providerIn(inputs: unknown): JsonObject {
  return { [providerKey]: valueOf(providerKey, inputs) };
}

function valueOf(key: string, properties: unknown): string | undefined {
  const value = isObject(properties) ? properties[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

async function withUserGroupErrors<Result>(operation: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    throw toUserGroupError(error);
  }
}
