/** The constructor of both resource classes, and the inputs that they pass to the SDK. */
import { textWithCode } from "../errors";
import { message } from "../messages/message";
import { quoted } from "../text";
import { identityOf, isObject, providerKey, resourceKey, textIssue } from "../values";
import { checkProgram, packageIssue } from "./programChecks";
import * as pulumi from "./pulumi";
import { jsonInput } from "./jsonInputs";
import { providerText } from "./providerText";

/**
 * A resource whose outputs `secretOutput` and `former` have tokens. It is constructed without stack traces: the SDK takes one for each of the
 * dozens of promises of a resource, to be shown only with PULUMI_DEBUG_PROMISE_LEAKS, in half of the time of a program with
 * a thousand resources.
 */
export abstract class GroupResource extends pulumi.CustomResource {
  /** Whether existing groups may be adopted; default true. */
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  /** Whether a change that needs a new token keeps the former group; default false. */
  declare readonly overlap: pulumi.Output<boolean | undefined>;
  /** The hours for which `overlap` keeps a former group; default 24. */
  declare readonly overlapHours: pulumi.Output<number | undefined>;
  /** The address of the service, in normal form: no slash at the end. */
  declare readonly baseUrl: pulumi.Output<string>;

  constructor(
    type: string,
    name: string,
    inputs: pulumi.Inputs,
    { deleteBeforeReplace, ...opts }: pulumi.CustomResourceOptions = {},
    secretOutput: "token" | "tokens",
  ) {
    assertKnownName(name);
    const { stackTraceLimit } = Error;
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 0;
    const additionalSecretOutputs = [secretOutput, "former"];
    // With `deleteBeforeReplace: false`, a replacement would delete the group that it has just adopted.
    const own = { additionalSecretOutputs, ...(deleteBeforeReplace && { deleteBeforeReplace }) };
    try {
      super(type, name, inputs, pulumi.mergeOptions(opts, own));
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
    Error.stackTraceLimit = stackTraceLimit;
    // `additionalSecretOutputs` has no effect under `pulumi.runtime.setMocks`.
    for (const name of additionalSecretOutputs) {
      const output: unknown = Reflect.get(this, name);
      Reflect.set(this, name, pulumi.secret(output));
    }
  }
}

/** A name can't be an output, so `pulumi.interpolate` is no way. Error: argument-invalid. */
function assertKnownName(name: string): void {
  const [issue = ""] = (textIssue(name) ?? "").split(":");
  if (!issue.startsWith("contains ")) return;
  throw new pulumi.RunError(textWithCode(message("resource-name", { issue })));
}

/** What identifies a resource in a program, and the options by which it can get a provider. */
interface Identity {
  readonly type: string;
  readonly name: string;
  readonly opts: pulumi.CustomResourceOptions | undefined;
}

/**
 * The inputs of a dynamic resource: its arguments, the text of its provider, and its identity, which tells the provider in each operation
 * which resource asks. `outputs`: the names of all outputs, each undefined. Error: argument-invalid, for a provider of the plugin, which a dynamic
 * resource wouldn't use.
 */
export function resourceInputs(
  provider: "userGroup" | "userGroups",
  outputs: Outputs,
  args: object,
  identity: Identity,
) {
  checkProgram(packageIssue);
  refuseProvider(identity);
  return {
    ...plainInputs(outputs, args),
    [providerKey]: providerText(provider),
    [resourceKey]: identityIn(identity),
  };
}

const plugin = "user-groups";

/**
 * The SDK ignores a provider of the plugin for a dynamic resource, whose group would be in the service of the stack's settings. Of the option
 * `providers`, it says to use `provider` instead.
 */
function refuseProvider({ name, opts = {} }: Identity): void {
  const { provider, parent } = opts;
  const listed: unknown = Reflect.get(opts, "providers");
  const given = [
    provider,
    ...(isObject(listed) || Array.isArray(listed) ? Object.values<unknown>(listed) : []),
  ];
  if (!given.some(isOfPlugin) && !parent?.getProvider(`${plugin}:index:UserGroup`)) return;
  throw new pulumi.RunError(textWithCode(message("provider-of-plugin", { name: quoted(name) })));
}

function isOfPlugin(provider: unknown): boolean {
  return typeof provider === "object" && provider !== null && Reflect.get(provider, "pkg") === plugin;
}

/**
 * A promise, which has no dependency on the parent: the SDK takes one on a component for a dependency on all its children, which would
 * wait for each other.
 */
function identityIn({ type, name, opts }: Identity): Promise<string> {
  const urn = pulumi.createUrn(name, type, opts?.parent);
  return new Promise((resolve) => {
    urn.apply((known) => {
      resolve(identityOf(known));
    });
  });
}

type Outputs = Record<string, undefined>;

/** The arguments, and an undefined input for each other output. Error: argument-invalid. */
export function plainInputs(outputs: Outputs, args: object): pulumi.Inputs {
  const inputs = Object.entries({ ...outputs, ...args });
  return Object.fromEntries(inputs.map(([name, value]) => [name, jsonInput(value, [name])]));
}
