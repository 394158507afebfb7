/** Found groups → the resources of a file for `pulumi import`, and the `groups` of a program that declares them. */
import { markedInternal, secretOutputs } from "../../adapters/results";
import { groupArguments, userGroupsArguments } from "../../core/arguments";
import { sizeIssues } from "../../core/resource/sizeLimit";
import type { SharedArguments, State } from "../../core/state/shapes";
import { providerText } from "../../resources/providerText";
import { findIssues, type ValidationIssue } from "../../validation";
import { providerKey, secretSignature, signatureKey, type JsonObject } from "../../values";
import { shapes, types, type Kind } from "../stackExport";
import type { FoundGroup } from "./readGroups";

/** The form of the new resources, and the address of their service. */
export interface Target {
  readonly isPlugin: boolean;
  readonly baseUrl: string;
}

/** A `UserGroup` for each group, with the name that it has in its stack. Throws if the preview would refuse the groups. */
export function eachAsResource(found: readonly FoundGroup[], target: Target) {
  assertDeclarable({ groups: groupsOfProgram(found) });
  return found.map((each) => {
    const isSingle = each.from?.kind === "userGroup";
    const name = isSingle ? each.from.name : each.group.userGroupId;
    return resource("userGroup", name, [each], isSingle ? each.from.state : {}, target);
  });
}

/** One `UserGroups`, with the arguments of the one that has all groups in the source. Throws if the preview would refuse the groups. */
export function allAsOneResource(name: string, found: readonly FoundGroup[], target: Target) {
  const from = found[0]?.from;
  const isOne = from?.kind === "userGroups" && found.every((each) => each.from === from);
  const args = { groups: groupsOfProgram(found) };
  assertDeclarable(args, sizeIssues(args));
  return resource("userGroups", name, found, isOne ? from.state : {}, target);
}

/** Throws the first issue of the arguments, or of these others. */
function assertDeclarable(args: JsonObject, others: readonly ValidationIssue[] = []): void {
  const issue = [...findIssues(userGroupsArguments, args), ...others].at(0);
  if (issue) throw new Error(`No file was written: the argument ${issue.path} ${issue.reason}`);
}

/** userGroupId → arguments, in plain text. */
export function groupsOfProgram(found: readonly FoundGroup[]): unknown {
  return shapes.userGroups.inputsOf({ groups: byId(found) })["groups"];
}

function byId(found: readonly FoundGroup[]): State["groups"] {
  return new Map(found.map(({ group }) => [group.userGroupId, group]));
}

function resource(
  kind: Kind,
  name: string,
  found: readonly FoundGroup[],
  { adopt, overlap, overlapHours, removed, deletionLimit }: SharedArguments,
  { isPlugin, baseUrl }: Target,
) {
  const groups = byId(found);
  const shared: Required<SharedArguments> = { adopt, overlap, overlapHours, removed, deletionLimit };
  const state: State = { ...shared, baseUrl, groups };
  const hasSecrets = found.some(({ from }) => from?.isSecret);
  const secrets = [...secretOutputs, ...(hasSecrets ? valueFields : [])];
  const provider = isPlugin ? {} : { [providerKey]: providerText(kind) };
  return {
    type: types[kind][isPlugin ? "plugin" : "dynamic"],
    name,
    id: kind === "userGroup" ? (found[0]?.group.userGroupId ?? "") : "user-groups",
    inputs: { ...withSecrets(shapes[kind].inputsOf(state), secrets), ...provider },
    outputs: { ...withSecrets(shapes[kind].serializeState(state), secrets), ...provider },
  };
}

/** The values of a group, or all groups. */
const valueFields = [...Object.keys(groupArguments.omit({ userGroupId: true }).shape), "groups"];

/** Values as the engine reads them from a file, to be encrypted in the state. */
function withSecrets(values: JsonObject, secrets: readonly string[]): JsonObject {
  const entries = Object.entries(values).map(([field, value]) => {
    if (field === "internal") return [field, markedInternal(value, inPlaintext)] as const;
    const isSecret = secrets.includes(field) && value !== undefined;
    return [field, isSecret ? inPlaintext(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function inPlaintext(value: unknown): JsonObject {
  return { [signatureKey]: secretSignature, plaintext: JSON.stringify(value) };
}
