/** Refuses values that the SDK would silently drop or convert to `{}`, or at which it or the engine fails without a path. */
import { textWithCode } from "../errors";
import { message } from "../messages/message";
import { argumentOf, escaped, propertyPath } from "../text";
import { maxDepth, signatureKey, textIssue, tooDeep } from "../values";
import * as pulumi from "./pulumi";

/** Where a value is in the arguments. */
type Path = readonly PropertyKey[];

/** A copy of `value`, which is at `path`. Error: argument-invalid, for a part that isn't JSON or can't be transported. */
export function jsonInput(value: unknown, path: Path): unknown {
  // Before all others, because an object may have the keys by which the SDK knows its own.
  if (Array.isArray(value) || isPlain(value)) return jsonParts(value, path);
  if (pulumi.Output.isInstance(value))
    return value.apply((resolved: unknown) => partOfOutput(resolved, path));
  if (value instanceof Promise) return value.then((resolved: unknown) => jsonInput(resolved, path));
  // The provider refuses assets, by property.
  if ([pulumi.Asset, pulumi.Archive].some((kind) => kind.isInstance(value))) return value;
  const issue = typeof value === "string" ? textIssue(value) : kindIssue(value);
  if (issue !== undefined) throw new InvalidPart(path, issue);
  return value;
}

/** Object literals of other realms, such as a test runner's, are plain as well. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function jsonParts(container: object, path: Path): unknown {
  const argument = argumentOf(path);
  if (path.length - argument.length >= maxDepth) throw new InvalidPart(argument, tooDeep);
  if (Array.isArray(container)) return container.map((part, index) => jsonInput(part, [...path, index]));
  const entries = Object.entries(container).map(([key, part]) => {
    if (isReserved(key, path))
      throw new InvalidPart(path, `has the key ${key}, which Pulumi can't transport`);
    const issue = textIssue(key);
    if (issue !== undefined) throw new InvalidPart([...path, key], issue);
    return [key, jsonInput(part, [...path, key])] as const;
  });
  return Object.fromEntries(entries);
}

/** The SDK makes a string of each argument, by its `toString`. */
function isReserved(key: string, path: Path): boolean {
  if (key === "toString") return path.length === 1;
  return key === "__proto__" || key === signatureKey || key.startsWith("__pulumi");
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
    super(textWithCode(message("argument", { path: propertyPath(path), reason: issue })));
  }
}

/** Undefined for JSON, and for undefined, which is the same as none. */
function kindIssue(value: unknown): string | undefined {
  const notJson = (kind: string) =>
    `is ${kind}, which JSON doesn't have. Pass a string, a number or a plain object`;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : notJson(String(value));
  if (["bigint", "function", "symbol"].includes(typeof value)) return notJson(`a ${typeof value}`);
  if (typeof value !== "object" || value === null) return undefined;
  return notJson(`a ${escaped(value.constructor.name)}`);
}
