import type { GroupValues } from "./group";
import type { RequestLogEntry } from "./requestLog";

/** A field of a DELETE (interface, section "Delete a user group"). */
export type DeleteField = "current_token" | "user_group_id" | "data_source_provided_id";

/** What the interface leaves open ("not shown"), and how fast the emulator is. `configure` changes it at run time. */
export interface EmulatorBehavior {
  /**
   * What get-or-create does to `name`, `mapping` and `properties` of a group that exists (interface, rule 4):
   * nothing, or they become what was sent, and what wasn't sent is cleared. Default `"keep"`.
   */
  readonly existing?: "keep" | "update";
  /** Whether `name` and `properties` of the response are those stored or those requested (rule 2). Default `"stored"`. */
  readonly response?: "stored" | "requested";
  /**
   * Returns the values that the service stores for the values that it receives: for services that trim names or add
   * properties of their own. Default: the values as received.
   */
  readonly normalize?: (values: GroupValues) => GroupValues;
  /** How the response shows a group without properties (section "User group"). Default `"absent"`. */
  readonly emptyProperties?: "absent" | "null";
  /**
   * The fields that a DELETE must carry (section "Delete a user group"). Default `["current_token", "user_group_id"]`.
   * `current_token` and `user_group_id` must fit whenever they are sent, one of them is always needed to find the group.
   * `data_source_provided_id` must be a value of the group's mapping where it has one, and only when listed here.
   */
  readonly deleteNeeds?: readonly DeleteField[];
  /** Whether `current_token` may be the group's ID, for clients that can't send the token. Default false. */
  readonly deleteTokenMayBeId?: boolean;
  /** Milliseconds between effect and response, of every request. Default 0. */
  readonly latency?: number;
}

/** Options of `startEmulator`; it throws a `TypeError` that names the option where one is wrong. */
export interface EmulatorOptions extends EmulatorBehavior {
  /** The port on 127.0.0.1. Default 0: a free one. */
  readonly port?: number;
  /** The API token that requests must carry (section "Authentication"). Default: a random one. */
  readonly apiToken?: string;
  /** The path before `/api/user`, such as `"/tenant/v1"`. Default `""`. */
  readonly basePath?: string;
  /** Key and certificate in PEM: the emulator then speaks https. Default: http. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array };
  /** Whether `requests` keeps the requests; false saves the memory in long runs. Default true. */
  readonly keepRequests?: boolean;
  /** Called with each request when its response is settled and not yet sent. Default: nothing. */
  readonly log?: (entry: RequestLogEntry) => void;
}
