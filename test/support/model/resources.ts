/** What a program declares and what a state holds, and what the SDK makes of values on their way between the two. */
import { z } from "zod";
import { identityOf } from "../../../provider/values";
import type { Kind } from "../harness/product";
import { annotated, containsSecrets, isSecret, markedOf, noteMarks, secret, unmarked } from "./secrets";

/** A resource as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly provider: Kind;
  /** Secrets in it are marked. */
  readonly args: object;
  readonly retainOnDelete?: boolean;
  /** `UserGroup.get`, which only reads; `args` hold its ID, too. */
  readonly isLookup?: boolean;
  /** Former names. */
  readonly aliases?: readonly string[];
  /** Names of resources of the program. */
  readonly dependsOn?: readonly string[];
  /** Path of an argument → name of the resource of whose ID the program makes the value. */
  readonly valuesFrom?: Readonly<Record<string, string>>;
}

/** A resource in a state. */
export interface ResourceState {
  readonly name: string;
  readonly provider: Kind;
  readonly id: string;
  readonly inputs: object;
  readonly outputs: object;
  /** Why it isn't complete; the next up calls update even if nothing changed. */
  readonly initErrors: readonly string[];
  /**
   * "pending delete": another one has taken its place, and it is still to be deleted; "pending replacement": it is
   * deleted, and another one is still to be created.
   */
  readonly status: "live" | "pending delete" | "pending replacement";
  readonly retainOnDelete: boolean;
  /** The stack only reads it. */
  readonly isExternal: boolean;
  /** The names of the resources that it depends on. */
  readonly dependencies: readonly string[];
  /** Argument → the names of the resources of which its value is made. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

export function urnOf({ name, provider }: Pick<Declared, "name" | "provider">): string {
  const type = provider === "userGroup" ? "UserGroup" : "UserGroups";
  return `urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:${type}::${name}`;
}

/** What a program doesn't know yet: names of resources, and what takes the place of values that are made of their IDs. */
export interface Unknowns {
  readonly names: ReadonlySet<string>;
  /** undefined: such values are missing. */
  readonly value: string | undefined;
}

/** The engine's text for a value that isn't known yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Inputs as the engine gets them from a program: JSON. */
export function fromProgram(declared: Declared, unknowns?: Unknowns): object {
  const inputs = { ...declared.args, __provider: "text", __resource: identityOf(urnOf(declared)) };
  let marked: unknown = JSON.parse(JSON.stringify(inputs));
  for (const [path, name] of Object.entries(declared.valuesFrom ?? {})) {
    const isUnknown = unknowns?.names.has(name) === true;
    const value = (known: unknown) => (isUnknown ? unknowns.value : asWhole(known));
    marked = withValue(marked, path.split("."), value);
  }
  return noteMarks(anyObject.parse(unmarked(marked)), anyObject.parse(marked));
}

/** An output that contains a secret is one as a whole. */
function asWhole(value: unknown): unknown {
  return containsSecrets(value) ? secret(unmarked(value)) : value;
}

function withValue(
  value: unknown,
  path: readonly string[],
  replacement: (value: unknown) => unknown,
): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return replacement(value);
  const { [head]: former, ...others } = anyObject.parse(value);
  const changed = withValue(former, rest, replacement);
  return changed === undefined ? others : { ...others, [head]: changed };
}

/**
 * What the engine gets of a provider's result: the SDK adds the provider, and marked secrets arrive as such, so that
 * other providers' operations get their plain values. Values at the path of a secret in `inputs` are secrets too.
 */
export function overTheWire(result: unknown, inputs: object = {}): object {
  assertTransferable(result);
  const properties = { ...anyObject.parse(unmarked(result)), __provider: "text" };
  return noteMarks(properties, annotated(anyObject.parse(result), markedOf(inputs)));
}

/** The names of the outputs that are secrets. */
export function secretsOf({ outputs }: ResourceState): readonly string[] {
  const marked = Object.entries(markedOf(outputs)).filter(([, value]) => isSecret(value));
  return marked.map(([name]) => name).sort();
}

/** The part of an error that has the resource recorded all the same. */
export function partOf(
  error: unknown,
  inputs: object = {},
): { id: string; outputs: object; reasons: string[] } | undefined {
  const { data } = partial.safeParse(error);
  return data && { id: data.id, outputs: overTheWire(data.properties, inputs), reasons: data.reasons };
}

const anyObject = z.record(z.string(), z.unknown());

const partial = z.object({ id: z.string().min(1), properties: anyObject, reasons: z.array(z.string()) });

/** Measured with SDK 3.250: both fail after the provider has acted, so that its result is lost. */
function assertTransferable(value: unknown): void {
  if (value === undefined) throw new Error("Unexpected struct type.");
  if (typeof value === "string" && Buffer.from(value).toString() !== value)
    throw new Error("grpc: failed to unmarshal the received message: string field contains invalid UTF-8");
  if (typeof value !== "object" || value === null) return;
  for (const [key, property] of Object.entries(value)) {
    assertTransferable(key);
    assertTransferable(property);
  }
}
