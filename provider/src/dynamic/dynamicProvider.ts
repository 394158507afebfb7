/** A lifecycle as one of Pulumi's dynamic providers. */
import type { dynamic } from "@pulumi/pulumi";
import type { Lifecycle, ResourceState } from "../core/lifecycle";
import { secretOutputs } from "../core/lifecycle";
import { UserGroupError, toUserGroupError } from "../errors";
import type { Configuration } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import { isObject, propertiesOf, signatureKey, type JsonObject } from "../values";

export type DynamicProvider = Required<dynamic.ResourceProvider<unknown, unknown>>;

/** More issues than these would hide the rest of a preview. */
const mostIssues = 20;

/** The SDK adds this to the inputs: the text of the provider. */
const providerKey = "__provider";

/** The resource classes add this to the inputs of check: it identifies the resource, and goes no further. */
export const resourceKey = "__resource";

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
      const request = { resource: resourceOf(news), olds: propertiesOf(olds), news: inputs };
      const issues = await presentably(() => lifecycle.check(request));
      return { inputs, failures: failuresFrom(issues, inputs) };
    },

    async diff(id, olds, news) {
      const isForeign = providerOf(olds) !== providerOf(news);
      const request = { id, olds: propertiesOf(olds), news: propertiesOf(news), isForeign };
      const diff = await presentably(() => lifecycle.diff(request));
      const { changes, replaces, deleteBeforeReplace } = diff;
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    },

    async create(inputs) {
      const created = await presentably(() => lifecycle.create(propertiesOf(inputs)));
      return { id: created.id, outs: outputsOrFailure(created, inputs) };
    },

    async read(id, props) {
      const { state, inputs } = await presentably(() => lifecycle.read(id, propertiesOf(props)));
      return { id, props: wireOutputs(state), inputs: defined(inputs) };
    },

    async update(id, olds, news) {
      const update = () => lifecycle.update(id, propertiesOf(olds), propertiesOf(news));
      return { outs: outputsOrFailure(await presentably(update), news) };
    },

    async delete(id, props) {
      await presentably(() => lifecycle.delete(id, propertiesOf(props)));
    },
  };
}

/** With `id`, `properties` and `reasons` the SDK records the resource, and the engine prints the reasons. */
class PartialFailureError extends UserGroupError {
  constructor(
    { code, message }: UserGroupError,
    readonly id: string,
    readonly properties: object,
    readonly reasons: readonly string[],
  ) {
    super(code, message.slice(0, message.lastIndexOf(" [")));
  }
}

function outputsOrFailure({ id, state, failure }: ResourceState, inputs: unknown): object {
  const outputs = wireOutputs(state);
  if (!failure) return outputs;
  // The SDK adds the provider to outputs only.
  const properties = { ...outputs, [providerKey]: providerOf(inputs) };
  throw new PartialFailureError(failure.error, id, properties, failure.reasons);
}

/**
 * Outputs for the engine. Secrets are marked as such: the option `additionalSecretOutputs` alone would be lost where a
 * stack transformation replaces the options.
 */
function wireOutputs(state: JsonObject): JsonObject {
  const outputs = defined(state);
  for (const name of secretOutputs) {
    const value = outputs[name];
    if (value !== undefined) outputs[name] = { [signatureKey]: secretSignature, value };
  }
  return outputs;
}

/** The engine's mark of a secret. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Without undefined at any depth, which the SDK can't send. */
function defined(value: JsonObject): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isObject(copy) ? copy : {};
}

function providerOf(properties: unknown): unknown {
  return isObject(properties) ? properties[providerKey] : undefined;
}

function resourceOf(inputs: unknown): string | undefined {
  const resource = isObject(inputs) ? inputs[resourceKey] : undefined;
  return typeof resource === "string" ? resource : undefined;
}

/**
 * The engine prints the value of a property that a failure names if it is among the arguments, secret or not, so such a
 * property is named in the reason.
 */
function failuresFrom(issues: readonly ValidationIssue[], inputs: JsonObject): dynamic.CheckFailure[] {
  const failures = issues.map(({ path, reason }) =>
    path in inputs ? { property: "", reason: `property ${path} ${reason}` } : { property: path, reason },
  );
  const more = failures.length - mostIssues;
  if (more <= 0) return failures;
  return [...failures.slice(0, mostIssues), { property: "", reason: `${more} more properties are invalid` }];
}

/** Runs an operation. Whatever it throws becomes an error for people. */
async function presentably<Result>(operation: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    throw toUserGroupError(error);
  }
}
