/** What a program declares and what a state holds, and what the SDK makes of values on their way between the two. */
import { z } from "zod";
import { inputsOf, type Kind } from "../harness/product";

/** A resource as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly provider: Kind;
  readonly args: object;
  readonly retainOnDelete?: boolean;
  /** `UserGroup.get`, which only reads; `args` hold its ID, too. */
  readonly isLookup?: boolean;
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
  readonly isTainted: boolean;
  /** The stack only reads it. */
  readonly isExternal: boolean;
}

/** Inputs as the engine gets them from a program: JSON. */
export function fromProgram(declared: Declared): object {
  return anyObject.parse(JSON.parse(JSON.stringify(inputsOf(declared))));
}

/**
 * What the engine gets of a provider's result: the SDK adds the provider, and marked secrets arrive as such, so that
 * other providers' operations get their plain values.
 */
export function overTheWire(result: unknown): object {
  assertTransferable(result);
  const properties = { ...anyObject.parse(unwrapped(result)), __provider: "text" };
  return noteSecrets(properties, anyObject.parse(result));
}

const secretNames = new WeakMap<object, readonly string[]>();

/** Notes which of the properties the engine got as secrets. */
export function noteSecrets(properties: object, received: object): object {
  const names = Object.entries(received).filter(([, value]) => signature in anyObject.catch({}).parse(value));
  secretNames.set(properties, names.map(([name]) => name).sort());
  return properties;
}

/** The names of the outputs that are secrets. */
export function secretsOf({ outputs }: ResourceState): readonly string[] {
  return secretNames.get(outputs) ?? [];
}

/** The part of an error that has the resource recorded all the same. */
export function partOf(error: unknown): { id: string; outputs: object; reasons: string[] } | undefined {
  const { data } = partial.safeParse(error);
  return data && { id: data.id, outputs: overTheWire(data.properties), reasons: data.reasons };
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

/** The key of Pulumi's mark of special values. */
const signature = "4dabf18193072939515e22adb298388d";

const secret = z.object({
  [signature]: z.literal("1b47061264138c4ac30d75fd1eb44270"),
  value: z.unknown(),
});

function unwrapped(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unwrapped);
  const { data } = secret.safeParse(value);
  if (data) return unwrapped(data.value);
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, unwrapped(property)]));
}
