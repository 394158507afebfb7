import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Account, GroupValues } from "./account";
import { apiTokenSchema, parseOptions } from "./optionError";
import type { RequestLogEntry } from "./requestLog";

/** A field of a DELETE (interface, section "Delete a user group"). */
export type DeleteField = "current_token" | "user_group_id" | "data_source_provided_id";

/** Behavior that the interface leaves open ("not shown"), and the latency. `configure` changes it at run time. */
export interface EmulatorBehavior {
  /** Get-or-create of an existing group keeps its values, or replaces all of them (rule 4). Default `"keep"`. */
  readonly existing?: "keep" | "update";
  /**
   * The token that get-or-create of an existing group returns: the same, another one instead, or one more, which makes a DELETE accept
   * each of them. Default `"keep"`.
   */
  readonly existingToken?: "keep" | "replace" | "add";
  /** Returns the token of a new group in an account. Default: a random one. */
  readonly newToken?: (userGroupId: string, account: Account) => string;
  /** The response shows the stored `name` and `properties`, or those of the request (rule 2). Default `"stored"`. */
  readonly response?: "stored" | "requested";
  /** Returns the values to store for the values received, for a service that trims names or adds properties. */
  readonly normalize?: (values: GroupValues) => GroupValues;
  /** How the response shows a group without properties (section "User group"). Default `"absent"`. */
  readonly emptyProperties?: "absent" | "null";
  /** The fields that a DELETE must carry. Default `["current_token", "user_group_id"]`. */
  readonly deleteNeeds?: readonly DeleteField[];
  /** Whether `current_token` may be the group's ID, for clients that can't send the token. Default false. */
  readonly deleteTokenMayBeId?: boolean;
  /** Milliseconds between the effect of each request and its response. Default 0. */
  readonly latency?: number;
  /** The most requests in any second; others get status 429. Default: any number. */
  readonly requestsPerSecond?: number;
}

export interface EmulatorOptions extends EmulatorBehavior {
  /** The port on 127.0.0.1. Default 0: a free one. */
  readonly port?: number;
  /** The API token that requests must carry (section "Authentication"). Default: a random one. */
  readonly apiToken?: string;
  /** The path before `/api/user`, such as `"/tenant/v1"`. Default `""`. */
  readonly basePath?: string;
  /** Key and certificate in PEM, for https. Default: http. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array } | undefined;
  /** Whether `requests` keeps the requests. `false` saves memory in long runs. Default true. */
  readonly keepRequests?: boolean;
  /** Called with each request after its effect and before its response is sent. */
  readonly log?: ((entry: RequestLogEntry) => void) | undefined;
}

/** The options with their defaults. */
export type Options = Required<Omit<EmulatorOptions, "tls" | "log">> & Pick<EmulatorOptions, "tls" | "log">;

/** Validates options and fills in the defaults. Throws an `OptionError`. */
export function settingsFrom(options: unknown): Options {
  return parseOptions(schema, options);
}

const path = z.string().regex(/^(\/[\w.~:@%-]+)*$/, 'must be "" or a path such as "/tenant/v1"');
const portRule = "must be an integer from 0 to 65535";
const latencyRule = "must be a number of milliseconds, 0 or more";
const rateRule = "must be a number, more than 0";
const deleteField = z.enum(["current_token", "user_group_id", "data_source_provided_id"]);
const pem = z.union([z.string(), z.instanceof(Uint8Array)]);
const isFunction = (value: unknown) => typeof value === "function";

const schema = z.strictObject({
  existing: z.enum(["keep", "update"]).default("keep"),
  existingToken: z.enum(["keep", "replace", "add"]).default("keep"),
  newToken: z.custom<Options["newToken"]>(isFunction).default(() => () => randomUUID()),
  response: z.enum(["stored", "requested"]).default("stored"),
  normalize: z.custom<Options["normalize"]>(isFunction).default(() => (values: GroupValues) => values),
  emptyProperties: z.enum(["absent", "null"]).default("absent"),
  deleteNeeds: z.array(deleteField).default(["current_token", "user_group_id"]),
  deleteTokenMayBeId: z.boolean().default(false),
  latency: z.number(latencyRule).min(0, latencyRule).default(0),
  // z.number() refuses Infinity.
  requestsPerSecond: z
    .custom<number>((value) => typeof value === "number" && value > 0, rateRule)
    .default(Infinity),
  port: z.int(portRule).min(0, portRule).max(65_535, portRule).default(0),
  apiToken: apiTokenSchema,
  basePath: path.default(""),
  tls: z.object({ key: pem, cert: pem }).optional(),
  keepRequests: z.boolean().default(true),
  log: z.custom<Options["log"]>(isFunction).optional(),
});
