/** The check of a resource: what the program declares is noted first, also if it is invalid, and then validated. */
import type { GroupName } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { findIssues, type ValidationIssue } from "../../validation";
import { getOrAdd, propertiesOf, type JsonObject, type Resource } from "../../values";
import { exponentIds } from "../arguments";
import type { Deployment } from "../deployment/context";
import type { Declaration, Facts } from "../deployment/facts";
import { refusalOf } from "../deletion/moves";
import { declaredTwice, guardDropped, moveErrors, type RefusedMove } from "../messages/groupErrors";
import { exponentInId } from "../messages/warnings";
import { droppedGuards } from "../change/guards";
import { endsFormer } from "../rotation/overlap";
import type { Shape } from "../state/shapes";
import { announceCreation } from "./announce";
import { sizeIssues } from "./sizeLimit";

export interface CheckRequest {
  readonly resource: Resource;
  /** The inputs in the state; empty for a new resource, and when the engine replaces one. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
}

/** An issue ends the preview, and so the `up`. Error: setting-invalid. */
export function check(shape: Shape, request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const { resource, olds } = request;
  const { facts, logger, settings } = deployment;
  const inputs = propertiesOf(request.news);
  const wanted = shape.wantedIn(inputs);
  const { groups = new Map<string, JsonObject>(), overlap, removed, deletionLimit } = wanted;
  const names = [...groups.keys()].map((userGroupId) => ({ userGroupId }));
  const customers = [...groups].map(([userGroupId, values]) => {
    return [userGroupId, { values, overlap, endsFormer: endsFormer(wanted, values) }] as const;
  });
  const isStateShown = Object.keys(olds).length > 0;
  const isNew = !isStateShown && !facts.knows(resource);
  // An option that replaces the resource leads to a second check, without a state.
  const dropped = isStateShown ? droppedGuards(olds, wanted) : (facts.guardsOf(resource)?.dropped ?? []);
  facts.declare(resource, new Map(customers), { removed, deletionLimit, dropped });
  const issues = [...findIssues(shape.arguments, inputs), ...(shape.isOne ? [] : sizeIssues(inputs))];
  if (issues.length > 0) return issues;
  if (!isStateShown && dropped.length > 0) return [{ path: "", reason: guardDropped(dropped).message }];
  const { changes } = settings.partial();
  if (!shape.isOne && isNew) announceCreation(names, wanted, logger);
  const exponents = names.filter(({ userGroupId }) => exponentIds([userGroupId]).length > 0);
  if (exponents.length > 0) logger.warn(exponentInId(exponents));
  const before = shape.wantedIn(olds).groups;
  const moves = names.flatMap((name) => {
    const isStored = before?.has(name.userGroupId) === true;
    return refusedMoves(name, isStored, resource, facts, changes);
  });
  const reasons = [
    ...issuesOfOthers(names, resource, facts),
    ...moveErrors(moves).map(({ message }) => message),
  ];
  return reasons.map((reason) => ({ path: "", reason }));
}

/** Two resources of a program declare a customer: an issue for each other resource. */
function issuesOfOthers(names: readonly GroupName[], resource: Resource, facts: Facts): string[] {
  const byOthers = new Map<Resource, GroupName[]>();
  for (const name of names) {
    const owner = facts.declarationOf(name.userGroupId)?.resource;
    if (owner !== undefined && owner !== resource) getOrAdd(byOthers, owner, () => []).push(name);
  }
  return [...byOthers].map(([owner, groups]) => declaredTwice(groups, owner));
}

/** A `UserGroups` that was compared before removes or releases the customer. Once it has deleted the group, there is no token to keep. */
function refusedMoves(
  { userGroupId }: GroupName,
  isStored: boolean,
  by: Resource,
  facts: Facts,
  changes: Settings["changes"],
): RefusedMove[] {
  const declaration: Declaration | undefined = facts.declarationOf(userGroupId);
  const known = facts.of(userGroupId);
  const hasGroup = isStored || known.some(({ resource }) => resource === by);
  return known.flatMap(({ resource: from, status, group: stored }) => {
    const isLeaving = status === "removed" || status === "released";
    if (!isLeaving || from === by || declaration?.resource !== by || facts.isDeleted(stored)) return [];
    const how = status === "removed" ? "delete" : "retain";
    const code = refusalOf({ how, stored, declaration, hasGroup }, changes);
    return code ? [{ code, userGroupId, from, by }] : [];
  });
}
