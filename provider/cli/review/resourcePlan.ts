/** The plan of the core for one resource of a preview. */
import { planChanges, type PlannedChange } from "../../core/change/plan";
import { pathElement } from "../../core/resource/diff";
import { asShown, valuesOf, type StoredGroup } from "../../core/state/group";
import type { PreviewedWanted, State } from "../../core/state/shapes";
import { UserGroupError } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { isUnknown, type JsonObject } from "../../values";
import { UsageError } from "../command";
import { shapes } from "../stackExport";
import type { Preview, PreviewedResource } from "./preview";
import { comparableInputs, isHidden, readableOutputs } from "./secrets";

export interface ReviewContext {
  /** Of the service of a provider, by its URN. */
  readonly changesOf: (provider: string) => Settings["changes"];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The plan of one resource. */
export interface ResourcePlan {
  readonly resource: PreviewedResource;
  /** Before the change; undefined: there is none, or all of it is secret. */
  readonly state: State | undefined;
  readonly wanted: PreviewedWanted;
  /** Empty if the groups before or after aren't shown. */
  readonly plan: readonly PlannedChange<JsonObject>[];
  readonly changes: Settings["changes"];
  /** The codes of its warnings in the preview. */
  readonly codes: ReadonlySet<string>;
  /** Why not all groups are shown. */
  readonly unclear: "secret" | "unknown" | undefined;
}

export function planOf(
  resource: PreviewedResource,
  preview: Preview,
  { changesOf, now }: ReviewContext,
): ResourcePlan {
  const { kind, before, after, provider, isSame } = resource;
  const changes = changesOf(provider);
  const outputs = before && readableOutputs(kind, before.outputs);
  const state = outputs && stateIn(resource, outputs);
  const inputs = after && comparableInputs(kind, after.inputs, before?.outputs);
  const wanted = inputs ? shapes[kind].wantedIn(inputs) : { ...state, groups: new Map<string, JsonObject>() };
  const own = preview.warnings.filter(({ urn }) => urn === resource.urn);
  const codes = new Set(own.map(({ code }) => code));
  const common = { resource, state, wanted, changes, codes };
  const { groups } = wanted;
  const all = [...(state?.groups.values() ?? [])];
  if (isSame) return { ...common, plan: all.map(kept), unclear: undefined };
  if (groups === undefined || (before && !state)) {
    const isSecret = [before?.outputs["groups"], after?.inputs["groups"]].some(isHidden);
    return { ...common, plan: [], unclear: isSecret ? "secret" : "unknown" };
  }
  const plan = planChanges(state?.groups ?? new Map(), { wanted: { ...wanted, groups }, changes, now });
  return { ...common, plan: plan.filter((change) => mayHappen(change, resource)), unclear: undefined };
}

/** Whether the engine's own list of changes has what only the preview's secrets make possible. */
function mayHappen(change: PlannedChange<JsonObject>, { kind, details }: PreviewedResource): boolean {
  const isCertain = change.is !== "request" || !change.because.every((field) => isUnknown(change.to[field]));
  if (isCertain || details === undefined) return true;
  const path = kind === "userGroup" ? "" : `groups${pathElement(change.userGroupId)}`;
  return details.some((detail) => detail.startsWith(path));
}

function kept(from: StoredGroup): PlannedChange<JsonObject> {
  const to = valuesOf(asShown(from));
  return { is: "record", userGroupId: from.userGroupId, from, to, expired: [], isUncertain: false };
}

/** Error: a `UsageError`, if the core can't read the state. */
function stateIn({ urn, kind }: PreviewedResource, outputs: JsonObject): State {
  try {
    const { userGroupId } = outputs;
    return shapes[kind].parseState(typeof userGroupId === "string" ? userGroupId : "", outputs);
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    throw new UsageError(`${urn} can't be read. ${error.sentence}`);
  }
}
