/** The diff of a `UserGroups`. It plans the changes, announces them, enforces the limit, and informs the tracker. */
import { readPartialSettings } from "../settings/readSettings";
import { isObject, propertiesOf, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import { changedFields, changeKind, detailsOf, type ChangeKind } from "./changes";
import { announce, enforceDeletionLimit, planChanges, planMove, type PlannedChange } from "./groupPlan";
import type { Dependencies, Diff, DiffRequest } from "./lifecycle";
import { addressChange, keyOf } from "./services";

/** A change of these changes the state only. */
const stateArguments = ["adopt", "removed", "deletionLimit", "connection"] as const;

export function diffUserGroups(
  { olds, news, isForeign = false }: DiffRequest,
  dependencies: Dependencies,
): Diff {
  const [old, wanted] = [propertiesOf(olds), propertiesOf(news)];
  const address = addressChange(old, wanted, dependencies, "update these user groups");
  const isMoved = address === "other-service";
  const plan = planOf(old, wanted, isMoved, dependencies);
  if (dependencies.tracker.hasProgram) {
    enforceDeletionLimit(plan, wanted["deletionLimit"]);
    announce(plan, dependencies.logger);
  }
  if (!isMoved) notePlan(plan, old, wanted, dependencies);
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
  { groups, removed, connection }: JsonObject,
  isMoved: boolean,
  { sources }: Dependencies,
): PlannedChange[] {
  if (isMoved) return planMove(old["groups"], groups, connection);
  if (!isObject(groups)) return [];
  const { changes } = readPartialSettings(sources, connectionIn({ connection }));
  return planChanges(old["groups"], groups, { changes, removed });
}

function notePlan(
  plan: readonly PlannedChange[],
  old: JsonObject,
  wanted: JsonObject,
  { tracker, sources }: Dependencies,
): void {
  const connection = connectionIn(wanted);
  const settings = readPartialSettings(sources, connection);
  const adopted = new Set(Array.isArray(old["adopted"]) ? old["adopted"] : []);
  const tokens = isObject(old["tokens"]) ? old["tokens"] : {};
  for (const { userGroupId, action, isUncertain } of plan) {
    const group = groupOf(old, userGroupId);
    if (group === undefined || isUncertain) continue;
    const key = keyOf(settings, connection, userGroupId);
    if (action === "delete" && tracker.hasProgram) tracker.noteLeaving(key, group);
    else tracker.noteOwn(key, group, adopted.has(userGroupId) ? undefined : { token: tokens[userGroupId] });
  }
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
