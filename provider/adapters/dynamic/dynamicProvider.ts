/** The adapter between the lifecycle of a resource and Pulumi's interface of dynamic providers. */
import type { dynamic } from "@pulumi/pulumi";
import type { OperationLogger } from "../engineLog";
import { checkReasons, outputsOf, readProperties } from "../results";
import type { Lifecycle } from "../../core/lifecycle";
import type { StateRequest } from "../../core/resource/refresh";
import { toUserGroupError } from "../../errors";
import type { Configuration } from "../../settings/readSettings";
import {
  identityOf,
  isObject,
  propertiesOf,
  providerKey,
  resourceKey,
  resourceOf,
  type JsonObject,
  type Resource,
} from "../../values";

export type DynamicProvider = Required<dynamic.ResourceProvider<unknown, unknown>>;

/** One operation on a resource. `identity`: what its URN says after stack and project; empty: not known. */
export type Begin = (identity: string) => {
  readonly lifecycle: Lifecycle;
  readonly logger: Pick<OperationLogger, "delivered">;
};

export function dynamicProvider(
  begin: Begin,
  configure: (configuration: Configuration) => void,
): DynamicProvider {
  return { ...planningMethods(begin, configure), ...changingMethods(begin) };
}

/** These send no request. */
function planningMethods(
  begin: Begin,
  configure: (configuration: Configuration) => void,
): Pick<DynamicProvider, "configure" | "check" | "diff"> {
  return {
    /** Synchronous: the SDK doesn't wait for it before it calls other operations. */
    configure({ config }) {
      configure(config);
      return Promise.resolve();
    },

    async check(olds, news) {
      const inputs = propertiesOf(news);
      const request = { resource: resourceIn(news), olds: propertiesOf(olds), news: inputs };
      const issues = await withLog(begin, news, (lifecycle) => lifecycle.check(request));
      const failures = checkReasons(issues).map((reason) => ({ property: "", reason }));
      return { inputs: { ...inputs, ...recordedIdentity(news) }, failures };
    },

    async diff(id, olds, news) {
      const isOfOtherProvider = textAt(providerKey, olds) !== textAt(providerKey, news);
      const resource = resourceIn(news);
      const isRenamed = textAt(resourceKey, olds) !== undefined && resourceIn(olds) !== resource;
      const request = {
        resource,
        before: isRenamed ? resourceIn(olds) : undefined,
        id,
        olds: propertiesOf(olds),
        news: propertiesOf(news),
        isOfOtherProvider,
      };
      const { changes, replaces, deleteBeforeReplace } = await withLog(begin, news, (lifecycle) =>
        lifecycle.diff(request),
      );
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    },
  };
}

function changingMethods(begin: Begin): Pick<DynamicProvider, "create" | "read" | "update" | "delete"> {
  return {
    async create(inputs) {
      const request = { resource: resourceIn(inputs), inputs: propertiesOf(inputs) };
      const created = await withLog(begin, inputs, (lifecycle) => lifecycle.create(request));
      return { id: created.id, outs: outputsOf(created, request.inputs, recordedIn(inputs)) };
    },

    async read(id, props) {
      const read = await withLog(begin, props, (lifecycle) => lifecycle.read(stateRequest(id, props)));
      const identity = recordedIdentity(props);
      const { outputs, inputs } = readProperties(read);
      return { id, props: { ...outputs, ...identity }, inputs: { ...inputs, ...identity } };
    },

    async update(id, olds, news) {
      const request = { ...stateRequest(id, olds), resource: resourceIn(news), news: propertiesOf(news) };
      const updated = await withLog(begin, news, (lifecycle) => lifecycle.update(request));
      return { outs: outputsOf(updated, request.news, recordedIn(news)) };
    },

    async delete(id, props) {
      await withLog(begin, props, (lifecycle) => lifecycle.delete(stateRequest(id, props)));
    },
  };
}

function stateRequest(id: string, state: unknown): StateRequest {
  return { resource: resourceIn(state), id, state: propertiesOf(state) };
}

/** The resource, whose identity its class passes. A hand-written provider's state doesn't have it. */
function resourceIn(properties: unknown): Resource {
  return resourceOf(textAt(resourceKey, properties));
}

/** The state keeps the identity, so that read and delete know the resource, too. */
function recordedIdentity(properties: unknown): JsonObject {
  const identity = textAt(resourceKey, properties);
  return identity === undefined ? {} : { [resourceKey]: identityOf(identity) };
}

/** The SDK adds the provider to the outputs of a success only. */
function recordedIn(inputs: unknown): JsonObject {
  return { [providerKey]: textAt(providerKey, inputs), ...recordedIdentity(inputs) };
}

function textAt(key: string, properties: unknown): string | undefined {
  const value = isObject(properties) ? properties[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** `properties`: of the resource. */
async function withLog<Result>(
  begin: Begin,
  properties: unknown,
  operation: (lifecycle: Lifecycle) => Result | Promise<Result>,
): Promise<Result> {
  const { lifecycle, logger } = begin(identityOf(textAt(resourceKey, properties) ?? ""));
  try {
    return await operation(lifecycle);
  } catch (error) {
    throw toUserGroupError(error);
  } finally {
    await logger.delivered();
  }
}
