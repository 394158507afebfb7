import * as pulumi from "./pulumi";
import type { FormerGroup, GroupArgs, Json, SharedArgs, ArgumentsOf } from "./commonArguments";
import { GroupResource, resourceInputs } from "./resourceOptions";

/** The arguments of {@link UserGroup}. The preview reports invalid ones by property. */
export interface UserGroupArgs extends GroupArgs, SharedArgs {
  /**
   * Your own ID of the customer: a string, not empty. It is also the physical ID of the resource. Two resources of a
   * program can't have the same ID (error `declared-twice`), unless they have different providers, and it must not end in `~` and eight hexadecimal digits, as the IDs of `overlap`
   * do. A change creates the new group, then deletes the old one. (Interface, "Get or create a user group": `user_group_id`.)
   */
  userGroupId: pulumi.Input<string>;
}

/** The known values of a group for {@link UserGroup.get}. The name is required, because the service's only read sends it. */
export type UserGroupState = Pick<UserGroupArgs, "name"> &
  Partial<Omit<UserGroupArgs, "userGroupId" | "name" | "adopt" | "overlap" | "overlapHours">>;

/** The outputs of a `UserGroup`, dynamic or of the plugin. */
export abstract class UserGroupResource extends GroupResource {
  /** Your own ID of the customer. */
  declare readonly userGroupId: pulumi.Output<string>;
  /** The name as sent, or after a refresh with drift as the service returns it. */
  declare readonly name: pulumi.Output<string>;
  /** The mapping as sent. The service never returns it. */
  declare readonly mapping: pulumi.Output<Record<string, string | number> | undefined>;
  /** The properties as sent, or after a refresh with drift as the service returns them. */
  declare readonly properties: pulumi.Output<Record<string, Json> | undefined>;
  /** The ID of the data source that the deletion sends. */
  declare readonly dataSourceProvidedId: pulumi.Output<string | undefined>;
  /** The keepers that the group was created with. */
  declare readonly keepers: pulumi.Output<Record<string, string> | undefined>;
  /** The user group token with which the customer's dashboards render; always a secret. (Interface, "User group") */
  declare readonly token: pulumi.Output<string>;
  /**
   * Whether the service already had the group when it was requested: somebody else created it, it moved here, the resource was renamed without an
   * alias, or an earlier response was lost. Its mapping isn't verified then, except with `overlap`.
   */
  declare readonly adopted: pulumi.Output<boolean>;
  /** The group's `user_group_id` in the service: the `userGroupId`, or with `overlap` that and a digest, such as `acme~5d41402a`. */
  declare readonly providedId: pulumi.Output<string>;
  /** The groups that `overlap` keeps, undefined if there is none; always a secret. */
  declare readonly former: pulumi.Output<FormerGroup[] | undefined>;
}

const type = "pulumi-nodejs:dynamic/user-groups:UserGroup";

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
export class UserGroup<Args extends object = UserGroupArgs> extends UserGroupResource {
  /**
   * Looks up a group that this resource doesn't manage. A missing group fails (error `no-such-group`). The service's only read is
   * get-or-create, so a group that it creates is deleted again. If a resource of the program has the group, the lookup returns
   * that one without a request. A preview sends no request, and its outputs are unknown. If the setting `changes` is `update`,
   * mapping and properties are required (error `setting-conflict`).
   *
   * @param name The name of the resource in the program.
   * @param id The `userGroupId`; of a group with `overlap`, its `providedId`.
   * @param state The known values of the group, at least `name`.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: UserGroupState,
    opts?: pulumi.CustomResourceOptions,
  ): UserGroup {
    const userGroupId = pulumi.output(id);
    // The engine reads a resource in a preview too, unless its ID is unknown.
    const whenRead = pulumi.isDryRun() ? userGroupId.apply(() => pulumi.unknownValue) : userGroupId;
    return new UserGroup(name, { ...state, userGroupId }, { ...opts, id: whenRead });
  }

  constructor(name: string, args: ArgumentsOf<Args, UserGroupArgs>, opts?: pulumi.CustomResourceOptions) {
    const inputs = resourceInputs("userGroup", userGroupOutputs, args, { type, name, opts });
    super(type, name, inputs, opts, "token");
  }
}

/** The SDK creates an output for each of these names, with or without an argument. */
export const userGroupOutputs = {
  mapping: undefined,
  properties: undefined,
  dataSourceProvidedId: undefined,
  keepers: undefined,
  adopt: undefined,
  overlap: undefined,
  overlapHours: undefined,
  token: undefined,
  adopted: undefined,
  baseUrl: undefined,
  providedId: undefined,
  former: undefined,
} satisfies Record<
  Exclude<keyof UserGroupResource, keyof pulumi.CustomResource | "userGroupId" | "name">,
  undefined
>;
