/** The arguments that both resources have. */
import type * as pulumi from "@pulumi/pulumi";

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON value, any part of which may be an output of another resource. */
export type JsonInput = pulumi.Input<
  string | number | boolean | null | readonly JsonInput[] | { readonly [key: string]: JsonInput }
>;

/** The values of a user group beside its ID. */
export interface GroupArgs {
  /**
   * The name of the group: a string, not empty. A change deletes the group and creates it again, with a new token,
   * unless the setting `changes` is `update`. (Interface, "User group": `name`.)
   */
  name: pulumi.Input<string>;
  /**
   * Schema ID → data source, or ID of a data source that you provided: strings or numbers. Default: none. The service
   * never returns it, so a drift of it can't be detected. A change works as a change of `name` does. (Interface,
   * "Request-side fields of a user group": `mapping`.)
   */
  mapping?: pulumi.Input<Record<string, pulumi.Input<string | number>>> | undefined;
  /**
   * JSON object of variables for dashboards and the SQL editor. Default: none. A change works as a change of `name`
   * does. (Interface, "User group": `properties`.)
   *
   * @remarks
   * Values that JSON doesn't have, such as a Date, fail the program.
   */
  properties?: pulumi.Input<Record<string, JsonInput>> | undefined;
  /**
   * The ID of the data source as given in the data tab: a string, not empty. Default: none. It is sent with the
   * deletion only. A change changes the state only, without a request. (Interface, "Delete a user group":
   * `data_source_provided_id`.)
   */
  dataSourceProvidedId?: pulumi.Input<string> | undefined;
  /**
   * Strings of your choice, never sent to the service. A change of any of them deletes the group and creates it again,
   * with a new token: use it to replace a token that has leaked. Default: none.
   */
  keepers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/** The arguments of a resource, whether it has one group or many. */
export interface SharedArgs {
  /**
   * Whether a group that exists already is adopted: boolean, default true. With false the creation of an existing
   * group fails and records nothing (errors `adoption-refused`, `adoption-ambiguous`). Not possible with the setting
   * `changes` at `update` (error `setting-conflict`).
   */
  adopt?: pulumi.Input<boolean> | undefined;
  /**
   * The name of the service, if a program uses several: lower-case letters, digits and hyphens. Its settings are
   * `user-groups:<connection>.baseUrl` and so on, or `USER_GROUPS_<CONNECTION>_BASE_URL` and so on. Default: none. A
   * change to another address creates in the new service before it deletes in the old one. A change to the same
   * address changes the state only.
   */
  connection?: pulumi.Input<string> | undefined;
}
