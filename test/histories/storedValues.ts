/** The values of groups as the service stores them. */
import type { StoredGroup } from "../../provider/src/testing";
import { normalizations } from "../harness/normalizations";
import type { Choices } from "./choices";
import { nonEmpty } from "./groupArgs";

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
