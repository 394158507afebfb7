/** The only file of this command that knows the shape of a state. The core reads and writes it. */
import { secretOutputs } from "../../adapter/results";
import { userGroupArguments, userGroupsArguments } from "../../core/arguments";
import { sizeIssues } from "../../core/set/sizeLimit";
import {
  userGroupShape,
  userGroupsShape,
  type Shape,
  type SharedArguments,
  type State,
} from "../../core/state/shapes";
import type { StoredGroup } from "../../core/state/group";
import { providerText } from "../../resources/providerText";
import { findIssues, type ValidationIssue } from "../../validation";
import { providerKey, secretSignature, signatureKey, type JsonObject } from "../../values";

export type { StoredGroup };

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

const shapes: Record<Kind, Shape> = { userGroup: userGroupShape, userGroups: userGroupsShape };

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

export type Kind = keyof typeof types;

/** Undefined: another resource. */
export function kindOf(type: string): Kind | undefined {
  const kinds = ["userGroup", "userGroups"] as const;
  return kinds.find((kind) => Object.values(types[kind]).some((each) => each === type));
}

export function hasArgument(kind: Kind, name: string): boolean {
  const { shape } = kind === "userGroup" ? userGroupArguments : userGroupsArguments;
  return Object.hasOwn(shape, name);
}

/** The arguments of a group beside its ID. */
export const valueFields = Object.keys(
  userGroupArguments.omit({
    userGroupId: true,
    adopt: true,
    connection: true,
    overlap: true,
    overlapHours: true,
  }).shape,
);

/** Values that a source knows. Their group counts as adopted. What the source doesn't know is unknown in the state, too. */
export function adoptedGroup(
  values: Omit<StoredGroup, "adopted" | "providedId"> & { readonly providedId?: string },
  isMappingKnown = true,
): StoredGroup {
  const { providedId = values.userGroupId } = values;
  return { ...values, providedId, adopted: true, ...(isMappingKnown ? {} : { unknown: ["mapping"] }) };
}

/** The first argument of a group that the preview would refuse. */
export function argumentIssue(values: JsonObject): ValidationIssue | undefined {
  return findIssues(userGroupArguments, values)[0];
}

/** The groups in the outputs of a resource, and its other arguments. Error: state-invalid. */
export function groupsInState(kind: Kind, id: string, outputs: JsonObject) {
  const { groups, connection, account, baseUrl, incomplete, lookup, ...shared } = shapes[kind].parseState(
    id,
    outputs,
  );
  return { groups: [...groups.values()].map((group) => adoptedGroup(group)), shared, baseUrl };
}

export function userGroupResource(
  name: string,
  group: StoredGroup,
  { adopt, overlap, overlapHours }: SharedArguments,
  target: Target,
): ImportedResource {
  return resource("userGroup", name, group.userGroupId, [group], { adopt, overlap, overlapHours }, target);
}

export function userGroupsResource(
  name: string,
  groups: readonly StoredGroup[],
  shared: SharedArguments,
  target: Target,
): ImportedResource {
  return resource("userGroups", name, "user-groups", groups, shared, target);
}

/** An issue of all groups together. */
export function userGroupsIssue({ inputs }: ImportedResource): ValidationIssue | undefined {
  const { [providerKey]: _, ...args } = inputs;
  return [...findIssues(userGroupsArguments, args), ...sizeIssues(args)][0];
}

/** A value as the engine reads it from a file, to be encrypted in the state. */
export function secretInFile(value: unknown): JsonObject {
  return { [signatureKey]: secretSignature, plaintext: JSON.stringify(value) };
}

/** The plugin has no argument `connection`. */
function resource(
  kind: Kind,
  name: string,
  id: string,
  groups: readonly StoredGroup[],
  shared: SharedArguments,
  { isPlugin, connection, baseUrl }: Target,
): ImportedResource {
  const byId = new Map(groups.map((group) => [group.userGroupId, group]));
  const state: State = { ...shared, ...(isPlugin ? {} : { connection }), baseUrl, groups: byId };
  const outputs = Object.entries(shapes[kind].stateOf(state)).map(([key, value]) => {
    const isSecret = value !== undefined && secretOutputs.includes(key);
    return [key, isSecret ? secretInFile(value) : value] as const;
  });
  const provider = isPlugin ? {} : { [providerKey]: providerText(kind) };
  return {
    type: types[kind][isPlugin ? "plugin" : "dynamic"],
    name,
    id,
    inputs: { ...shapes[kind].inputsOf(state), ...provider },
    outputs: { ...Object.fromEntries(outputs), ...provider },
  };
}
