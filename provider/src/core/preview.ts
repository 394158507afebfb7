/** The outputs that a preview shows. Values that only the service knows are unknown. */
import { readPartialSettings, type SettingSources } from "../settings/readSettings";
import { isEqual, unknownValue, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import { changeOf } from "./changes";
import type { StoredGroup } from "./drift";
import type { Shape, State } from "./shapes";

interface PreviewRequest {
  readonly id: string;
  readonly news: JsonObject;
  readonly olds?: JsonObject | undefined;
}

/** The outputs of a resource after the planned change, as far as they are known before it. */
export function previewedOutputs(
  shape: Shape,
  { id, news, olds }: PreviewRequest,
  sources: SettingSources,
): JsonObject {
  const unknowns = Object.fromEntries(shape.outputs.map((output) => [output, unknownValue]));
  const { groups: wanted } = shape.wantedIn(news);
  if (wanted === undefined) return { ...news, ...unknowns };
  const state = olds && shape.parseState(id, olds);
  const { changes } = readPartialSettings(sources, connectionIn(news));
  const kept = [...wanted].map(([userGroupId, values]) => {
    const stored = state?.groups.get(userGroupId);
    const isKept = stored !== undefined && keepsToken(stored, values, changes);
    return { userGroupId, kept: isKept ? stored : undefined };
  });
  const tokens = shape.isOne
    ? {}
    : {
        tokens: Object.fromEntries(
          kept.map(({ userGroupId, kept: group }) => [userGroupId, group?.token ?? unknownValue]),
        ),
      };
  const isAllKept = kept.every(({ kept: group }) => group !== undefined) && isSameSet(state, wanted);
  if (!state || !isAllKept) return { ...news, ...unknowns, ...tokens };
  const stored = kept.flatMap(({ kept: group }) => (group ? [[group.userGroupId, group] as const] : []));
  const outputs = shape.stateOf({
    ...state,
    groups: new Map(stored.map(([key, group]) => [key, { ...group, former: undefined }])),
  });
  const known = Object.fromEntries(shape.outputs.map((output) => [output, outputs[output]]));
  return { ...news, ...known };
}

function isSameSet(state: State | undefined, wanted: ReadonlyMap<string, JsonObject>): boolean {
  return isEqual([...(state?.groups.keys() ?? [])].sort(), [...wanted.keys()].sort());
}

/** Whether the change sends no request for the group, so that its token is known. */
function keepsToken(stored: StoredGroup, values: JsonObject, changes: "replace" | "update"): boolean {
  const { replaces, updates } = changeOf(stored, values, changes);
  return replaces.length === 0 && updates.length === 0 && stored.lastChange !== "unknown";
}
