/** The common arguments and outputs of both resources. */
import type * as pulumi from "./pulumi";

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON value. Any part of it may be an output of another resource. */
export type JsonInput = pulumi.Input<
  string | number | boolean | null | readonly JsonInput[] | { readonly [key: string]: JsonInput }
>;

/**
 * The type of the arguments of a program that passes `Given`: `Allowed`, whose name and doc comments TypeScript then shows. Beyond that, it
 * accepts interfaces where `Allowed` has an index signature, which TypeScript doesn't give them, and it refuses other keys in variables,
 * too. The first branch is never taken. TypeScript infers `Given` from it.
 */
export type ArgumentsOf<Given, Allowed> = [Given] extends [never]
  ? Given
  : Given extends object
    ? Fields<Given, Allowed>
    : Allowed;

type Fields<Given, Allowed> = [UnfitKeys<Given, Allowed>] extends [never]
  ? Allowed & Refusal<Exclude<keyof Given, keyof Allowed>, keyof Allowed>
  : WithInterfaces<Given, Allowed> & Refusal<Exclude<keyof Given, keyof Allowed>, keyof Allowed>;

/** The fields of `Given` that TypeScript doesn't accept as those of `Allowed`, or in whose groups it accepts other keys. */
type UnfitKeys<Given, Allowed> = {
  [Key in keyof Given & keyof Allowed]: Given[Key] extends Allowed[Key]
    ? Key extends "groups"
      ? [GroupKeys<Given[Key]>] extends [keyof GroupArgs]
        ? never
        : Key
      : never
    : Key;
}[keyof Given & keyof Allowed];

type GroupKeys<Groups> =
  Groups extends Eventual<infer Value> ? GroupKeys<Value> : KeysOf<Groups[keyof Groups]>;
type KeysOf<Group> = Group extends Eventual<infer Value> ? keyof Value : keyof Group;

/** `Allowed`, with the interfaces of `Given` at any depth. */
type WithInterfaces<Given, Allowed> = {
  [Key in keyof Allowed]: Key extends keyof Given ? Fitted<Given[Key], Allowed[Key]> : Allowed[Key];
};

type Fitted<Given, Allowed> =
  Given extends Eventual<infer Value> ? Eventual<Fitted<Value, Allowed>> : FittedValue<Given, Allowed>;

type FittedValue<Given, Allowed> = Given extends NoFields
  ? Allowed
  : Given extends readonly (infer Part)[]
    ? readonly Fitted<Part, Extract<Allowed, readonly unknown[]>[number]>[]
    : FittedObject<Given, Exclude<Allowed, NoFields | Eventual<unknown> | readonly unknown[]>, Allowed>;

type FittedObject<Given, AllowedObject, Allowed> = [AllowedObject] extends [never]
  ? Allowed
  : string extends keyof AllowedObject
    ? { [Key in keyof Given]: Fitted<Given[Key], AllowedObject[keyof AllowedObject]> }
    : Fields<Given, AllowedObject>;

type Eventual<Value> = pulumi.OutputInstance<Value> | Promise<Value>;
/** Values that are no objects of fields, or have methods, which JSON doesn't have. */
type NoFields =
  string | number | bigint | symbol | boolean | null | undefined | Date | ((...args: never[]) => unknown);

/**
 * No value has this type, so that TypeScript refuses `Keys` in variables, too. TypeScript itself suggests a key for one letter too many or too
 * few, but not for two swapped ones.
 */
type Refusal<Keys, Known> = [Keys] extends [never]
  ? unknown
  : [Exclude<Keys, Swapped<Known>>] extends [never]
    ? DidYouMean<Meant<Keys, Known>>
    : NoArgument<Keys>;

type Meant<Keys, Known> = Known extends string
  ? Keys & Swapped<Known> extends never
    ? never
    : Known
  : never;

