/** What a planned change of a group, in one resource, does to its customer. */
import { changesNothing, fieldsOf, isClaim, revivedBy, type PlannedChange } from "../../core/change/plan";
import { contradictions, fieldsOfMove, wouldTakeOver } from "../../core/deletion/moves";
import { changeOf } from "../../core/messages/warnings";
import { hoursOf } from "../../core/rotation/overlap";
import { keeperFields, replacingFields } from "../../core/state/group";
import {
  isEqual,
  isObject,
  isUnknown,
  ownValue,
  resourceOf,
  unknownValue,
  type JsonObject,
} from "../../values";
import { unknownText, type CustomerReview } from "./outcomes";
import type { PreviewedResource } from "./preview";
import type { ResourcePlan } from "./resourcePlan";
import { comparableGroup, hasHidden } from "./secrets";

/** What a resource of the program says of a customer. */
export interface Declared {
  readonly resource: PreviewedResource;
  readonly values: JsonObject;
  readonly overlap: unknown;
}

type Effect = Omit<CustomerReview, "userGroupId" | "name" | "nameBefore">;

export function reviewOfChange(
  change: PlannedChange<JsonObject>,
  plan: ResourcePlan,
  limit: string | undefined,
): Effect | undefined {
  const { resource, wanted } = plan;
  const common = { resource: resource.urn, isPossible: false, reasons: [] };
  if (change.is === "leave") return leaving(change, plan, limit);
  if (change.is === "create") {
    if (resource.isImported)
      return { ...common, outcome: "created", reasons: ["is imported with its token"] };
    const reasons = wanted.adopt === false ? ["fails if the group exists already"] : [];
    return { ...common, outcome: "created", reasons, ...mappingChange(undefined, change.to) };
  }
  const mapping = isEqual(change.from.mapping, change.to["mapping"])
    ? {}
    : mappingChange(
        shownGroup(resource, change.userGroupId, "before"),
        shownGroup(resource, change.userGroupId, "after"),
      );
  if (change.is === "request") return { ...requested(change, plan), ...mapping };
  if (resource.isReplaced)
    return { ...common, outcome: "newToken", isPossible: true, reasons: [replacedByOption] };
  if (isClaim(change))
    return {
      ...common,
      outcome: "stateOnly",
      reasons: ["takes over what an import didn't know"],
      ...mapping,
    };
  if (resource.before && resource.before.urn !== resource.urn && changesNothing(change))
    return { ...common, outcome: "moved", from: resource.before.urn };
  if (resource.isSame || changesNothing(change)) return undefined;
  return { ...common, outcome: "stateOnly", reasons: fieldsOf(change).map((field) => `${field} changes`) };
}

/** Of `--replace` and the like. */
const replacedByOption =
  "an option replaces its resource, which keeps the token except with deleteBeforeReplace";

function leaving(
  { how, isUncertain }: Extract<PlannedChange<JsonObject>, { readonly is: "leave" }>,
  { resource, state }: ResourcePlan,
  limit: string | undefined,
): Effect {
  const common = { resource: resource.urn, isPossible: isUncertain };
  if (resource.before?.retainOnDelete === true && !resource.after)
    return { ...common, outcome: "retained", reasons: ["retainOnDelete"] };
  if (how === "retain") return { ...common, outcome: "retained", reasons: ['removed: "retain"'] };
  if (limit !== undefined) return { ...common, outcome: "refused", reasons: [limit] };
  const isWithFormer =
    state?.overlap === true && resource.after !== undefined && resource.kind === "userGroup";
  const reasons = isWithFormer ? ["its userGroupId changes, and overlap doesn't hold for that"] : [];
  return { ...common, outcome: "deleted", reasons };
}

