/** The check of a resource: what the program declares is noted first, also if it is invalid, and then validated. */
import type { GroupName } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import { findIssues, type ValidationIssue } from "../../validation";
import { isUnknown, propertiesOf, type JsonObject, type Resource } from "../../values";
import { exponentIds } from "../arguments";
import type { Deployment } from "../deployment/context";
import { customerOf, type Customer } from "../deployment/facts";
import { declaredTwice, guardDropped, removedElsewhere } from "../messages/groupErrors";
import { exponentInId } from "../messages/warnings";
import { statedHours } from "../state/formerGroups";
import { connectionOf, type Shape } from "../state/shapes";
import { droppedGuards } from "./plan";
import { announceCreation } from "./preview";
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
  const { facts, logger, sources } = deployment;
  const inputs = propertiesOf(request.news);
  const wanted = shape.wantedIn(inputs);
  const connection = connectionOf(wanted);
  const declared = isUnknown(wanted.connection) ? [] : [...(wanted.groups ?? [])];
  const names = declared.map(([userGroupId]) => ({ userGroupId, connection }));
  const hours = declared.map(([userGroupId, group]): [Customer, number | undefined] => [
    customerOf(connection, userGroupId),
    statedHours(wanted, group),
  ]);
  const isStateShown = Object.keys(olds).length > 0;
  const isNew = !isStateShown && !facts.knows(resource);
  // An option that replaces the resource leads to a second check, without a state.
  const dropped = isStateShown ? droppedGuards(olds, wanted) : (facts.guardsOf(resource)?.dropped ?? []);
  const { removed, deletionLimit } = wanted;
  facts.declare(resource, new Map(hours), { removed, deletionLimit, dropped });
  const issues = [...findIssues(shape.arguments, inputs), ...(shape.isOne ? [] : sizeIssues(inputs))];
  if (issues.length > 0) return issues;
  if (!isStateShown && dropped.length > 0) return [{ path: "", reason: guardDropped(dropped).message }];
  readPartialSettings(sources, connection);
  if (!shape.isOne && isNew) announceCreation(names, wanted, logger);
  const exponents = names.filter(({ userGroupId }) => exponentIds([userGroupId]).length > 0);
  if (exponents.length > 0) logger.warn(exponentInId(exponents));
  return [
    ...issuesOf(names, (customer) => otherDeclaring(resource, customer, deployment), declaredTwice),
    ...issuesOf(names, (customer) => otherRemoving(resource, customer, deployment), removedElsewhere),
  ];
}

/** One issue for each other resource. */
function issuesOf(
  names: readonly GroupName[],
  otherOf: (customer: Customer) => Resource | undefined,
  text: (groups: readonly GroupName[], by: Resource) => string,
): ValidationIssue[] {
  const byOthers = new Map<Resource, GroupName[]>();
  for (const name of names) {
    const other = otherOf(customerOf(name.connection, name.userGroupId));
    if (other) byOthers.set(other, [...(byOthers.get(other) ?? []), name]);
  }
  return [...byOthers].map(([resource, groups]) => ({ path: "", reason: text(groups, resource) }));
}

function otherDeclaring(resource: Resource, customer: Customer, { facts }: Deployment): Resource | undefined {
  const owner = facts.declarationOf(customer)?.resource;
  return owner === resource ? undefined : owner;
}

/** A `UserGroups` that was diffed before deletes the group in its update. Once that is done, there is no token to keep. */
function otherRemoving(resource: Resource, customer: Customer, { facts }: Deployment): Resource | undefined {
  return facts
    .of(customer)
    .filter((known) => known.is === "removed" && known.resource !== resource)
    .find(({ address, group }) => !facts.isDeleted(address, group))?.resource;
}
