/** The resources of a program as it passes them to the engine, and the values of their groups. */
import type { StoredGroup } from "../../provider/src/testing";
import { normalizations } from "../harness/normalizations";
import type { Declared } from "../model/resources";
import type { Choices } from "./choices";
import type { Resource, Values } from "./steps";

/** A group as the program declares it. */
export interface DeclaredGroup {
  readonly resource: Resource;
  readonly userGroupId: string;
  readonly args: GroupArgs;
}

/** What a program says of a resource beside its groups. */
export interface Options {
  /** Default: true. */
  readonly adopts: boolean;
  /** `retainOnDelete` */
  readonly isRetained: boolean;
  /** Whether it names a connection. */
  readonly isConnected: boolean;
}

export function oneGroup(
  name: string,
  { userGroupId, args }: Omit<DeclaredGroup, "resource">,
  options: Partial<Options>,
): Declared {
  return {
    name,
    provider: "userGroup",
    args: { userGroupId, ...args, ...sharedArgs(options) },
    retainOnDelete: options.isRetained === true,
  };
}

export function manyGroups(
  name: string,
  many: readonly DeclaredGroup[],
  options: Partial<Options>,
): Declared {
  const groups = Object.fromEntries(many.map(({ userGroupId, args }) => [userGroupId, args]));
  return {
    name,
    provider: "userGroups",
    args: { groups, ...sharedArgs(options) },
    retainOnDelete: options.isRetained === true,
  };
}

/** `UserGroup.get`, with a name only. */
export function lookup(userGroupId: string): Declared {
  const args = { userGroupId, name: "Alpha" };
  return { name: `lookup-${userGroupId}`, provider: "userGroup", args, isLookup: true };
}

function sharedArgs({ adopts = true, isConnected }: Partial<Options>): object {
  return { ...(!adopts && { adopt: false }), ...(isConnected && { connection: "main" }) };
}

export interface GroupArgs {
  readonly name: string;
  readonly mapping?: object | null;
  readonly properties?: object | null;
  readonly keepers?: object;
  readonly dataSourceProvidedId?: string;
}

export function argsOf({ name, mapping, properties }: Values): GroupArgs {
  return {
    name,
    ...(mapping !== "none" && { mapping: mappings[mapping] }),
    ...(properties !== "none" && { properties: propertySets[properties] }),
  };
}

/** With a data source, for a service that wants one with the deletion. */
export function withSource(values: Values): GroupArgs {
  const mapping = values.mapping === "large" ? "large" : "small";
  return { ...argsOf({ ...values, mapping }), dataSourceProvidedId: "warehouse" };
}

/** Arguments as they count: without those that are null or empty. */
export function significant({ name, mapping, properties, keepers }: GroupArgs): object {
  return { name, mapping: nonEmpty(mapping), properties: nonEmpty(properties), keepers: nonEmpty(keepers) };
}

export function nonEmpty(value: unknown): object | undefined {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0 ? value : undefined;
}

const mappings = {
  null: null,
  empty: {},
  small: { sales: "warehouse" },
  large: { sales: "warehouse", stock: 2 },
};
const propertySets = {
  null: null,
  empty: {},
  flat: { region: "eu" },
  deep: { plan: { seats: [1, null, { x: "é" }] } },
};

/** The values of a group that count; undefined: none. */
export interface StoredValues {
  readonly name: string;
  readonly mapping: object | undefined;
  readonly properties: object | undefined;
}

/** The values that the service stores for those of a program. */
export function storedOf(
  { name, mapping, properties }: { name: string; mapping?: unknown; properties?: unknown },
  { normalization }: Pick<Choices, "normalization">,
): StoredValues {
  const values = normalizations[normalization]({
    userGroupId: "",
    name,
    ...(nonEmpty(properties) && { properties: { ...nonEmpty(properties) } }),
  });
  return { name: values.name, mapping: nonEmpty(mapping), properties: nonEmpty(values.properties) };
}

/** The values of a group in the service, in the same shape. */
export function storedValues({ name, mapping, properties }: StoredGroup): StoredValues {
  return { name, mapping: nonEmpty(mapping), properties: nonEmpty(properties) };
}
