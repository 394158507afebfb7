/** Reads the output of `pulumi stack export --show-secrets`: its resources, and the values of secrets. */
import * as z from "zod";
import { parse } from "../validation";
import { isObject, secretSignature, signatureKey, type JsonObject } from "../values";

const properties = z.record(z.string(), z.unknown()).default({});
const flag = z.boolean().default(false);

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  inputs: properties,
  outputs: properties,
  external: flag,
  delete: flag,
  pendingReplacement: flag,
  initErrors: z.array(z.string()).default([]),
});

export type Resource = z.infer<typeof resource>;

const exported = z.object({ deployment: z.object({ resources: z.array(resource).nullish() }) });

/** Throws if the export has another form. */
export function resourcesIn(source: unknown): Resource[] {
  const { deployment } = parse(exported, source, ({ path, reason }) => {
    return new Error(`The source isn't an export of a Pulumi stack: its ${path} ${reason}.`);
  });
  return deployment.resources ?? [];
}

export function isSecret(value: unknown): value is JsonObject {
  return isObject(value) && value[signatureKey] === secretSignature;
}

/** Whether the export was made without `--show-secrets`. */
export function hasEncrypted(value: unknown): boolean {
  return (isSecret(value) && !("plaintext" in value)) || partsOf(value).some(hasEncrypted);
}

export function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** The outputs with the values of secrets in the place of their marks. */
export function plain(outputs: JsonObject): JsonObject {
  const text = JSON.stringify(outputs, (_, value: unknown): unknown => {
    return isSecret(value) && typeof value["plaintext"] === "string" ? JSON.parse(value["plaintext"]) : value;
  });
  const copy: unknown = JSON.parse(text);
  return isObject(copy) ? copy : {};
}
