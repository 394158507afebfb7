/** The outputs that a preview shows. Values that only the service knows are unknown. */
import { readPartialSettings, type SettingSources } from "../../settings/readSettings";
import { isEqual, unknownValue, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import type { StoredGroup } from "../state/storedGroup";
import type { Shape, State } from "../state/shapes";
import { isStateOnly, planChanges, type PlannedChange } from "./plan";

interface PreviewRequest {
  readonly id: string;
  readonly news: JsonObject;
  readonly olds?: JsonObject | undefined;
}

/** The outputs of a resource after the planned change, as far as they are known before it. `now`: milliseconds since 1970. */
export function previewedOutputs(
  shape: Shape,
  { id, news, olds }: PreviewRequest,
  sources: SettingSources,
  now: number,
): JsonObject {
  const unknowns = Object.fromEntries(shape.outputs.map((output) => [output, unknownValue]));
  const wanted = shape.wantedIn(news);
  const { groups } = wanted;
  if (groups === undefined) return { ...news, ...unknowns };
  const state = olds && shape.parseState(id, olds);
  const { changes } = readPartialSettings(sources, connectionIn(news));
  const plan = planChanges(
    state?.groups ?? new Map<string, StoredGroup>(),
    { ...wanted, groups },
    { changes, now },
  );
  const kept = plan.flatMap((change) => keptGroup(change, state));
  const tokens = shape.isOne ? {} : { tokens: tokensOf(groups, kept) };
  if (!state || kept.length < groups.size || !isSameSet(state, groups))
    return { ...news, ...unknowns, ...tokens };
  const outputs = shape.stateOf({
    ...state,
    groups: new Map(kept.map((group) => [group.userGroupId, group])),
  });
  const known = Object.fromEntries(shape.outputs.map((output) => [output, outputs[output]]));
  return { ...news, ...known };
}

/** The group as it will be in the state, if the change sends no request for it but the deletion of former groups. */
function keptGroup(change: PlannedChange, state: State | undefined): StoredGroup[] {
  const stored = state?.groups.get(change.userGroupId);
  if (!stored || !isStateOnly(change)) return [];
  return [{ ...stored, former: change.waiting.length > 0 ? change.waiting : undefined }];
}

function tokensOf(groups: ReadonlyMap<string, unknown>, kept: readonly StoredGroup[]): JsonObject {
  const known = new Map(kept.map(({ userGroupId, token }) => [userGroupId, token]));
  return Object.fromEntries(
    [...groups.keys()].map((userGroupId) => [userGroupId, known.get(userGroupId) ?? unknownValue]),
  );
}

function isSameSet(state: State | undefined, wanted: ReadonlyMap<string, JsonObject>): boolean {
  return isEqual([...(state?.groups.keys() ?? [])].sort(), [...wanted.keys()].sort());
}
