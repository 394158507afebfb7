/** The diff of a `UserGroups`. It plans the changes, announces them, enforces the limit, and adds the state to the facts. */
import { readPartialSettings } from "../../settings/readSettings";
import { isObject, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import { changedFields, changeKind, detailsOf, type ChangeKind } from "../changes";
import { recordGroups } from "../deployment/declarations";
import { keyOf, type Seen } from "../deployment/facts";
import type { RecordedGroup } from "../group/recordedGroup";
import type { Deployment, Diff, DiffRequest } from "../lifecycle";
import { addressChange } from "../services";
import { parseUserGroups } from "../state";
import { announce, enforceDeletionLimit, planChanges, planMove, type PlannedChange } from "./plan";

/** A change of these changes the state only. */
const stateArguments = ["connection", "adopt", "removed", "deletionLimit"] as const;

export function diffUserGroups({ olds, news, isForeign = false }: DiffRequest, deployment: Deployment): Diff {
  const { facts, logger, sources } = deployment;
  const [old, wanted] = [propertiesOf(olds), propertiesOf(news)];
  const { groups: recorded } = parseUserGroups(old);
  const address = addressChange(old, wanted, deployment, "update these user groups");
  const isMoved = address === "other-service";
  const { changes } = readPartialSettings(sources, connectionIn(wanted));
  // There is no plan for a `groups` that is unknown as a whole.
  const isPlanned = isObject(wanted["groups"]);
  const planned = isPlanned ? planChanges(recorded, wanted, changes, facts) : [];
  const plan = isMoved ? planMove(recorded, old["removed"], wanted, facts) : planned;
  if (facts.hasProgram) {
    // A deletion in the former service follows the limit of the state.
    if (isMoved) enforceDeletionLimit(plan, old["deletionLimit"]);
    enforceDeletionLimit(plan, wanted["deletionLimit"]);
    announce(plan, logger);
    note(recorded, plan, connectionIn(isMoved ? old : wanted), isMoved, deployment);
  }
  const others = changedFields(stateArguments, old, wanted);
  const isChanged = plan.some(({ action }) => action !== "keep") || !isPlanned;
  return {
    changes: isChanged || isMoved || others.length > 0 || address === "state-only" || isForeign,
    replaces: isMoved ? ["connection"] : [],
    deleteBeforeReplace: false,
    details: new Map([
      ...(isMoved ? [] : detailsOfPlan(plan, recorded, wanted)),
      ...detailsOf(others, old, wanted),
    ]),
  };
}

/** Adds the groups of the state to the facts, and which of them the update deletes. */
function note(
  recorded: ReadonlyMap<string, RecordedGroup>,
  plan: readonly PlannedChange[],
  connection: string | undefined,
  isMoved: boolean,
  deployment: Deployment,
): void {
  const leaving = plan.filter(({ action }) => action === "delete" || action === "release");
  const ids = new Set(leaving.map(({ userGroupId }) => userGroupId));
  const seen = [...recorded].map(([id, group]): Seen => ({
    kind: ids.has(id) ? "leaving" : "recorded",
    group,
  }));
  recordGroups(seen, connection, deployment);
  for (const { userGroupId, action, isUncertain } of isMoved ? [] : leaving)
    if (action === "delete" && !isUncertain)
      deployment.facts.add(keyOf(connection, userGroupId), { kind: "removed" });
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one. */
function detailsOfPlan(
  plan: readonly PlannedChange[],
  recorded: ReadonlyMap<string, RecordedGroup>,
  wanted: JsonObject,
): [path: string, kind: ChangeKind][] {
  const groups = new Map(Object.entries(isObject(wanted["groups"]) ? wanted["groups"] : {}));
  return plan.flatMap(({ userGroupId, fields }): [string, ChangeKind][] => {
    const [before, after] = [recorded.get(userGroupId), groups.get(userGroupId)];
    const path = `groups${pathElement(userGroupId)}`;
    if (before === undefined || after === undefined) return [[path, changeKind(before, after)]];
    return detailsOf(fields, before, propertiesOf(after), `${path}.`);
  });
}

/** As the engine writes property paths. */
function pathElement(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