function requested(
  change: Extract<PlannedChange<JsonObject>, { readonly is: "request" }>,
  { resource, wanted, codes, changes }: ResourcePlan,
): Effect {
  const { from, to, because, how } = change;
  const isSaid = codes.has("new-token") || codes.has("former-token");
  const isCertain = because.some((field) => !isUnknown(to[field])) || isSaid;
  const reasons = isSaid ? [saidReason(because)] : because.map((field) => reasonFor(field, from, to));
  const common = { resource: resource.urn, isPossible: because.length > 0 && !isCertain, reasons };
  if (how === "settle")
    return {
      ...common,
      outcome: "updated",
      reasons: ["an earlier request may have been applied, and is sent again"],
    };
  if (how === "update")
    return { ...common, outcome: "updated", reasons: [...reasons, `changes: ${changes}`] };
  const isOne = resource.kind === "userGroup";
  const hours = wanted.overlap === true ? { overlapHours: hoursOf(wanted, to) } : {};
  if (revivedBy(change) || (isOne && codes.has("former-token")))
    return { ...common, outcome: "formerToken", ...hours };
  const isFormerHidden = hasHidden(resource.before?.outputs["former"]) && !(isOne && codes.has("new-token"));
  const revived =
    isFormerHidden && how === "renew" ? ["or gets a former token back, which the preview hides"] : [];
  if (how === "recreate" || wanted.overlap !== true)
    return { ...common, outcome: "newToken", reasons: [...reasons, ...revived] };
  return { ...common, outcome: "newTokenWithOverlap", ...hours, reasons: [...reasons, ...revived] };
}

function reasonFor(field: string, before: object, after: JsonObject): string {
  if (!isUnknown(after[field])) return `its ${changeOf([field])}`;
  const earlier: unknown = Reflect.get(before, field);
  const isSecret = hasHidden(earlier) || earlier === undefined;
  return isSecret ? `its ${field} may change, which is secret` : `its ${field} isn't known yet`;
}

/** The preview has said that something of it changes, although it may hide what. */
function saidReason(fields: readonly string[]): string {
  return fields.length === 1 ? `its ${changeOf(fields)}` : `its ${fields.join(" or ")} changes`;
}

/** Another resource of the program declares the customer. It takes the group over, or the `up` refuses to delete it. */
export function moved(
  { from: stored, how, userGroupId }: Extract<PlannedChange<JsonObject>, { readonly is: "leave" }>,
  { resource, changes }: ResourcePlan,
  { resource: by, values, overlap }: Declared,
): Effect {
  const compared = comparableGroup(values, shownGroup(resource, userGroupId, "before"));
  const isFormerHidden = how === "delete" && hasHidden(resource.before?.outputs["former"]);
  const common = { resource: by.urn, from: resource.urn, isPossible: isUnknown(compared) || isFormerHidden };
  const declaration = { resource: resourceOf(by.urn), values: compared, overlap, endsFormer: false };
  const had = shownGroup(by, userGroupId, "before");
  const hasGroup = isObject(had) && (by.kind === "userGroups" || had["userGroupId"] === userGroupId);
  if (hasGroup || wouldTakeOver(declaration, stored, changes)) {
    const differing = contradictions([...replacingFields, ...keeperFields], stored, compared);
    const later = differing.map((field) => {
      const differs = isUnknown(compared[field]) ? "may differ" : "differs";
      return `its ${field} ${differs} there, so the next up gives a new token`;
    });
    const former = isFormerHidden ? ["up refuses it while a former group is within its time"] : [];
    return { ...common, outcome: "moved", reasons: [...later, ...former] };
  }
  const fields = contradictions(fieldsOfMove(changes), stored, compared);
  const what =
    fields.length > 0 ? `another ${fields.join(" and ")}` : "values that request another ID in the service";
  const reasons = [`another resource declares it with ${what}`];
  const mapping = mappingChange(
    shownGroup(resource, userGroupId, "before"),
    shownGroup(by, userGroupId, "after"),
  );
  return { ...common, outcome: "refused", reasons, ...(fields.includes("mapping") && mapping) };
}

/** The values of a group, as the preview shows them. */
function shownGroup(resource: PreviewedResource, userGroupId: string, when: "before" | "after"): unknown {
  const values = when === "before" ? resource.before?.outputs : resource.after?.inputs;
  if (resource.kind === "userGroup") return values;
  const groups = values?.["groups"];
  return isObject(groups) ? ownValue(groups, userGroupId) : undefined;
}

/** `before`, `after`: the values of a group; undefined: there is none. */
function mappingChange(before: unknown, after: unknown): Pick<CustomerReview, "mapping"> {
  const mappings = [before, after].map((values) => (isObject(values) ? values["mapping"] : values));
  if (mappings.every((mapping) => isEqual(mapping, undefined))) return {};
  return { mapping: { before: shown(mappings[0]), after: shown(mappings[1]) } };
}

/** JSON, with a word in the place of a value that isn't known yet. */
export function shown(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (_, part: unknown) =>
    part === unknownValue ? unknownText : part,
  );
  const copy: unknown = JSON.parse(text);
  return copy;
}
