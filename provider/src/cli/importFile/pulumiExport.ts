/** Groups in the output of `pulumi stack export --show-secrets`, of dynamic resources or of the plugin. */
import * as z from "zod";
import { UserGroupError } from "../../errors";
import { jsonText, parse } from "../../validation";
import { isObject, own, secretSignature, signatureKey, type JsonObject } from "../../values";
import { groupsInState, kindOf, valueFields } from "./coreState";
import { group, invalid, leftOut, type Reading } from "./foundGroup";

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

type Resource = z.infer<typeof resource>;
export type ExportedResource = Readonly<Resource>;

const operation = z.object({ resource: resource.pick({ urn: true, type: true }) });

const exported = z.object({
  deployment: z.object({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(operation).nullish(),
  }),
});

export function isPulumiExport(source: JsonObject): boolean {
  return isObject(source["deployment"]);
}

/** Throws if the export has another form. */
export function groupsInPulumiExport(source: JsonObject): Reading[] {
  const { resources, pending_operations: pending } = deploymentIn(exported, source);
  const interrupted = new Set(pending?.flatMap(({ resource: { urn, type } }) => (kindOf(type) ? urn : [])));
  const reason =
    "has an operation that was interrupted: run pulumi refresh, then pulumi up, in its stack first";
  return [
    ...[...interrupted].map((urn) => invalid(urn, reason)),
    ...(resources ?? []).filter(({ urn }) => !interrupted.has(urn)).flatMap(groupsIn),
  ];
}

/** All resources in the text of an export. Throws if it has another form. */
export function resourcesInExport(text: string): ExportedResource[] {
  return deploymentIn(jsonText("is not JSON").pipe(exported), text).resources ?? [];
}

type Deployment = z.infer<typeof exported>["deployment"];

function deploymentIn(schema: z.ZodType<z.infer<typeof exported>>, source: unknown): Deployment {
  const { deployment } = parse(schema, source, ({ path, reason }) => {
    return new Error(`The source isn't an export of a Pulumi stack: its ${path || "text"} ${reason}.`);
  });
  return deployment;
}

function groupsIn(resource: Resource): Reading[] {
  const { urn: place, id, outputs } = resource;
  const kind = kindOf(resource.type);
  if (kind === undefined) return [];
  const reason = reasonToLeaveOut(resource);
  if (reason !== undefined) return [leftOut(place, reason)];
  if (resource.initErrors.length > 0)
    return [invalid(place, "has a failure of its last update: run pulumi up in its stack first")];
  if (hasEncrypted(outputs))
    return [invalid(place, "is encrypted: export the stack with --show-secrets, or pipe it from there")];
  try {
    const { groups, shared, baseUrl } = groupsInState(kind, id, plain(outputs));
    const isSingle = kind === "userGroup";
    return groups.map((each) => {
      const secretFields = secretFieldsOf(resource, isSingle ? undefined : each.userGroupId);
      const name = isSingle ? { resourceName: nameOf(place) } : {};
      return group({ place, group: each, isMappingKnown: true, secretFields, baseUrl, shared, ...name });
    });
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return [invalid(place, `can't be read. ${error.sentence}`)];
  }
}

function reasonToLeaveOut(resource: Resource): string | undefined {
  if (resource.external) return "is a lookup, and its stack doesn't own the group";
  if (resource.delete) return "is to be deleted by the next pulumi up of its stack";
  if (resource.pendingReplacement) return "was deleted by a replacement that didn't end";
  return undefined;
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** The secret fields of a `UserGroup`, or of a group in a `UserGroups`. `userGroupId`: of the latter. */
function secretFieldsOf({ inputs, outputs }: Resource, userGroupId?: string): readonly string[] {
  const entries = [inputs, outputs].map((values) => {
    return userGroupId === undefined ? values : entryOf(values["groups"], userGroupId);
  });
  if (entries.some(isSecret)) return valueFields;
  const isIn = (entry: unknown, field: string) => isObject(entry) && hasSecret(entry[field]);
  return valueFields.filter((field) => entries.some((entry) => isIn(entry, field)));
}

/** All groups, if they are secret as a whole. */
function entryOf(groups: unknown, userGroupId: string): unknown {
  return isObject(groups) && !isSecret(groups) ? own(groups, userGroupId) : groups;
}

function isSecret(value: unknown): value is JsonObject {
  return isObject(value) && value[signatureKey] === secretSignature;
}

function hasSecret(value: unknown): boolean {
  return isSecret(value) || partsOf(value).some(hasSecret);
}

/** Whether a part of the value is a secret that the export doesn't show. */
export function hasEncrypted(value: unknown): boolean {
  return (isSecret(value) && !("plaintext" in value)) || partsOf(value).some(hasEncrypted);
}

function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** The messages of `JSON.parse` quote the text. */
function secretIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("A secret of the export isn't JSON, so somebody edited it. Export the stack again.");
  }
}

/** The outputs with the values of secrets in the place of their marks. */
export function plain(outputs: JsonObject): JsonObject {
  const text = JSON.stringify(outputs, (_, value: unknown): unknown => {
    return isSecret(value) && typeof value["plaintext"] === "string" ? secretIn(value["plaintext"]) : value;
  });
  const copy: unknown = JSON.parse(text);
  return isObject(copy) ? copy : {};
}
