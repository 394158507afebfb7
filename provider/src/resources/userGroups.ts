import type * as pulumi from "./pulumi";
import type { FormerGroup, GroupArgs, Json, SharedArgs } from "./commonArguments";
import { GroupResource, resourceInputs } from "./resourceOptions";

/** The arguments of {@link UserGroups}. The preview reports invalid ones by property. */
export interface UserGroupsArgs extends SharedArgs {
  /**
   * `userGroupId` → group. At most about 8 MiB of JSON (error `groups-too-large`). A change creates the added groups,
   * deletes the removed ones (see `removed`), and recreates each group whose name, mapping, properties or keepers differ,
   * with a new token (with `overlap`, beside the former group), unless the setting `changes` is `update`. The preview
   * counts each kind in one line.
   */
  groups: pulumi.Input<Record<string, pulumi.Input<GroupArgs>>>;
  /**
   * The effect on a group that is removed from `groups`: `delete` (the default), or `retain`, which only drops it from the
   * state. A change changes the state only, without a request.
   */
  removed?: pulumi.Input<"delete" | "retain"> | undefined;
  /**
   * The number of groups that an update may delete or recreate: a whole number. Default: no limit. The preview refuses an
   * update of more groups (error `deletion-limit`). If the resource is removed from the program, the update refuses it. The limit
   * doesn't apply to `pulumi destroy`: use `protect`. A change changes the state only, without a request.
   */
  deletionLimit?: pulumi.Input<number> | undefined;
}

/** A group in the output `groups` of {@link UserGroups}. */
export interface GroupOutput {
  /** The name as sent, or after a refresh with drift as the service returns it. */
  name: string;
  /** The mapping as sent. The service never returns it. */
  mapping?: Record<string, string | number>;
  /** The properties as sent, or after a refresh with drift as the service returns them. */
  properties?: Record<string, Json>;
  /** The ID of the data source that the deletion sends. */
  dataSourceProvidedId?: string;
  /** The keepers that the group was created with. */
  keepers?: Record<string, string>;
}

/** The outputs of a `UserGroups`, dynamic or of the plugin. */
export abstract class UserGroupsResource extends GroupResource {
  /** `userGroupId` → group. */
  declare readonly groups: pulumi.Output<Record<string, GroupOutput>>;
  /** Whether existing groups may be adopted; default true. */
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  /** The effect on a group that is removed from `groups`; default `delete`. */
  declare readonly removed: pulumi.Output<"delete" | "retain" | undefined>;
  /** The number of groups that a change may delete or recreate; default: no limit. */
  declare readonly deletionLimit: pulumi.Output<number | undefined>;
  /** `userGroupId` → user group token, with which the customer's dashboards render; always a secret. */
  declare readonly tokens: pulumi.Output<Record<string, string>>;
  /** The IDs of the groups that existed before this stack created them. */
  declare readonly adopted: pulumi.Output<string[]>;
  /** The address of the service that has the groups, in normal form: no slash at the end. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** Whether a change that needs a new token keeps the former group until the next `up`; default false. */
  declare readonly overlap: pulumi.Output<boolean | undefined>;
  /** `userGroupId` → `user_group_id` in the service, for each group that has a suffix such as `~2` after a change with `overlap`. */
  declare readonly providedIds: pulumi.Output<Record<string, string>>;
  /** `userGroupId` → the group that `overlap` keeps until the next `up`; always a secret. */
  declare readonly former: pulumi.Output<Record<string, FormerGroup> | undefined>;
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
export class UserGroups extends UserGroupsResource {
  /** The name of the service that has the groups; undefined: the default service. */
  declare readonly connection: pulumi.Output<string | undefined>;

  constructor(name: string, args: UserGroupsArgs, opts?: pulumi.CustomResourceOptions) {
    const inputs = resourceInputs("userGroups", userGroupsOutputs, args, {
      type,
      name,
      parent: opts?.parent,
    });
    super(type, name, inputs, opts, "tokens");
  }
}

/** The SDK creates an output for each of these names, with or without an argument. */
export const userGroupsOutputs = {
  adopt: undefined,
  overlap: undefined,
  removed: undefined,
  deletionLimit: undefined,
  tokens: undefined,
  adopted: undefined,
  baseUrl: undefined,
  providedIds: undefined,
  former: undefined,
} satisfies Record<Exclude<keyof UserGroupsResource, keyof pulumi.CustomResource | "groups">, undefined>;
