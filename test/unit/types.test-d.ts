/** The contract of the types; compiled by `npm run types`, and never run. */
import type * as pulumi from "@pulumi/pulumi";
import type { GroupArgs, Json, UserGroupArgs, UserGroupsArgs, UserGroupState } from "../../provider/src";
import { UserGroup, UserGroups } from "../../provider/src";
import * as plugin from "../../provider/src/resources/plugin";
import type { UserGroupArguments, UserGroupsArguments } from "../../provider/src/core/arguments";
import type { UserGroupRecord, UserGroupsRecord } from "../../provider/src/core/state/shapes";

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

type Internal = "shown" | "sent" | "account" | "unknown" | "doubt" | "incomplete" | "lookup" | "lastChange";

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
  // @ts-expect-error -- an object in the mapping
  { userGroupId: "acme", name: "Acme", mapping: { sales: {} } },
  // @ts-expect-error -- a list for the properties
  { userGroupId: "acme", name: "Acme", properties: ["eu"] },
  // @ts-expect-error -- a function in the properties
  { userGroupId: "acme", name: "Acme", properties: { region: () => "eu" } },
  // @ts-expect-error -- an unknown argument
  { userGroupId: "acme", name: "Acme", teamId: 1 },
];

// @ts-expect-error -- a lookup adopts nothing
export const adoptingLookup: UserGroupState = { name: "Acme", adopt: true };

interface Tenant {
  region: string;
  limits: Limits[];
}
interface Limits {
  seats: number | null;
}
interface Sources {
  sales: string;
  finance: pulumi.Output<number>;
}
interface Rotation {
  rotation: string;
}
interface Wrong {
  since: Date;
}
interface Customers {
  acme: GroupArgs;
  globex: { name: string; properties: Tenant };
}
declare const tenant: Tenant;
declare const sources: Sources;
declare const rotation: Rotation;
declare const since: Wrong;
declare const customers: Customers;
declare const byId: Record<string, { name: string; properties: Tenant }>;
declare const badById: Record<string, { name: number; properties: Tenant }>;
const acme = { userGroupId: "acme", name: "Acme" };

/** TypeScript gives interfaces no index signature. They are accepted, as parts and in outputs, too. */
export const withInterfaces: (UserGroup | UserGroups)[] = [
  new UserGroup("a", { ...acme, properties: tenant, mapping: sources, keepers: rotation, adopt: true }),
  new UserGroup("a", { ...acme, properties: later.apply(() => tenant), mapping: Promise.resolve(sources) }),
  new UserGroup("a", {
    ...acme,
    name: Promise.resolve("A"),
    properties: { list: [tenant, later, 1], none: null },
  }),
  new UserGroups("a", { groups: customers, removed: "retain" }),
  new UserGroups("a", { groups: byId }),
  new UserGroups("a", { groups: { a: later.apply((name) => ({ name, properties: tenant })) } }),
];
export const pluginWithInterfaces = [
  new plugin.UserGroup("a", { ...acme, properties: tenant }),
  new plugin.UserGroups("a", { groups: customers }),
];

export const wrongWithInterfaces = [
  // @ts-expect-error -- a Date in an interface
  new UserGroup("a", { ...acme, properties: since }),
  // @ts-expect-error -- a Date in a part that is an interface
  new UserGroup("a", { ...acme, properties: { tenant, since } }),
  // @ts-expect-error -- objects in the mapping
  new UserGroup("a", { ...acme, mapping: tenant }),
  // @ts-expect-error -- a number for a keeper
  new UserGroup("a", { ...acme, properties: tenant, keepers: { rotation: 1 } }),
  // @ts-expect-error -- an unknown argument beside an interface
  new UserGroup("a", { ...acme, properties: tenant, teamId: 1 }),
  // @ts-expect-error -- an unknown field of a group
  new UserGroups("a", { groups: { a: { name: "A", nam: "A", properties: tenant } } }),
  // @ts-expect-error -- a number for the name of a group
  new UserGroups("a", { groups: badById }),
  // @ts-expect-error -- another value for removed
  new UserGroups("a", { groups: customers, removed: "keep" }),
  // @ts-expect-error -- an argument that the plugin doesn't have
  new plugin.UserGroup("a", { ...acme, properties: tenant, connection: "eu" }),
];
