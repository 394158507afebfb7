/** The groups in a source, whose form its content shows, and the checks of all groups together. */
import { getOrAdd, isObject, type JsonObject } from "../../values";
import { hasProtoKey } from "../../validation";
import { normalizedAddress } from "../../settings/serviceAddress";
import type { FoundGroup, Reading } from "./foundGroup";
import { groupsInJson } from "./jsonGroups";
import { groupsInPulumiExport, isPulumiExport } from "./pulumiExport";
import { groupsInTerraformState, isTerraformState } from "./terraformState";

export interface Source {
  readonly groups: readonly FoundGroup[];
  /** Sentences about what isn't a group to import. */
  readonly leftOut: readonly string[];
}

/** Throws if the text has no valid groups of the service at one of `addresses`, with all issues in one message. */
export function readGroups(text: string, addresses: readonly string[]): Source {
  const readings = readingsOf(text);
  const groups = readings.flatMap((reading) => (reading.is === "group" ? reading.found : []));
  const invalid = readings.flatMap((each) => (each.is === "invalid" ? `${each.place} ${each.reason}` : []));
  const issues = [...invalid, ...repeated(groups), ...elsewhere(groups, addresses)];
  if (issues.length > 0)
    throw new Error(`No file was written, because the source is invalid:\n${listOf(issues)}`);
  const leftOut = readings.flatMap((each) => (each.is === "left out" ? `${each.place} ${each.reason}` : []));
  if (groups.length > 0) return { groups, leftOut };
  const others = leftOut.length > 0 ? ` These resources are left out:\n${listOf(leftOut)}` : "";
  throw new Error(`No file was written, because the source has no user groups.${others}`);
}

/** Indented lines, and the number of further ones. */
export function listOf(sentences: readonly string[]): string {
  const shown = sentences.slice(0, 20).map((sentence) => `  ${sentence}`);
  const more = sentences.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

function readingsOf(text: string): Reading[] {
  const source = parsed(text);
  if (hasProtoKey(text))
    throw new Error(
      'No file was written, because the source has the key "__proto__", which no mapping or properties can have.',
    );
  if (isPulumiExport(source)) return groupsInPulumiExport(source);
  if (isTerraformState(source)) return groupsInTerraformState(source);
  if ("encrypted_data" in source)
    throw new Error("The source is an encrypted state. Pass the output of tofu state pull instead.");
  if ("format_version" in source)
    throw new Error("The source is the output of show -json. Pass the output of state pull instead.");
  return groupsInJson(source, text);
}

/** The messages of `JSON.parse` quote the text. */
function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The error below says it.
  }
  throw new Error(
    "The source isn't a JSON object: a state of Terraform or OpenTofu, the output of pulumi stack export, or userGroupId → group.",
  );
}

function repeated(groups: readonly FoundGroup[]): string[] {
  const places = {
    "the same userGroupId": new Map<string, string>(),
    "the same token": new Map<string, string>(),
  };
  return groups.flatMap(({ place, group: { userGroupId, token } }) => {
    const keys = { "the same userGroupId": userGroupId, "the same token": token };
    return (["the same userGroupId", "the same token"] as const).flatMap((what) => {
      const first = getOrAdd(places[what], keys[what], () => place);
      return first === place ? [] : [`${place} has ${what} as ${first}`];
    });
  });
}

/** Groups of another service, where equal IDs are other groups. */
function elsewhere(groups: readonly FoundGroup[], addresses: readonly string[]): string[] {
  return groups.flatMap(({ place, baseUrl }) => {
    if (baseUrl === undefined || addresses.includes(normalizedAddress(baseUrl))) return [];
    return `${place} belongs to the service at ${normalizedAddress(baseUrl)}, but the setting baseUrl is ${addresses[0]}`;
  });
}
