/** The diff of a `UserGroups`. It plans the changes, announces them, enforces the limit, and adds the state to the facts. */
import { readPartialSettings } from "../../settings/readSettings";
import { isObject, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import { changedFields, changeKind, detailsOf, type ChangeKind } from "../changes";
import { recordGroups, type RecordedGroup } from "../deployment/declarations";
import { keyOf } from "../deployment/facts";
import type { Deployment, Diff, DiffRequest } from "../lifecycle";
import { addressChange } from "../services";
import { heldGroupsIn } from "../state";
import { announce, enforceDeletionLimit, planChanges, planMove, type PlannedChange } from "./plan";

/** A change of these changes the state only. */
const stateArguments = ["adopt", "removed", "deletionLimit", "connection"] as const;

export function diffUserGroups({ olds, news, isForeign = false }: DiffRequest, deployment: Deployment): Diff {
  const [old, wanted] = [propertiesOf(olds), propertiesOf(news)];
  const address = addressChange(old, wanted, deployment, "update these user groups");
  const isMoved = address === "other-service";
  const plan = planOf(old, wanted, isMoved, deployment);
  if (deployment.facts.hasProgram) {
    // A deletion in the former service follows the limit of the state.
    for (const { deletionLimit } of isMoved ? [old, wanted] : [wanted])
      enforceDeletionLimit(plan, deletionLimit);
    announce(plan, deployment.logger);
    note(plan, old, wanted, isMoved, deployment);
  }
  const others = changedFields(stateArguments, old, wanted).filter(
    (field) => !(isMoved && field === "connection"),
  );
  const isChanged = plan.some(({ action }) => action !== "keep") || !isObject(wanted["groups"]);
  return {
    changes: isChanged || isMoved || others.length > 0 || address === "state-only" || isForeign,
    replaces: isMoved ? ["connection"] : [],
    deleteBeforeReplace: false,
    details: new Map<string, ChangeKind>([
      ...(isMoved
        ? detailsOf(["connection"], old, wanted, { isReplaced: true })
        : detailsOfPlan(plan, old, wanted)),
      ...detailsOf(others, old, wanted, { isReplaced: false }),
    ]),
  };
}

/** There is no plan for a `groups` that is unknown as a whole. */
function planOf(
  old: JsonObject,
  wanted: JsonObject,
  isMoved: boolean,
  { sources, facts }: Deployment,
): PlannedChange[] {
  if (isMoved) return planMove(old, wanted, facts);
  if (!isObject(wanted["groups"])) return [];
  const { changes } = readPartialSettings(sources, connectionIn(wanted));
  return planChanges(old, wanted, changes, facts);
}

/** Adds the groups of the state to the facts, and which of them the update deletes. */
function note(
  plan: readonly PlannedChange[],
  old: JsonObject,
  wanted: JsonObject,
  isMoved: boolean,
  deployment: Deployment,
): void {
  const connection = connectionIn(isMoved ? old : wanted);
  const groups = isObject(wanted["groups"]) ? wanted["groups"] : undefined;
  const recorded = heldGroupsIn(old).map(([userGroupId, group]): RecordedGroup => {
    const stays = !isMoved && (groups === undefined || Object.hasOwn(groups, userGroupId));
    return { userGroupId, connection, group, stays };
  });
  recordGroups(recorded, deployment);
  for (const { userGroupId, action, isUncertain } of isMoved ? [] : plan)
    if (action === "delete" && !isUncertain)
      deployment.facts.add(keyOf(connection, userGroupId), { kind: "removed" });
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one. */
function detailsOfPlan(
  plan: readonly PlannedChange[],
  old: JsonObject,
  wanted: JsonObject,
): [path: string, kind: ChangeKind][] {
  return plan.flatMap(({ userGroupId, action, fields }): [string, ChangeKind][] => {
    const [before, after] = [groupOf(old, userGroupId), groupOf(wanted, userGroupId)];
    const path = `groups${pathElement(userGroupId)}`;
    if (before === undefined || after === undefined) return [[path, changeKind(before, after, false)]];
    return detailsOf(fields, before, after, { prefix: `${path}.`, isReplaced: action === "recreate" });
  });
}

function groupOf({ groups }: JsonObject, userGroupId: string): JsonObject | undefined {
  if (!isObject(groups) || !Object.hasOwn(groups, userGroupId)) return undefined;
  return propertiesOf(groups[userGroupId]);
}

/** As the engine writes property paths. */
function pathElement(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
