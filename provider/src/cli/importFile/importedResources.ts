/** Found groups → the resources of the import file, and the `groups` of a program that declares them. */
import { isObject, own, type JsonObject } from "../../values";
import {
  secretInFile,
  userGroupResource,
  userGroupsIssue,
  userGroupsResource,
  type ImportedResource,
  type Target,
} from "./coreState";
import type { FoundGroup } from "./foundGroup";

/** Throws if two resources would have the same name. */
export function eachAsResource(found: readonly FoundGroup[], target: Target): ImportedResource[] {
  const names = new Set<string>();
  return found.map(({ place, group, resourceName = group.userGroupId, shared = {}, secretFields = [] }) => {
    if (names.size === names.add(resourceName).size)
      throw new Error(
        `No file was written, because ${place} has the name of another resource: ${JSON.stringify(resourceName)}.`,
      );
    const { inputs, outputs, ...others } = userGroupResource(resourceName, group, shared, target);
    const hidden = (values: JsonObject) => withSecrets(values, secretFields);
    return { ...others, inputs: hidden(inputs), outputs: hidden(outputs) };
  });
}

/** Throws if the preview would refuse the groups. */
export function allAsOneResource(
  name: string,
  found: readonly FoundGroup[],
  target: Target,
): ImportedResource {
  const groups = found.map(({ group }) => group);
  const resource = userGroupsResource(name, groups, sharedOf(found), target);
  const issue = userGroupsIssue(resource);
  if (issue) throw new Error(`No file was written: the argument ${issue.path} ${issue.reason}`);
  const hidden = (values: JsonObject) => ({ ...values, groups: withSecretEntries(values["groups"], found) });
  return { ...resource, inputs: hidden(resource.inputs), outputs: hidden(resource.outputs) };
}

/** userGroupId → arguments, in plain text. */
export function groupsOfProgram(found: readonly FoundGroup[], target: Target): unknown {
  const groups = found.map(({ group }) => group);
  return userGroupsResource("groups", groups, {}, target).inputs["groups"];
}

/** The other arguments, if one resource of the source has all groups. */
function sharedOf([first, ...others]: readonly FoundGroup[]): JsonObject {
  const isOne = first?.resourceName === undefined && others.every(({ shared }) => shared === first?.shared);
  return isOne ? (first?.shared ?? {}) : {};
}

function withSecretEntries(groups: unknown, found: readonly FoundGroup[]): JsonObject {
  const copy = { ...(isObject(groups) ? groups : {}) };
  for (const { group, secretFields = [] } of found) {
    const entry = own(copy, group.userGroupId);
    if (isObject(entry) && secretFields.length > 0)
      copy[group.userGroupId] = withSecrets(entry, secretFields);
  }
  return copy;
}

function withSecrets(values: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const isSecret = fields.includes(field) && value !== undefined;
      return [field, isSecret ? secretInFile(value) : value];
    }),
  );
}
