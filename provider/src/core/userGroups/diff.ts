/** The diff of a `UserGroups`. It plans the changes, announces them, enforces the limit, and adds the state to the facts. */
import { readPartialSettings } from "../../settings/readSettings";
import { isObject, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import { changedFields, changeKind, detailsOf, type Detail } from "../changes";
import { recordGroups } from "../deployment/declarations";
import { keyOf, type Seen } from "../deployment/facts";
import type { RecordedGroups } from "../group/recordedGroup";
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
    const connection = connectionIn(isMoved ? old : wanted);
    recordGroups(seenGroups(recorded, plan), deployment, connection);
    const removed = plan.filter(({ action, isUncertain }) => action === "delete" && !isUncertain && !isMoved);
    for (const { userGroupId } of removed) facts.add(keyOf(connection, userGroupId), { kind: "removed" });
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

function seenGroups(recorded: RecordedGroups, plan: readonly PlannedChange[]): Seen[] {
  const leaving = plan.filter(({ action }) => action === "delete" || action === "release");
  const ids = new Set(leaving.map(({ userGroupId }) => userGroupId));
  return [...recorded].map(([id, group]) => ({ kind: ids.has(id) ? "leaving" : "recorded", group }));
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one. */
function detailsOfPlan(plan: readonly PlannedChange[], recorded: RecordedGroups, wanted: JsonObject) {
  const groups = new Map(Object.entries(isObject(wanted["groups"]) ? wanted["groups"] : {}));
  return plan.flatMap(({ userGroupId, fields }): Detail[] => {
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
