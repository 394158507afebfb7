import type * as pulumi from "./pulumi";
import type { FormerGroup, GroupArgs, GroupOutput, SharedArgs, ArgumentsOf } from "./commonArguments";
import { GroupResource, resourceInputs } from "./resourceOptions";

/** The arguments of {@link UserGroups}. The preview reports invalid ones by property. */
export interface UserGroupsArgs extends SharedArgs {
  /**
   * `userGroupId` → group. At most about 8 MiB in the encoding of the engine (error `groups-too-large`). A change creates the added groups, deletes the
   * removed ones (see `removed`), and changes each of the others like a `UserGroup`. The preview counts each kind in one line.
   */
  groups: pulumi.Input<Record<string, pulumi.Input<GroupArgs>>>;
  /**
   * What happens to a group when it is removed from `groups`, when its resource is removed, and on `pulumi destroy`: `delete` (the default), or
   * `retain`, which only drops it from the state; former groups (`overlap`) within their time stay in the service, too. If another
   * resource of the program declares the group, only `retain` removes it here (error `removed-elsewhere`).
   * A change changes the state only, without a request.
   */
  removed?: pulumi.Input<"delete" | "retain"> | undefined;
  /**
   * The number of customers whose group may be deleted, or deleted and created again: a whole number. Retained groups don't
   * count. Changes with `overlap` don't count either, unless their hours are 0. Default: no limit. If a change would delete more, the preview
   * fails (error `deletion-limit`); `pulumi destroy` and an update without the resource fail before their first request. A change changes the state only, without a request.
   */
  deletionLimit?: pulumi.Input<number> | undefined;
}

/** The outputs of a `UserGroups`, dynamic or of the plugin. */
export abstract class UserGroupsResource extends GroupResource {
  /** `userGroupId` → group. */
  declare readonly groups: pulumi.Output<Record<string, GroupOutput>>;
  /** The effect on a group that is removed from `groups`; default `delete`. */
  declare readonly removed: pulumi.Output<"delete" | "retain" | undefined>;
  /** The number of groups that a change may delete or recreate; default: no limit. */
  declare readonly deletionLimit: pulumi.Output<number | undefined>;
  /** `userGroupId` → user group token, with which the customer's dashboards render; always a secret. */
  declare readonly tokens: pulumi.Output<Record<string, string>>;
  /** The IDs of the groups that the service had already, as `adopted` of a `UserGroup`. */
  declare readonly adopted: pulumi.Output<string[]>;
  /** `userGroupId` → `user_group_id` in the service, for each group with another one: with `overlap`, such as `acme~5d41402a`. */
  declare readonly providedIds: pulumi.Output<Record<string, string>>;
  /** `userGroupId` → the groups that `overlap` keeps, for each customer who has one; always a secret. */
  declare readonly former: pulumi.Output<Record<string, FormerGroup[]> | undefined>;
}

const type = "pulumi-nodejs:dynamic/user-groups:UserGroups";

/**
 * Many user groups in one resource: for hundreds of customers and more, because the engine's cost is per resource.
 *
 * If some groups fail, the others continue. The state has every completed change, and the next `up` does the rest.
 *
 * @example
 * ```ts
 * import { UserGroups } from "pulumi-user-groups";
 *
 * const tenants = new UserGroups("tenants", {
 *   groups: { acme: { name: "Acme" }, globex: { name: "Globex" } },
 *   deletionLimit: 10,
 * });
 * export const acmeToken = tenants.tokens["acme"];
 * ```
 */
export class UserGroups<Args extends object = UserGroupsArgs> extends UserGroupsResource {
  constructor(name: string, args: ArgumentsOf<Args, UserGroupsArgs>, opts?: pulumi.CustomResourceOptions) {
    const inputs = resourceInputs("userGroups", userGroupsOutputs, args, {
      type,
      name,
      opts,
    });
    super(type, name, inputs, opts, "tokens");
  }
}

/** The SDK creates an output for each of these names, with or without an argument. */
export const userGroupsOutputs = {
  adopt: undefined,
  overlap: undefined,
  overlapHours: undefined,
  removed: undefined,
  deletionLimit: undefined,
  tokens: undefined,
  adopted: undefined,
  baseUrl: undefined,
  providedIds: undefined,
  former: undefined,
} satisfies Record<Exclude<keyof UserGroupsResource, keyof pulumi.CustomResource | "groups">, undefined>;
