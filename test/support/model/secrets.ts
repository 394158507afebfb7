/**
 * Which values of inputs and outputs are secrets. Providers get plain values; the engine keeps the marks apart, and marks outputs
 * whose inputs are secrets (annotateSecrets in provider_plugin.go of engine 3.259).
 */
import { z } from "zod";

/** The key of Pulumi's mark of special values, and its value for secrets. */
export const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

const secretSchema = z.object({ [signature]: z.literal(secretSignature), value: z.unknown() });
const objectSchema = z.record(z.string(), z.unknown());

/** A value that a program has marked as a secret. */
export function secret(value: unknown): object {
  return { [signature]: secretSignature, value };
}

/** A copy without marks, at any depth. */
export function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  const { data } = secretSchema.safeParse(value);
  if (data) return unmarked(data.value);
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, unmarked(property)]));
}

const markedValues = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** Notes the marks of plain properties. `marked`: the same properties with marks. */
export function noteMarks(plain: object, marked: object): object {
  markedValues.set(plain, objectSchema.parse(marked));
  return plain;
}

/** The properties with their marks, as far as those were noted. */
export function markedOf(plain: object): Readonly<Record<string, unknown>> {
  return markedValues.get(plain) ?? objectSchema.parse(plain);
}

/** Outputs or checked inputs as the engine keeps them: those at the path of a secret input are secrets too. */
export function annotated(
  outputs: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changed = { ...outputs };
  for (const [key, input] of Object.entries(inputs)) {
    if (!Object.hasOwn(outputs, key)) continue;
    const output = outputs[key];
    // Engine 3.274 drops the mark of such an object.
    const object = secretSchema.safeParse(output).data?.value ?? output;
    if (isPlainObject(object) && isPlainObject(input)) changed[key] = annotated(object, input);
    else if (!isSecret(output) && containsSecrets(input)) changed[key] = secret(output);
  }
  return changed;
}

/** The plain strings outside of secrets, each with its path. */
export function plainTexts(value: unknown, path = ""): { readonly path: string; readonly text: string }[] {
  if (isSecret(value)) return [];
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, property]) => [
    { path: `${path}.${key} (key)`, text: key },
    ...plainTexts(property, path === "" ? key : `${path}.${key}`),
  ]);
}

export function isSecret(value: unknown): boolean {
  return secretSchema.safeParse(value).success;
}

export function containsSecrets(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsSecrets);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSecret(value);
}
