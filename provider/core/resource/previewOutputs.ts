/** The outputs of a resource after the planned change, as far as a preview knows them. */
import { isEqual, unknownValue, type JsonObject } from "../../values";
import type { Deployment } from "../deployment/context";
import { planChanges, stillValid, type PlannedChange } from "../change/plan";
import type { StoredGroup } from "../state/group";
import type { Shape, State } from "../state/shapes";

/** `olds`: the outputs in the state; undefined for a new resource. */
export function previewedOutputs(
  shape: Shape,
  change: { readonly id: string; readonly news: JsonObject; readonly olds: JsonObject | undefined },
  { settings, clock }: Pick<Deployment, "settings" | "clock">,
): JsonObject {
  const { id, news, olds } = change;
  const wanted = shape.wantedIn(news);
  const { groups } = wanted;
  const unknowns = Object.fromEntries(shape.outputs.map((name) => [name, unknownValue]));
  if (groups === undefined) return { ...news, ...unknowns };
  const state = olds && shape.parseState(id, olds);
  const { changes } = settings.partial();
  const before = state?.groups ?? new Map<string, StoredGroup>();
  const plan = planChanges(before, { wanted: { ...wanted, groups }, changes, now: clock.date() });
  const kept = plan.flatMap(keptGroup);
  const tokens = shape.isOne ? {} : { tokens: tokensOf(groups, kept) };
  if (!state || kept.length < groups.size || !isSameSet(state, groups))
    return { ...news, ...unknowns, ...tokens };
  const outputs = shape.serializeState({
    ...state,
    groups: new Map(kept.map((group) => [group.userGroupId, group])),
  });
  const known = Object.fromEntries(shape.outputs.map((name) => [name, outputs[name]]));
  return { ...news, ...known };
}

/** The group as it will be in the state, if the change sends no request for it but the deletion of former groups. */
function keptGroup(change: PlannedChange<JsonObject>): StoredGroup[] {
  if (change.is !== "record") return [];
  const former = stillValid(change);
  return [{ ...change.from, former: former.length > 0 ? former : undefined }];
}

function tokensOf(groups: ReadonlyMap<string, unknown>, kept: readonly StoredGroup[]): JsonObject {
  const known = new Map(kept.map(({ userGroupId, token }) => [userGroupId, token]));
  return Object.fromEntries(
    [...groups.keys()].map((userGroupId) => [userGroupId, known.get(userGroupId) ?? unknownValue]),
  );
}

function isSameSet(state: State, wanted: ReadonlyMap<string, JsonObject>): boolean {
  return isEqual([...state.groups.keys()].sort(), [...wanted.keys()].sort());
}
