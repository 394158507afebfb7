/** The common arguments of both resources. */
import type * as pulumi from "./pulumi";

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON value. Any part of it may be an output of another resource. */
export type JsonInput = pulumi.Input<
  string | number | boolean | null | readonly JsonInput[] | { readonly [key: string]: JsonInput }
>;

/** The values of a user group beside its ID. */
export interface GroupArgs {
  /**
   * The name of the group: a string, not empty. A change recreates the group with a new token, or with `overlap` creates
   * another group beside it, unless the setting `changes` is `update`. (Interface, "User group": `name`.)
   */
  name: pulumi.Input<string>;
  /**
   * An object of schema ID → data source, or ID of a data source that you provided: strings or numbers. Default: none.
   * The service never returns it, so its drift can't be detected. A change has the same effect as one of `name`. (Interface,
   * "Request-side fields of a user group": `mapping`.)
   */
  mapping?: pulumi.Input<Record<string, pulumi.Input<string | number>>> | undefined;
  /**
   * Variables for dashboards and the SQL editor: a JSON object. Default: none. A change has the same effect as one of
   * `name`. (Interface, "User group": `properties`.)
   *
   * @remarks
   * Values that JSON doesn't have, such as a Date, fail the program.
   */
  properties?: pulumi.Input<Record<string, JsonInput>> | undefined;
  /**
   * The ID of the data source in the service's data tab: a string, not empty. Default: none. Only the deletion sends it.
   * A change changes the state only, without a request. (Interface, "Delete a user group":
   * `data_source_provided_id`.)
   */
  dataSourceProvidedId?: pulumi.Input<string> | undefined;
  /**
   * Strings of your choice, never sent to the service. Default: none. A change of any of them recreates the group with a
   * new token, or with `overlap` creates another group beside it, for example to replace a token that has leaked.
   */
  keepers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/** The arguments of both resources beside the groups. */
export interface SharedArgs {
  /**
   * Whether an existing group is adopted: boolean, default true. With false, the creation of an existing group fails and
   * records nothing (errors `adoption-refused`, `adoption-ambiguous`). False is refused if the setting `changes` is
   * `update` (error `setting-conflict`). A change changes the state only, without a request.
   */
  adopt?: pulumi.Input<boolean> | undefined;
  /**
   * The name of the service, if a program uses several: lower-case letters, digits and hyphens. Default: none. Its
   * settings are `user-groups:<connection>.baseUrl` and so on, or `USER_GROUPS_<CONNECTION>_BASE_URL` and so on. A change
   * to another address creates the group in the new service, then deletes it in the old one. A change to the same address
   * changes the state only.
   */
  connection?: pulumi.Input<string> | undefined;
  /**
   * Whether a change that gives a group a new token keeps the former group, so that no dashboard is blank: boolean, default false.
   * With true, the change creates a group with another ID in the service (`acme~2`), and the next `up` deletes the former one.
   * A change of this argument changes the state only.
   */
  overlap?: pulumi.Input<boolean> | undefined;
}

/** A group that `overlap` keeps until the next `up`. */
export interface FormerGroup {
  /** Its `user_group_id` in the service. */
  providedId: string;
  /** Its user group token, with which dashboards still render. */
  token: string;
}
