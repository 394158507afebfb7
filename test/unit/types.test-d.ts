/** The contract of the types; compiled by `npm test -- lint`, and never run. */
import type * as pulumi from "@pulumi/pulumi";
import type { GroupArgs, UserGroupArgs, UserGroupsArgs, UserGroupState } from "../../provider";
import { UserGroup, UserGroups } from "../../provider";
import * as plugin from "../../provider/resources/plugin";
import type * as z from "zod";
import type { userGroupArguments, userGroupsArguments } from "../../provider/core/arguments";
import type { SettingName } from "../../provider/settings/readSettings";
import type { userGroupsState, userGroupState } from "../../provider/core/state/shapes";

type OneGroup = z.infer<typeof userGroupArguments>;
type ManyGroups = z.infer<typeof userGroupsArguments>;

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
type SameKeys<One, Other> = Same<[keyof One, RequiredKeys<One>], [keyof Other, RequiredKeys<Other>]>;
type Entry<Groups> = Groups extends Record<string, infer Group> ? Group : never;
type Internal = "internal";

/** The types have the arguments of the schema, and the same ones are required. */
export const sameArguments = {
  userGroup: true satisfies SameKeys<UserGroupArgs, OneGroup>,
  userGroups: true satisfies SameKeys<UserGroupsArgs, ManyGroups>,
  entry: true satisfies SameKeys<GroupArgs, Entry<ManyGroups["groups"]>>,
};

/** An explicit provider has an argument for each setting. */
export const sameSettings = true satisfies Same<keyof plugin.ProviderArgs, SettingName>;

/** The types accept every value that the schema accepts. */
export const sameValues = {
  userGroup: (args: OneGroup): UserGroupArgs => args,
  userGroups: (args: ManyGroups): UserGroupsArgs => args,
};

/** Every property of the state is an output, except those that are the provider's own. */
export const sameOutputs = {
  userGroup: true satisfies Same<
    Exclude<keyof UserGroup, keyof pulumi.CustomResource>,
    Exclude<keyof z.infer<typeof userGroupState>, Internal> | "userGroupId"
  >,
  userGroups: true satisfies Same<
    Exclude<keyof UserGroups, keyof pulumi.CustomResource>,
    Exclude<keyof z.infer<typeof userGroupsState>, Internal>
  >,
};

declare const later: pulumi.Output<string>;
const acme = { userGroupId: "acme", name: "Acme" };

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
declare const badById: Record<string, { name: number; properties: Tenant }>;

/** Any part may be an output or a promise, and an interface, to which TypeScript gives no index signature. */
export const right: pulumi.Resource[] = [
  new UserGroup("a", {
    ...{ userGroupId: later, name: Promise.resolve("A"), dataSourceProvidedId: later },
    mapping: { sales: later, finance: 7, hr: Promise.resolve(1) },
    properties: { list: [tenant, later, { deep: later.apply((text) => [text]) }], none: null },
    keepers: { rotation: later },
    adopt: later.apply((text) => text === "yes"),
  }),
  new UserGroup("a", { ...acme, properties: tenant, mapping: sources, keepers: rotation }),
  new UserGroup("a", { ...acme, properties: later.apply(() => tenant), mapping: Promise.resolve(sources) }),
  new UserGroups("a", { groups: customers, removed: "retain" }),
  new UserGroups("a", { groups: { a: later.apply((name) => ({ name, properties: tenant })) } }),
  new plugin.UserGroup("a", { ...acme, properties: tenant }),
  new plugin.UserGroups("a", { groups: customers }),
];

// @ts-expect-error -- a lookup adopts nothing
export const adoptingLookup: UserGroupState = { name: "Acme", adopt: true };

export const wrong = [
  // @ts-expect-error -- a function in the properties
  new UserGroup("a", { ...acme, properties: { region: () => "eu" } }),
  // @ts-expect-error -- a Date in a part that is an interface
  new UserGroup("a", { ...acme, properties: { tenant, since } }),
  // @ts-expect-error -- objects in the mapping
  new UserGroup("a", { ...acme, mapping: tenant }),
  // @ts-expect-error -- an unknown field of a group
  new UserGroups("a", { groups: { a: { name: "A", nam: "A", properties: tenant } } }),
  // @ts-expect-error -- a number for the name of a group
  new UserGroups("a", { groups: badById }),
  // @ts-expect-error -- an unknown argument of the plugin
  new plugin.UserGroup("a", { ...acme, properties: tenant, conection: "eu" }),
];
