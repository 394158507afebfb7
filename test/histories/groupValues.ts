/** The arguments of a group, which of them count, and what the service stores of them. */
import type { StoredGroup } from "../../provider/src/testing";
import { normalizations } from "../harness/normalizations";
import type { Choices } from "./choices";
import type { Values } from "./steps";

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
