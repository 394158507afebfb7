/** Adds what a program declares, and what its resources have in their states, to the facts. Finds problems for the preview. */
import { namesOf, withCode, type GroupName } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import type { ValidationIssue } from "../../validation";
import { isUnknown } from "../../values";
import { connectionIn } from "../arguments";
import type { CheckRequest, Deployment } from "../lifecycle";
import { decideDeclaration, declarationOf, hasOtherValues } from "./decisions";
import { keyOf, type Declared, type GroupFields, type Seen } from "./facts";

/** check: the program declares groups. Returns an issue for those that another resource declares. Error: setting-invalid. */
export function declareGroups(
  { resource, olds, news }: CheckRequest,
  groups: readonly (readonly [userGroupId: string, values: GroupFields])[],
  { facts, logger, sources }: Deployment,
): ValidationIssue[] {
  const connection = connectionIn(news);
  readPartialSettings(sources, connection);
  facts.noteProgram();
  if (isUnknown(news["connection"])) return [];
  const isFresh = Object.keys(olds).length === 0;
  const found = groups.map(([userGroupId, values]) => {
    const key = keyOf(connection, userGroupId);
    const fact: Declared = { kind: "declared", resource, values, isFresh };
    const problems = decideDeclaration(facts, key, fact);
    facts.add(key, fact);
    return { userGroupId, connection, ...problems };
  });
  const removed = found.filter(({ isRemovedBefore }) => isRemovedBefore);
  const moved = found.filter(({ isMovedWithChanges }) => isMovedWithChanges);
  const twice = found.filter(({ isDeclaredTwice }) => isDeclaredTwice);
  warnOf(removedBefore, removed, logger);
  warnOf(movedWithChanges, moved, logger);
  if (twice.length === 0) return [];
  const sentence =
    `Another resource of this program also declares ${namesOf(twice)}, by the same connection. Both resources would have ` +
    "the same token, and one mapping would be wrong. Declare the group once, and read it elsewhere by UserGroup.get.";
  return [{ path: "", reason: withCode("declared-twice", sentence) }];
}

/** diff: a resource of the program has groups in its state. */
export function recordGroups(groups: readonly Seen[], deployment: Deployment, connection?: string) {
  const { facts, logger } = deployment;
  const moved = groups.filter((fact) => {
    const key = keyOf(connection, fact.group.userGroupId);
    facts.add(key, fact);
    const declared = declarationOf(facts, key);
    const isHeld = facts.of(key).some(({ kind }) => kind === "held");
    return fact.kind === "leaving" && declared && !isHeld && hasOtherValues(declared.values, fact.group);
  });
  const names = moved.map(({ group }) => ({ userGroupId: group.userGroupId, connection }));
  warnOf(movedWithChanges, names, logger);
}

function warnOf(sentence: string, groups: readonly GroupName[], logger: Deployment["logger"]): void {
  if (groups.length > 0) logger.warn(`${sentence}: ${namesOf(groups)}.`);
}

/** An update of a `UserGroups` deletes removed groups at once. The engine deletes removed resources at the end. */
const removedBefore =
  "Another resource of this program removes groups in the same update. If the engine updates it before this resource is " +
  "declared, the groups are deleted and get new tokens. To keep the tokens, let the other resource depend on this one " +
  '(option dependsOn), or set its removed to "retain"';

const movedWithChanges =
  "Groups move to another resource of this program with another name, mapping, properties or keepers. This fails " +
  "(mapping-conflict), except if the former resource has deleted them by then. Move them with their former values, and change " +
  "the values in a later update";
