import * as pulumi from "@pulumi/pulumi";
import {
  pauseStackTraces,
  providerText,
  withRails,
  type GroupArgs,
  type Json,
  type SharedArgs,
} from "./resource";

/** The arguments of {@link UserGroup}. A wrong one is reported in the preview, against its property. */
export interface UserGroupArgs extends GroupArgs, SharedArgs {
  /**
   * Your own ID of the customer: a string, not empty; also the physical ID of the resource. A change creates the new
   * group before it deletes the old one. (Interface, "Get or create a user group": `user_group_id`.)
   */
  userGroupId: pulumi.Input<string>;
}

/** What {@link UserGroup.get} knows of a group. The service's only read sends the name, so that it is needed. */
export type UserGroupState = Pick<UserGroupArgs, "name"> &
  Partial<Omit<UserGroupArgs, "userGroupId" | "name" | "adopt">>;

/**
 * One user group of the service: a customer whose embedded dashboards render with the group's token.
 *
 * @example
 * ```ts
 * import { UserGroup } from "pulumi-user-groups";
 *
 * const acme = new UserGroup("acme", {
 *   userGroupId: "acme",
 *   name: "Acme Corporation",
 *   mapping: { sales: "acme-warehouse" },
 *   properties: { region: "eu" },
 * });
 * export const acmeToken = acme.token;
 * ```
 */
export class UserGroup extends pulumi.CustomResource {
  /** Your own ID of the customer. */
  declare readonly userGroupId: pulumi.Output<string>;
  /** The name as the service shows it. */
  declare readonly name: pulumi.Output<string>;
  /** The mapping as it was sent; the service never shows it. */
  declare readonly mapping: pulumi.Output<Record<string, string | number> | undefined>;
  /** The properties as the service shows them, or as they were sent where it shows none. */
  declare readonly properties: pulumi.Output<Record<string, Json> | undefined>;
  /** The ID of the data source that is sent with the deletion. */
  declare readonly dataSourceProvidedId: pulumi.Output<string | undefined>;
  /** Whether a group that is there already was to be taken over; undefined: true. */
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  /** The name of the service that holds the group; undefined: the only one. */
  declare readonly connection: pulumi.Output<string | undefined>;
  /** The user group token with which the customer's dashboards render; always a secret. (Interface, "User group") */
  declare readonly token: pulumi.Output<string>;
  /** Whether the group was there before this stack created it. */
  declare readonly adopted: pulumi.Output<boolean>;

  /**
   * Looks a group up that this program doesn't manage. The service's only read is get-or-create: a group that isn't
   * there is created, with the `state` given, and a warning says so. A preview makes no request, and shows the
   * outputs as not yet known.
   *
   * @param name The name of the resource in the program.
   * @param id The `userGroupId`.
   * @param state What is known of the group: `name` at least.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: UserGroupState,
    opts?: pulumi.CustomResourceOptions,
  ): UserGroup {
    const userGroupId = pulumi.output(id);
    return new UserGroup(name, { ...state, userGroupId }, { ...opts, id: unknownInPreview(userGroupId) });
  }

  constructor(name: string, args: UserGroupArgs, opts?: pulumi.CustomResourceOptions) {
    const properties = { ...noOutputs, ...args, __provider: providerText("userGroup") };
    const resumeStackTraces = pauseStackTraces();
    try {
      super("pulumi-nodejs:dynamic/user-groups:UserGroup", name, properties, withRails(opts, "token"));
      resumeStackTraces();
    } catch (error) {
      resumeStackTraces(error);
      throw error;
    }
    // `additionalSecretOutputs` has no effect under `pulumi.runtime.setMocks`.
    this.token = pulumi.secret(this.token);
  }
}

/** The SDK makes an output of what is named here, whether there is an argument for it or not. */
const noOutputs = {
  mapping: undefined,
  properties: undefined,
  dataSourceProvidedId: undefined,
  adopt: undefined,
  connection: undefined,
  token: undefined,
  adopted: undefined,
} satisfies Record<Exclude<keyof UserGroup, keyof pulumi.CustomResource | "userGroupId" | "name">, undefined>;

/** The engine reads a resource in a preview too, unless its ID isn't known yet. */
function unknownInPreview(id: pulumi.Output<pulumi.ID>): pulumi.Output<pulumi.ID> {
  return pulumi.runtime.isDryRun() ? id.apply(() => pulumi.runtime.unknownValue) : id;
}
