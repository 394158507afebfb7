/** The only file of this command that knows the shape of a state. The core reads and writes it. */
import { secretOutputs } from "../../adapter/results";
import { userGroupArguments, userGroupsArguments } from "../../core/arguments";
import type { RecordedGroup } from "../../core/group/recordedGroup";
import { parseUserGroup, parseUserGroups, userGroupResult, userGroupsResult } from "../../core/state";
import { sizeIssues } from "../../core/userGroups/sizeLimit";
import { providerText } from "../../resources/providerText";
import { findIssues, type ValidationIssue } from "../../validation";
import { isObject, providerKey, secretSignature, signatureKey, type JsonObject } from "../../values";

export type StoredGroup = RecordedGroup;

/** A resource of an import file of the engine. */
export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** The form of the new resources, and the address of their service. */
export interface Target {
  readonly isPlugin: boolean;
  readonly baseUrl: string;
  readonly connection?: string | undefined;
}

const types = {
  userGroup: {
    dynamic: "pulumi-nodejs:dynamic/user-groups:UserGroup",
    plugin: "user-groups:index:UserGroup",
  },
  userGroups: {
    dynamic: "pulumi-nodejs:dynamic/user-groups:UserGroups",
    plugin: "user-groups:index:UserGroups",
  },
} as const;

type Kind = keyof typeof types;

/** Undefined: another resource. */
export function kindOf(type: string): Kind | undefined {
  const kinds = ["userGroup", "userGroups"] as const;
  return kinds.find((kind) => Object.values(types[kind]).some((each) => each === type));
}

/** The arguments of a group beside its ID. */
export const valueFields = Object.keys(
  userGroupArguments.omit({ userGroupId: true, adopt: true, connection: true }).shape,
);

/** Values that a source knows. Their group counts as adopted. */
export function adoptedGroup(values: Omit<StoredGroup, "adopted">): StoredGroup {
  return { ...values, adopted: true };
}

/** The first argument of a group that the preview would refuse. */
export function argumentIssue(values: JsonObject): ValidationIssue | undefined {
  return findIssues(userGroupArguments, values)[0];
}

/** The groups in the outputs of a resource, and its other arguments. Error: state-invalid. */
export function groupsInState(kind: Kind, id: string, outputs: JsonObject) {
  if (kind === "userGroup") {
    const { group, adopt, baseUrl } = parseUserGroup(id, outputs);
    return { groups: [adoptedGroup(group)], shared: { adopt }, baseUrl };
  }
  const { groups, adopt, removed, deletionLimit, baseUrl } = parseUserGroups(outputs);
  return {
    groups: [...groups.values()].map(adoptedGroup),
    shared: { adopt, removed, deletionLimit },
    baseUrl,
  };
}

export function userGroupResource(name: string, group: StoredGroup, shared: JsonObject, target: Target) {
  const { connection, baseUrl, isPlugin } = target;
  const adopt = typeof shared["adopt"] === "boolean" ? shared["adopt"] : undefined;
  const { id, state, inputs } = userGroupResult(group, isPlugin ? { adopt } : { adopt, connection }, baseUrl);
  return resource("userGroup", name, id, inputs, state, target);
}

export function userGroupsResource(
  name: string,
  groups: readonly StoredGroup[],
  shared: JsonObject,
  target: Target,
) {
  const { connection, baseUrl, isPlugin } = target;
  const byId = new Map(groups.map((group) => [group.userGroupId, group]));
  const { state, inputs } = userGroupsResult(byId, isPlugin ? shared : { ...shared, connection }, baseUrl);
  return resource("userGroups", name, "user-groups", inputs, state, target);
}

/** An issue of all groups together. */
export function userGroupsIssue({ inputs }: ImportedResource): ValidationIssue | undefined {
  const { [providerKey]: _, ...args } = inputs;
  const groups = isObject(args["groups"]) ? args["groups"] : {};
  return [...findIssues(userGroupsArguments, args), ...sizeIssues(groups)][0];
}

/** A value as the engine reads it from a file, to be encrypted in the state. */
export function secretInFile(value: unknown): JsonObject {
  return { [signatureKey]: secretSignature, plaintext: JSON.stringify(value) };
}

function resource(
  kind: Kind,
  name: string,
  id: string,
  inputs: JsonObject,
  state: JsonObject,
  { isPlugin }: Target,
): ImportedResource {
  const outputs = Object.entries(state).map(([key, value]) => {
    const isSecret = value !== undefined && secretOutputs.includes(key);
    return [key, isSecret ? secretInFile(value) : value] as const;
  });
  const provider = isPlugin ? {} : { [providerKey]: providerText(kind) };
  return {
    type: types[kind][isPlugin ? "plugin" : "dynamic"],
    name,
    id,
    inputs: { ...inputs, ...provider },
    outputs: { ...Object.fromEntries(outputs), ...provider },
  };
}
