import * as pulumi from "@pulumi/pulumi";
import { providerText, withRails, type GroupArgs, type Json, type SharedArgs } from "./resource";

/** The arguments of {@link UserGroups}. A wrong one is reported in the preview, against its property. */
export interface UserGroupsArgs extends SharedArgs {
  /**
   * `userGroupId` → group. A group that is added is created, one that leaves is deleted (see `removed`), and one whose
   * name, mapping or properties change is deleted and created again, with a new token, unless the setting `changes`
   * is `update`. A preview says in one line how many of each.
   */
  groups: pulumi.Input<Record<string, pulumi.Input<GroupArgs>>>;
  /** What becomes of a group that leaves `groups`: `delete` (the default) deletes it, `retain` only forgets it. */
  removed?: pulumi.Input<"delete" | "retain"> | undefined;
  /**
   * How many groups a change may delete, or delete and create again: a whole number; no limit by default. A change
   * of more is refused in the preview already (error `deletion-limit`). It doesn't hold for `pulumi destroy`, nor
   * for a resource that leaves the program: `protect` does.
   */
  deletionLimit?: pulumi.Input<number> | undefined;
}

/** A group as {@link UserGroups} gives it out. */
export interface GroupOutput {
  /** The name as the service shows it. */
  name: string;
  /** The mapping as it was sent; the service never shows it. */
  mapping?: Record<string, string | number>;
  /** The properties as the service shows them, or as they were sent where it shows none. */
  properties?: Record<string, Json>;
  /** The ID of the data source that is sent with the deletion. */
  dataSourceProvidedId?: string;
}

/**
 * Many user groups in one resource: for hundreds of customers and more, since the engine's cost is per resource.
 *
 * If some groups fail, the others go on; what was done is recorded, and the next `up` does the rest.
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
export class UserGroups extends pulumi.CustomResource {
  /** `userGroupId` → group. */
  declare readonly groups: pulumi.Output<Record<string, GroupOutput>>;
  /** Whether a group that is there already was to be taken over; undefined: true. */
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  /** What becomes of a group that leaves `groups`; undefined: `delete`. */
  declare readonly removed: pulumi.Output<"delete" | "retain" | undefined>;
  /** How many groups a change may delete; undefined: any number. */
  declare readonly deletionLimit: pulumi.Output<number | undefined>;
  /** The name of the service that holds the groups; undefined: the only one. */
  declare readonly connection: pulumi.Output<string | undefined>;
  /** `userGroupId` → user group token, with which the customer's dashboards render; always a secret. */
  declare readonly tokens: pulumi.Output<Record<string, string>>;
  /** The IDs of the groups that were there before this stack created them. */
  declare readonly adopted: pulumi.Output<string[]>;

  constructor(name: string, args: UserGroupsArgs, opts?: pulumi.CustomResourceOptions) {
    const properties = { ...noOutputs, ...args, __provider: providerText("userGroups") };
    super("pulumi-nodejs:dynamic/user-groups:UserGroups", name, properties, withRails(opts, "tokens"));
    // `additionalSecretOutputs` has no effect under `pulumi.runtime.setMocks`.
    this.tokens = pulumi.secret(this.tokens);
  }
}

/** The SDK makes an output of what is named here, whether there is an argument for it or not. */
const noOutputs = {
  adopt: undefined,
  removed: undefined,
  deletionLimit: undefined,
  connection: undefined,
  tokens: undefined,
  adopted: undefined,
} satisfies Record<Exclude<keyof UserGroups, keyof pulumi.CustomResource | "groups">, undefined>;