/** Each text that is `Text` with two neighboring letters swapped. */
type Swapped<Text> = Text extends `${infer One}${infer Two}${infer Rest}`
  ? `${Two}${One}${Rest}` | `${One}${Swapped<`${Two}${Rest}`>}`
  : never;

declare const refused: unique symbol;
interface NoArgument<Keys> {
  [refused]: Keys;
}
interface DidYouMean<Key> {
  [refused]: Key;
}

/** The values of a user group beside its ID. */
export interface GroupArgs {
  /**
   * The name of the group: a string, not empty. A change gives the customer another group with a new token, unless the setting
   * `changes` is `update`. Without `overlap`, the former group is deleted in the same `up`. (Interface, "User group": `name`.)
   */
  name: pulumi.Input<string>;
  /**
   * An object of schema ID → data source, or ID of a data source that you provided: strings or numbers. Default: none.
   * The service never returns it, so its drift can't be detected. A change has the same effect as one of `name`. (Interface,
   * "Request-side fields of a user group": `mapping`.)
   */
  mapping?: pulumi.Input<Record<string, pulumi.Input<string | number>>> | undefined;
  /**
   * Variables for dashboards and the SQL editor: a JSON object, with objects and lists in at most 100 levels. Default: none. A change
   * has the same effect as one of `name`. (Interface, "User group": `properties`.)
   *
   * @remarks
   * Values that JSON doesn't have, such as a Date, fail the program.
   */
  properties?: pulumi.Input<Record<string, JsonInput>> | undefined;
  /**
   * The ID of the data source in the service's data tab: a string, not empty. Default: none. Only the deletion sends it.
   * A change changes the state only. (Interface, "Delete a user group": `data_source_provided_id`.)
   */
  dataSourceProvidedId?: pulumi.Input<string> | undefined;
  /**
   * Strings of your choice, never sent to the service. Default: none. A change gives the customer another group with a new
   * token, also if the setting `changes` is `update`: for example to replace a token that has leaked.
   */
  keepers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** The hours of this group instead of those of its `UserGroups`: a number from 0 to 1,000,000. Default: the resource's. With 0, the next `up` ends its former groups. */
  overlapHours?: pulumi.Input<number> | undefined;
}

/** The arguments of both resources beside the groups. */
export interface SharedArgs {
  /**
   * Whether an existing group is adopted: boolean, default true. With false, the creation of an existing group fails (error
   * `adoption-refused`). With the setting `changes: update`, false makes every creation fail (error `setting-conflict`). A change changes the
   * state only.
   */
  adopt?: pulumi.Input<boolean> | undefined;
  /**
   * Whether a change that gives a customer a new token keeps the former group, so that no dashboard is blank: boolean, default false.
   * With true, the group's ID in the service has a digest of its values (output `providedId`), from the creation on. So a new resource
   * doesn't adopt a group with the plain ID. A change changes the state only, but `false` deletes former groups.
   */
  overlap?: pulumi.Input<boolean> | undefined;
  /**
   * The hours for which a change keeps the former group with `overlap`: a number from 0 to 1,000,000, fractions allowed. Default: 24. The
   * end of this time is fixed at the change, and the first `up` after the end deletes the group. With 0, the next `up` deletes it. Former
   * groups of earlier changes are deleted by the `up` that sets 0. A change changes the state only, but 0 deletes former groups.
   */
  overlapHours?: pulumi.Input<number> | undefined;
}

/** The values of a group in outputs. */
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
  /** The hours of a group in a `UserGroups`, if it has its own. */
  overlapHours?: number;
}

/** A group that `overlap` keeps for a time. */
export interface FormerGroup extends Omit<GroupOutput, "overlapHours"> {
  /** Its `user_group_id` in the service. */
  providedId: string;
  /** Its user group token, with which dashboards still render. */
  token: string;
  /** It stays until this time: ISO 8601, in UTC. The first `up` after it deletes the group. */
  until: string;
}
