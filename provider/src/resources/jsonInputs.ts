/** Refuses values that the SDK would silently drop or convert to `{}`. */
import { withCode } from "../errors";
import { escaped, propertyPath } from "../text";
import * as pulumi from "./pulumi";

/** Where a value is in the arguments. */
type Path = readonly PropertyKey[];

/** A copy of `value`, which is at `path`. Error: argument-invalid, for a part that isn't JSON. */
export function jsonInput(value: unknown, path: Path): unknown {
  if (pulumi.Output.isInstance(value))
    return value.apply((resolved: unknown) => partOfOutput(resolved, path));
  if (value instanceof Promise) return value.then((resolved: unknown) => jsonInput(resolved, path));
  // The provider refuses assets, by property.
  if ([pulumi.Asset, pulumi.Archive].some((kind) => kind.isInstance(value))) return value;
  const issue = issueOf(value);
  if (issue !== undefined) throw new InvalidPart(path, issue);
  if (Array.isArray(value)) return value.map((part, index) => jsonInput(part, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, jsonInput(part, [...path, key])]),
  );
}

/** The value of an output may be secret, with its keys. So an error names the place of the output. */
function partOfOutput(value: unknown, path: Path): unknown {
  try {
    return jsonInput(value, path);
  } catch (error) {
    const isBelow = error instanceof InvalidPart && error.path.length > path.length;
    throw isBelow ? new InvalidPart(path, error.issue.replace(/^\w+/, "contains")) : error;
  }
}

class InvalidPart extends pulumi.RunError {
  constructor(
    readonly path: Path,
    readonly issue: string,
  ) {
    super(withCode("argument-invalid", `The argument ${propertyPath(path)} ${issue}`));
  }
}

/** Undefined for JSON, and for undefined, which is the same as none. */
function issueOf(value: unknown): string | undefined {
  const notJson = (kind: string) =>
    `is ${kind}, which JSON doesn't have. Pass a string, a number or a plain object.`;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : notJson(String(value));
  if (["bigint", "function", "symbol"].includes(typeof value)) return notJson(`a ${typeof value}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (Object.hasOwn(value, "__proto__")) return "has the key __proto__, which the engine doesn't transport.";
  // Object literals of other realms, such as a test runner's, are plain as well.
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? undefined : notJson(`a ${escaped(value.constructor.name)}`);
}
