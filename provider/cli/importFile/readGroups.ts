/**
 * The groups in a source, whose form its content shows: a state of OpenTofu or Terraform, in which Mastercard/restapi stores the requests
 * and responses of its resources; the export of a Pulumi stack; or a JSON object of userGroupId → group. What a source can't know is
 * unknown in the state, too.
 */
import * as z from "zod";
import { groupArguments } from "../../core/arguments";
import type { State } from "../../core/state/shapes";
import { unknowableFields, type StoredGroup } from "../../core/state/group";
import { getOrCreateResponse } from "../../service/contract";
import { normalizedAddress } from "../../settings/serviceAddress";
import { escaped, quoted } from "../../text";
import { findIssues, hasProtoKey, jsonText, parse, repeatedKeys } from "../../validation";
import { getOrAdd, isObject, withoutNulls, type JsonObject } from "../../values";
import { messageOf } from "../command";
import { hasSecret, kindOf, readExport, stateOf, type ExportedResource, type Kind } from "../stackExport";

/** A group as its owner before knew it. */
export interface FoundGroup {
  /** The resource, for messages. */
  readonly place: string;
  readonly group: StoredGroup;
  /** That of a Pulumi stack. Groups of one resource have the same object. `isSecret`: one value at least, so all count as secret. */
  readonly from?: { kind: Kind; name: string; state: State; isSecret: boolean };
}

/** `reason`: the end of a sentence whose subject is the place. */
type Reading =
  | { readonly is: "group"; readonly found: FoundGroup }
  | { readonly is: "left out"; readonly place: string; readonly reason: string }
  | { readonly is: "invalid"; readonly place: string; readonly reason: string };

const leftOut = (place: string, reason: string): Reading => ({ is: "left out", place, reason });
const invalid = (place: string, reason: string): Reading => ({ is: "invalid", place, reason });

/**
 * The groups of the service at this address, and sentences about what isn't a group to import. Throws if there is none, or an invalid one,
 * with all issues in one message.
 */
export function readGroups(text: string, baseUrl: string) {
  const readings = readingsOf(text, baseUrl);
  const groups = readings.flatMap((reading) => (reading.is === "group" ? reading.found : []));
  const issues = [...sentences(readings, "invalid"), ...repeated(groups)];
  if (issues.length > 0)
    throw new Error(`No file was written, because the source is invalid:\n${listOf(issues)}`);
  const others = sentences(readings, "left out");
  if (groups.length > 0) return { groups, others };
  const note = others.length > 0 ? ` These resources are left out:\n${listOf(others)}` : "";
  throw new Error(
    `No file was written, because the source has no user groups. (Of Terraform, restapi_object is read. Pass others as JSON.)${note}`,
  );
}

/** Indented lines, and the number of further ones. */
export function listOf(all: readonly string[]): string {
  const shown = all.slice(0, 20).map((sentence) => `  ${escaped(sentence)}`);
  if (all.length > shown.length) shown.push(`  and ${all.length - shown.length} more`);
  return shown.join("\n");
}

function sentences(readings: readonly Reading[], kind: "invalid" | "left out"): string[] {
  return readings.flatMap((each) => (each.is === kind ? `${each.place} ${each.reason}` : []));
}

function repeated(groups: readonly FoundGroup[]): string[] {
  const places = new Map<string, string>();
  return groups.flatMap(({ place, group: { userGroupId, token } }) => {
    const keys = { "the same userGroupId": `ID ${userGroupId}`, "the same token": `token ${token}` };
    return Object.entries(keys).flatMap(([what, key]) => {
      const first = getOrAdd(places, key, () => place);
      return first === place ? [] : `${place} has ${what} as ${first}`;
    });
  });
}

function readingsOf(text: string, baseUrl: string): Reading[] {
  const source = jsonText("").safeParse(text).data;
  if (!isObject(source))
    throw new Error(
      "The source isn't a JSON object: a state of Terraform or OpenTofu, the output of pulumi stack export, or userGroupId → group.",
    );
  if (hasProtoKey(text))
    throw new Error(
      'No file was written, because the source has the key "__proto__", which no mapping or properties can have.',
    );
  if ("deployment" in source) return readingsOfStack(text, baseUrl);
  if (Array.isArray(source["resources"]) && "version" in source) return readingsOfTerraform(source);
  if ("encrypted_data" in source || "format_version" in source)
    throw new Error(
      "The source is an encrypted state, or the output of show -json. Pass the output of tofu state pull instead.",
    );
  return readingsOfJson(source, text);
}

/** The state of a group. `known`: the fields that its source knows; the others weren't imported. */
function adopted(
  values: Omit<StoredGroup, "adopted" | "providedId" | "notImported">,
  known: readonly string[],
): StoredGroup {
  const notImported = unknowableFields.filter((field) => !known.includes(field));
  const group = { ...values, providedId: values.userGroupId, adopted: true };
  return notImported.length > 0 ? { ...group, notImported } : group;
}

function invalidValues(place: string, schema: z.ZodType, values: unknown): Reading {
  const [issue] = findIssues(schema, values);
  return invalid(place, `is invalid: its ${issue?.path} ${issue?.reason}`);
}

const { token } = getOrCreateResponse.shape.user_group.shape;
const entry = groupArguments.extend({ token });

