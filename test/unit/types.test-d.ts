/** The contract of the types; compiled by `npm run types`, and never run. */
import type * as pulumi from "@pulumi/pulumi";
import type {
  GroupArgs,
  Json,
  UserGroupArgs,
  UserGroups,
  UserGroupsArgs,
  UserGroupState,
} from "../../provider/src";
import { UserGroup } from "../../provider/src";
import type { UserGroupArguments, UserGroupsArguments } from "../../provider/src/core/arguments";
import type { UserGroupRecord, UserGroupsRecord } from "../../provider/src/core/shapes";

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
type Entry<Groups> = Groups extends Record<string, infer Group> ? Group : never;

/** The types have the arguments of the schema, and the same ones are required. */
export const sameArguments = {
  userGroup: true satisfies Same<keyof UserGroupArgs, keyof UserGroupArguments>,
  userGroupRequired: true satisfies Same<RequiredKeys<UserGroupArgs>, RequiredKeys<UserGroupArguments>>,
  userGroups: true satisfies Same<keyof UserGroupsArgs, keyof UserGroupsArguments>,
  userGroupsRequired: true satisfies Same<RequiredKeys<UserGroupsArgs>, RequiredKeys<UserGroupsArguments>>,
  entry: true satisfies Same<keyof GroupArgs, keyof Entry<UserGroupsArguments["groups"]>>,
  entryRequired: true satisfies Same<
    RequiredKeys<GroupArgs>,
    RequiredKeys<Entry<UserGroupsArguments["groups"]>>
  >,
};

/** The types accept every value that the schema accepts. */
export const sameValues = {
  userGroup: (args: UserGroupArguments): UserGroupArgs => args,
  userGroups: (args: UserGroupsArguments): UserGroupsArgs => args,
};

type Internal = "shown" | "sent" | "account" | "unknown" | "lastChange";

/** Every property of the state is an output, except those that are the provider's own. */
export const sameOutputs = {
  userGroup: true satisfies Same<
    Exclude<keyof UserGroup, keyof pulumi.CustomResource>,
    Exclude<keyof UserGroupRecord, Internal> | "userGroupId"
  >,
  userGroups: true satisfies Same<
    Exclude<keyof UserGroups, keyof pulumi.CustomResource>,
    Exclude<keyof UserGroupsRecord, Internal>
  >,
};

declare const later: pulumi.Output<string>;

/** Any part of the arguments may be an output. */
export const inputs: UserGroupArgs = {
  userGroupId: later,
  name: later,
  mapping: { sales: later, finance: 7, hr: Promise.resolve(1) },
  properties: { region: later, list: [later, { deep: later.apply((text) => [text]) }], none: null },
  dataSourceProvidedId: later,
  keepers: { rotation: later },
  adopt: later.apply((text) => text === "yes"),
  connection: undefined,
};

export const outputs: {
  token: pulumi.Output<string>;
  adopted: pulumi.Output<boolean>;
  mapping: pulumi.Output<Record<string, string | number> | undefined>;
  properties: pulumi.Output<Record<string, Json> | undefined>;
} = new UserGroup("acme", inputs);

export const known: UserGroupState[] = [
  { name: "Acme" },
  { name: later, mapping: {}, properties: {}, dataSourceProvidedId: "warehouse", connection: "eu" },
];

export const wrong: UserGroupArgs[] = [
  // @ts-expect-error -- no name
  { userGroupId: "acme" },
  // @ts-expect-error -- no userGroupId
  { name: "Acme" },
  // @ts-expect-error -- a number for the name
  { userGroupId: "acme", name: 7 },
  // @ts-expect-error -- an object in the mapping
  { userGroupId: "acme", name: "Acme", mapping: { sales: {} } },
  // @ts-expect-error -- a list for the properties
  { userGroupId: "acme", name: "Acme", properties: ["eu"] },
  // @ts-expect-error -- a function in the properties
  { userGroupId: "acme", name: "Acme", properties: { region: () => "eu" } },
  // @ts-expect-error -- a string for adopt
  { userGroupId: "acme", name: "Acme", adopt: "true" },
  // @ts-expect-error -- an unknown argument
  { userGroupId: "acme", name: "Acme", teamId: 1 },
];

// @ts-expect-error -- a lookup adopts nothing
export const adoptingLookup: UserGroupState = { name: "Acme", adopt: true };
