/** Refuses values that the SDK would silently drop or convert to `{}`. */
import * as pulumi from "./pulumi";

/**
 * Returns a copy of `value`. Throws for a part that isn't JSON. Outputs and promises are checked when they resolve. `path`:
 * the path of the value, such as `properties.plan`. Error: argument-invalid.
 */
export function jsonInput(value: unknown, path = ""): unknown {
  if (pulumi.Output.isInstance(value)) return value.apply((resolved: unknown) => jsonInput(resolved, path));
  if (value instanceof Promise) return value.then((resolved: unknown) => jsonInput(resolved, path));
  if (isAsset(value)) return value;
  const issue = issueOf(value);
  if (issue !== undefined) throw new pulumi.RunError(`The argument ${path} ${issue} [argument-invalid]`);
  if (Array.isArray(value)) return value.map((part, index) => jsonInput(part, `${path}.${index}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, jsonInput(part, `${path}.${key}`)]),
  );
}

/** The provider refuses assets, by property. */
function isAsset(value: unknown): boolean {
  return pulumi.Asset.isInstance(value) || pulumi.Archive.isInstance(value);
}

/** Undefined for JSON. */
function issueOf(value: unknown): string | undefined {
  const kind = unsupportedKind(value);
  if (kind !== undefined)
    return `is ${kind}, which JSON doesn't have. Pass a string, a number or a plain object.`;
  const isDropped = typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
  return isDropped ? "has the key __proto__, which the engine doesn't transport." : undefined;
}

/** Such as `a Date`; undefined for a JSON value. An undefined property is the same as none. */
function unsupportedKind(value: unknown): string | undefined {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return `a ${typeof value}`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value) || isPlain(value)) return undefined;
  return `a ${value.constructor.name}`;
}

/** Object literals of other realms, such as a test runner's, are plain as well. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
