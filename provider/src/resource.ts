/** What both resources have in common with each other, and with nothing else. */
import { createRequire } from "node:module";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { providerTexts } from "./providerText";

/** A value as JSON knows it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** JSON in which any part may be an output of another resource. */
export type JsonInput = pulumi.Input<
  string | number | boolean | null | readonly JsonInput[] | { readonly [key: string]: JsonInput }
>;

/** What is said of one user group beside its ID. */
export interface GroupArgs {
  /**
   * The name of the group: a string, not empty. A change deletes the group and creates it again, with a new token,
   * unless the setting `changes` is `update`. (Interface, "User group": `name`.)
   */
  name: pulumi.Input<string>;
  /**
   * Schema ID → data source, or ID of a data source that you provided: strings or numbers. None by default. The
   * service never shows it, so that drift of it can't be seen. A change works as one of `name` does. (Interface,
   * "Request-side fields of a user group": `mapping`.)
   */
  mapping?: pulumi.Input<Record<string, pulumi.Input<string | number>>> | undefined;
  /**
   * JSON object of variables for dashboards and the SQL editor. None by default. A change works as one of `name`
   * does. (Interface, "User group": `properties`.)
   */
  properties?: pulumi.Input<Record<string, JsonInput>> | undefined;
  /**
   * The ID of the data source as given in the data tab: a string, not empty. None by default. It is sent with the
   * deletion only; a change is one of the record, without a request. (Interface, "Delete a user group":
   * `data_source_provided_id`.)
   */
  dataSourceProvidedId?: pulumi.Input<string> | undefined;
}

/** What is said of a resource, whether it holds one group or many. */
export interface SharedArgs {
  /**
   * Whether a group that is there already is taken over: boolean, default true. With false the creation of one that
   * is there fails and doesn't record it (error `adoption-refused`).
   */
  adopt?: pulumi.Input<boolean> | undefined;
  /**
   * The name of the service, where a program uses several: lower-case letters, digits and hyphens. Its settings are
   * `user-groups:<connection>.baseUrl` and so on, or `USER_GROUPS_<CONNECTION>_BASE_URL` and so on. None by default.
   * A change creates in the new service before it deletes in the old one.
   */
  connection?: pulumi.Input<string> | undefined;
}

/** The provider as the state stores it, for a program in whose folder it works. */
export function providerText(provider: "userGroup" | "userGroups"): string {
  assertReachable();
  return providerTexts[provider];
}

/**
 * The options that both resources need: secret tokens, and no creating before deleting, which would delete the very
 * group that it just got, since the ID is the same.
 */
export function withRails(
  { deleteBeforeReplace, ...opts }: pulumi.CustomResourceOptions = {},
  secretOutput: string,
): pulumi.CustomResourceOptions {
  const rails = {
    additionalSecretOutputs: [secretOutput],
    ...(deleteBeforeReplace && { deleteBeforeReplace }),
  };
  return pulumi.mergeOptions(opts, rails);
}

/**
 * The SDK takes a stack trace for each of the dozens of promises of a resource, to be shown only with
 * PULUMI_DEBUG_PROMISE_LEAKS: half of what a program with a thousand resources takes. Gives what takes them up again,
 * and adds to an error the trace that it lacks.
 */
export function pauseStackTraces(): (error?: unknown) => void {
  const { stackTraceLimit } = Error;
  if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 0;
  return (error) => {
    Error.stackTraceLimit = stackTraceLimit;
    if (error instanceof Error) Error.captureStackTrace(error);
  };
}

/** Says in the program's own words what would come from the provider's process as "Cannot find module". */
function assertReachable(): void {
  // Only a program that the engine runs starts in the folder from which the text is resolved.
  const folder = process.cwd();
  if (reachedFrom === folder || process.env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  const programRequire = createRequire(path.join(folder, "program"));
  const isPlugAndPlay = process.versions["pnp"] !== undefined;
  try {
    // Under Plug'n'Play a package that is found may still not find its own dependencies.
    if (isPlugAndPlay) programRequire("pulumi-user-groups/provider");
    else programRequire.resolve("pulumi-user-groups/provider");
    reachedFrom = folder;
  } catch {
    throw new pulumi.RunError(isPlugAndPlay ? withPlugAndPlay : notFound);
  }
}

let reachedFrom: string | undefined;

const notFound =
  "The package pulumi-user-groups can't be found from the program's folder, where the engine needs it too: " +
  "make it a direct dependency of the program (npm install pulumi-user-groups). [package-not-found]";

const withPlugAndPlay =
  "The package pulumi-user-groups can't be loaded from the program's folder, since Yarn's Plug'n'Play doesn't reach " +
  "the ECMAScript modules that it needs: set nodeLinker to node-modules in .yarnrc.yml and run yarn install, or see " +
  "docs/compatibility.md for Node.js 24. [package-not-found]";
