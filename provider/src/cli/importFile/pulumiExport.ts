/** Groups in the output of `pulumi stack export --show-secrets`, of dynamic resources or of the plugin. */
import { UserGroupError } from "../../errors";
import { isObject, own, type JsonObject } from "../../values";
import { hasEncrypted, isSecret, partsOf, plain, resourcesIn, type Resource } from "../stackExport";
import { groupsInState, kindOf, valueFields } from "./coreState";
import { group, invalid, leftOut, type Reading } from "./foundGroup";

export function isPulumiExport(source: JsonObject): boolean {
  return isObject(source["deployment"]);
}

/** Throws if the export has another form. */
export function groupsInPulumiExport(source: JsonObject): Reading[] {
  return resourcesIn(source).flatMap(groupsIn);
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

function hasSecret(value: unknown): boolean {
  return isSecret(value) || partsOf(value).some(hasSecret);
}
