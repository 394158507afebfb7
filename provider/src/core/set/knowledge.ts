/** What check and diff add to the facts of a deployment, and the issues of a check that follow from them. They decide nothing else. */
import type { GroupName } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import type { ValidationIssue } from "../../validation";
import { isUnknown, type JsonObject } from "../../values";
import { connectionIn, exponentIds } from "../arguments";
import { accountOf, warnOfUnchecked } from "../deployment/account";
import type { Deployment } from "../deployment/context";
import { addressOf } from "../deployment/service";
import { declaredTwice, removedElsewhere } from "../messages/groupErrors";
import { exponentInId } from "../messages/warnings";
import { customerOf, type Resource } from "../state/resource";
import type { Shape } from "../state/shapes";
import type { PlannedDiff } from "./diff";
import type { PlannedChange } from "./plan";

export interface CheckRequest {
  readonly resource: Resource;
  /** The inputs in the state; empty for a new resource, and when the engine replaces one. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
}

/** check: the program declares groups. Returns the issues of groups that another resource declares or removes. Error: setting-invalid. */
export function declareGroups(
  shape: Shape,
  { resource, news }: CheckRequest,
  deployment: Deployment,
): ValidationIssue[] {
  const { facts, logger, sources } = deployment;
  const connection = connectionIn(news);
  readPartialSettings(sources, connection);
  const { groups, removed } = shape.wantedIn(news);
  const declared = isUnknown(news["connection"]) ? [] : [...(groups?.keys() ?? [])];
  const names = declared.map((userGroupId) => ({ userGroupId, connection }));
  const customers = names.map((name) => customerOf(connection, name.userGroupId));
  facts.declare(resource, customers, { removed, deletionLimit: news["deletionLimit"] });
  const exponents = exponentIds(declared).map((userGroupId) => ({ userGroupId, connection }));
  if (exponents.length > 0) logger.warn(exponentInId(exponents));
  return [
    ...issuesOf(
      names,
      ({ userGroupId }) => byOther(resource, customerOf(connection, userGroupId), deployment),
      declaredTwice,
    ),
    ...issuesOf(
      names,
      ({ userGroupId }) => removing(resource, customerOf(connection, userGroupId), deployment),
      removedElsewhere,
    ),
  ];
}

interface OtherResource {
  readonly resource: Resource;
}

/** One issue for each other resource. */
function issuesOf(
  names: readonly GroupName[],
  otherOf: (name: GroupName) => OtherResource | undefined,
  text: (groups: readonly GroupName[], by: Resource) => string,
): ValidationIssue[] {
  const byOthers = new Map<Resource, GroupName[]>();
  for (const name of names) {
    const other = otherOf(name);
    if (other) byOthers.set(other.resource, [...(byOthers.get(other.resource) ?? []), name]);
  }
  return [...byOthers].map(([resource, groups]) => ({ path: "", reason: text(groups, resource) }));
}

function byOther(resource: Resource, customer: string, { facts }: Deployment): OtherResource | undefined {
  return resource === undefined ? undefined : facts.declaredBy(customer, resource);
}

/** A `UserGroups` that was diffed before deletes the group in its update. Once that is done, there is no token to keep. */
function removing(resource: Resource, customer: string, { facts }: Deployment): OtherResource | undefined {
  return facts
    .of(customer)
    .filter((known) => known.is === "removed" && known.resource !== resource)
    .find(({ address, group }) => !facts.isDeleted(address, group));
}

/** diff: a resource of the program has groups in its state, and the plan says what becomes of each. */
export function recordDiff(
  shape: Shape,
  resource: Resource,
  diff: PlannedDiff,
  deployment: Deployment,
): void {
  const { state, plan, olds } = diff;
  const { facts, accounts } = deployment;
  facts.startDiff(resource);
  const connection = formerConnection(diff);
  const address = addressOf(olds, deployment);
  const changes = new Map(plan.map((change) => [change.userGroupId, change]));
  for (const stored of state.groups.values()) {
    const change = changes.get(stored.userGroupId);
    const customer = customerOf(connection, stored.userGroupId);
    const is = outlookOf(shape, diff, change);
    if (is === "unknown") continue;
    const known = { resource, customer, address, group: stored, is };
    accounts.see(known, state.account);
    facts.note(is === "stays" ? { ...known, group: { ...stored, former: change?.waiting } } : known);
  }
}

/** A move deletes the groups by their former connection. */
function formerConnection({ isMove, olds, news }: PlannedDiff): string | undefined {
  return connectionIn(isMove ? olds : news);
}

/** diff: a state comes into sight after groups were created with another API token, perhaps in another account. */
export function announceAccount(diff: PlannedDiff, deployment: Deployment): void {
  const { state, olds } = diff;
  const address = addressOf(olds, deployment);
  const { apiToken, headers } = readPartialSettings(deployment.sources, formerConnection(diff));
  if (address === undefined || apiToken === undefined || state.groups.size === 0) return;
  warnOfUnchecked({ address, account: state.account, today: accountOf({ apiToken, headers }) }, deployment);
}

/** left: by a move, or by removed: "retain". unknown: not known yet. */
function outlookOf(
  shape: Shape,
  { isMove, wanted }: PlannedDiff,
  change: PlannedChange | undefined,
): "stays" | "left" | "recreated" | "removed" | "unknown" {
  if (isMove) return "left";
  if (wanted.groups === undefined || change === undefined) return "unknown";
  const { action, isUncertain } = change;
  if (action === "recreate") return shape.isOne || !isUncertain ? "recreated" : "unknown";
  if (action === "delete" || action === "move") return isUncertain ? "unknown" : "removed";
  return action === "release" ? "left" : "stays";
}
