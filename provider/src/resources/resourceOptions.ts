/** Inputs and options that both resource classes pass to the SDK. */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";
import * as pulumi from "./pulumi";
import { jsonInput } from "./jsonInputs";

/**
 * The inputs of a dynamic resource: its arguments, the text of its provider, and an ID for `check` that isn't recorded.
 * `outputs`: the names of all outputs but the connection, each undefined.
 *
 * The text is a constant that requires this package from the program's folder, so the package must be a direct dependency of
 * the program. A closure would be serialized into every resource instead.
 */
export function resourceInputs(
  provider: "userGroup" | "userGroups",
  outputs: Record<string, undefined>,
  args: object,
): pulumi.Inputs {
  assertReachable();
  return {
    ...plainInputs({ ...outputs, connection: undefined }, args),
    __provider: `exports.handler = () => require("pulumi-user-groups/provider").${provider};`,
    __resource: randomUUID(),
  };
}

/** The arguments, and an undefined input for each other output. Error: argument-invalid. */
export function plainInputs(outputs: Record<string, undefined>, args: object): pulumi.Inputs {
  const inputs = Object.entries({ ...outputs, ...args });
  return Object.fromEntries(inputs.map(([name, value]) => [name, jsonInput(value, name)]));
}

/**
 * Makes the tokens secret, and drops `deleteBeforeReplace: false`, which would delete the group that was just adopted.
 */
export function resourceOptions(
  { deleteBeforeReplace, ...opts }: pulumi.CustomResourceOptions = {},
  secretOutput: string,
): pulumi.CustomResourceOptions {
  const additionalSecretOutputs = [secretOutput];
  return pulumi.mergeOptions(opts, {
    additionalSecretOutputs,
    ...(deleteBeforeReplace && { deleteBeforeReplace }),
  });
}

/** Fails in the program, with a remedy. Otherwise the provider's process would fail with "Cannot find module". */
function assertReachable(): void {
  // Only a program that the engine runs starts in the folder from which the text is resolved.
  const folder = process.cwd();
  if (reachedFrom === folder || process.env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  try {
    createRequire(path.join(folder, "program")).resolve("pulumi-user-groups/provider");
    reachedFrom = folder;
  } catch {
    throw new pulumi.RunError(notFound);
  }
}

let reachedFrom: string | undefined;

const notFound =
  "The package pulumi-user-groups can't be found from the program's folder, where the engine loads it. " +
  "Make it a direct dependency of the program (npm install pulumi-user-groups). [package-not-found]";