function readingsOfJson(source: JsonObject, text: string): Reading[] {
  const readings = Object.entries(source).map(([userGroupId, values]): Reading => {
    const place = quoted(userGroupId);
    if (!isObject(values)) return invalid(place, "must be an object with name and token");
    const given = { ...values, userGroupId };
    const { data } = entry.safeParse(given);
    if (!data) return invalidValues(place, entry, given);
    return { is: "group", found: { place, group: adopted(data, Object.keys(given)) } };
  });
  return [...repeatedKeys(text).map((key) => invalid(quoted(key), "is in one object twice")), ...readings];
}

function readingsOfStack(text: string, baseUrl: string): Reading[] {
  const { resources, interrupted } = readExport(text);
  if (interrupted.length > 0)
    throw new Error(
      `The stack has operations that were interrupted, such as that of ${escaped(String(interrupted[0]))}. Run pulumi refresh, then pulumi up, there first.`,
    );
  return resources.flatMap((resource) => inResource(resource, baseUrl));
}

function inResource(resource: ExportedResource, service: string): Reading[] {
  const { urn: place, type, initErrors } = resource;
  const kind = kindOf(type);
  if (kind === undefined) return [];
  if (resource.external) return [leftOut(place, "is a lookup, and its stack doesn't own the group")];
  if (resource.delete || resource.pendingReplacement)
    return [leftOut(place, "is to be deleted, or was deleted, by a replacement")];
  if (initErrors.length > 0)
    return [invalid(place, "has a failure of its last update: run pulumi up in its stack first")];
  try {
    const state = stateOf(resource);
    const recorded = normalizedAddress(state.baseUrl ?? service);
    if (recorded !== service)
      return [invalid(place, `belongs to the service at ${recorded}, but the setting baseUrl is ${service}`)];
    const name = place.slice(place.lastIndexOf("::") + 2);
    const from = { kind, name, state, isSecret: hasSecretValue(resource) };
    return [...state.groups.values()].map((group) => {
      return { is: "group", found: { place, group: { ...group, adopted: true }, from } };
    });
  } catch (error) {
    return [invalid(place, messageOf(error).replace(`${escaped(place)} `, ""))];
  }
}

/** Outputs such as the token are always secrets. */
function hasSecretValue({ inputs, outputs }: ExportedResource): boolean {
  const fields = [...Object.keys(groupArguments.shape), "groups"];
  return fields.some((field) => hasSecret(inputs[field]) || hasSecret(outputs[field]));
}

const instance = z.object({
  index_key: z.union([z.string(), z.number()]).nullish(),
  deposed: z.string().nullish(),
  status: z.string().nullish(),
  attributes: z.record(z.string(), z.unknown()).default({}),
});
const names = { module: z.string().default(""), mode: z.string(), type: z.string(), name: z.string() };
const resource = z.object({ ...names, instances: z.array(instance).default([]) });
const stateFile = z.object({ version: z.literal(4, "must be 4"), resources: z.array(resource) });

function readingsOfTerraform(source: JsonObject): Reading[] {
  const { resources } = parse(stateFile, source, ({ path, reason }) => {
    return new Error(`The source isn't a state of Terraform or OpenTofu: its ${path} ${reason}.`);
  });
  const fitting = resources.filter(({ type }) => type === "restapi_object");
  return fitting.flatMap(({ instances, module, mode, type, name }) =>
    instances.map(({ index_key: key, deposed, status, attributes }) => {
      const address = [module, type, name].filter((word) => word !== "").join(".");
      const place = key == null ? address : `${address}[${JSON.stringify(key)}]`;
      if (mode === "managed" && deposed == null && status !== "tainted")
        return inAttributes(place, attributes);
      return leftOut(place, "is a data source, tainted, or left by a replacement");
    }),
  );
}

const responseText = jsonText("must be JSON").pipe(getOrCreateResponse);

/** `data` has the request of the creation, `api_response` the last response, `destroy_data` the request of the deletion. */
function inAttributes(place: string, { data, api_response, destroy_data }: JsonObject): Reading {
  const request = objectIn(data);
  const { user_group_id: userGroupId, mapping } = request;
  if (userGroupId === undefined && !("user_group" in objectIn(api_response)))
    return leftOut(place, "isn't a user group");
  if (userGroupId === undefined || "user_group" in request)
    return invalid(place, "has no request in its data, as after a refresh with restapi 3.0: pass it as JSON");
  const response = responseText.safeParse(api_response).data?.user_group;
  if (!response) return invalidValues(`${place} has an api_response that`, responseText, api_response);
  if (response.provided_id !== userGroupId)
    return invalid(place, "has a response about another user group than its request");
  const { name, properties, token } = response;
  const { data_source_provided_id: dataSourceProvidedId } = objectIn(destroy_data);
  const given = withoutNulls({ userGroupId, name, mapping, properties, dataSourceProvidedId });
  const { data: values } = groupArguments.safeParse(given);
  if (!values) return invalidValues(place, groupArguments, given);
  return { is: "group", found: { place, group: adopted({ ...values, token }, ["mapping"]) } };
}

/** The object of a JSON text; empty for another value. */
function objectIn(text: unknown): JsonObject {
  const { data } = jsonText("").safeParse(text);
  return isObject(data) ? data : {};
}
