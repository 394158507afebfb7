/**
 * What a previewed change does to customers, over all resources of the program: each customer once. The plan of the core says what becomes of
 * a group in its resource; a group that leaves one and that another one declares moves.
 */
import { contradictions, fieldsOfMove, wouldTakeOver } from "../../core/deletion/moves";
import { enforceDeletionLimit } from "../../core/change/guards";
import {
  changesNothing,
  fieldsOf,
  isClaim,
  planChanges,
  revivedBy,
  type PlannedChange,
} from "../../core/change/plan";
import { asShown, keeperFields, replacingFields, valuesOf, type StoredGroup } from "../../core/state/group";
import { hoursOf } from "../../core/rotation/overlap";
import { pathElement } from "../../core/resource/diff";
import type { PreviewedWanted, State } from "../../core/state/shapes";
import { UserGroupError } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import {
  isEqual,
  isObject,
  isUnknown,
  ownValue,
  resourceOf,
  unknownValue,
  type JsonObject,
} from "../../values";
import { UsageError } from "../command";
import { shapes } from "../stackExport";
import type { Preview, PreviewedResource } from "./preview";
import { comparableGroup, comparableInputs, hasHidden, hidden, isHidden, readableOutputs } from "./secrets";

/** What becomes of a customer. The first one that fits; in the order of a review. */
export const outcomes = [
  "deleted",
  "newToken",
  "newTokenWithOverlap",
  "formerToken",
  "refused",
  "retained",
  "moved",
  "updated",
  "created",
  "stateOnly",
] as const;

export type Outcome = (typeof outcomes)[number];

/** A part of the output of `review --json`. */
export interface CustomerReview {
  readonly userGroupId: string;
  /** After the change; absent: not known yet. */
  readonly name?: string;
  /** Before the change, if it was another one. */
  readonly nameBefore?: string;
  readonly outcome: Outcome;
  /** It depends on a value that isn't known yet, or that the preview hides. */
  readonly isPossible: boolean;
  /** Why, as the continuation of a sentence; empty: the outcome says it. */
  readonly reasons: readonly string[];
  /** With `overlap`: the hours for which the token that the customer has now stays valid after the `up`; 0: until the next one. */
  readonly overlapHours?: number;
  /** The resource that has the customer after the change, or before it if none has: its URN. */
  readonly resource: string;
  /** Of `moved`: the URN of the resource that the customer leaves. */
  readonly from?: string;
  /** If it changes: the mapping before and after; null: none; "[secret]", "[unknown]": the preview doesn't show it. */
  readonly mapping?: { readonly before: unknown; readonly after: unknown };
}

export interface GuardReview {
  readonly resource: string;
  readonly guard: string;
  /** null: none. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Note {
  /** A URN; empty: not known. */
  readonly resource: string;
  readonly text: string;
}

export interface Review {
  readonly customers: readonly CustomerReview[];
  readonly guards: readonly GuardReview[];
  /** What the preview doesn't show of a resource, and its warnings that the list of customers doesn't have. */
  readonly notes: readonly Note[];
}

export interface ReviewContext {
  /** Of the service of a provider, by its URN. */
  readonly changesOf: (provider: string) => Settings["changes"];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function reviewOf(preview: Preview, context: ReviewContext): Review {
  const planned = preview.resources.map((resource) => planOf(resource, preview, context));
  const declarations = new Map(planned.flatMap(declarationsIn));
  const byCustomer = new Map<string, CustomerReview>();
  for (const plan of planned)
    for (const [key, review] of reviewsIn(plan, declarations)) {
      const other = byCustomer.get(key);
      if (other === undefined || rankOf(review) < rankOf(other)) byCustomer.set(key, review);
    }
  const customers = [...byCustomer.values()].sort(byOutcome);
  const guards = preview.resources.flatMap(guardsOf).sort(byResource);
  return { customers, guards, notes: [...planned.flatMap(notesOf), ...warningsIn(preview)].sort(byResource) };
}

/** The engine's order differs from run to run. */
function byResource(one: { readonly resource: string }, other: { readonly resource: string }): number {
  if (one.resource === other.resource) return 0;
  return one.resource < other.resource ? -1 : 1;
}

/** How many customers have each outcome. */
export function countsOf({ customers }: Review): Record<string, number> {
  const counts = outcomes.map((outcome) => {
    return [outcome, customers.filter((each) => each.outcome === outcome).length] as const;
  });
  return Object.fromEntries(counts);
}

function rankOf({ outcome }: CustomerReview): number {
  return outcomes.indexOf(outcome);
}

function byOutcome(one: CustomerReview, other: CustomerReview): number {
  if (one.outcome !== other.outcome) return rankOf(one) - rankOf(other);
  if (one.isPossible !== other.isPossible) return one.isPossible ? 1 : -1;
  if (one.userGroupId !== other.userGroupId) return one.userGroupId < other.userGroupId ? -1 : 1;
  return one.resource < other.resource ? -1 : 1;
}

/** The plan of one resource. */
interface ResourcePlan {
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

function planOf(
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

/** What a resource of the program says of a customer. */
interface Declared {
  readonly resource: PreviewedResource;
  readonly values: JsonObject;
  readonly overlap: unknown;
}

function declarationsIn({ resource, wanted }: ResourcePlan): [string, Declared][] {
  const { groups = new Map<string, JsonObject>(), overlap } = wanted;
  return [...groups].map(([userGroupId, values]) => [
    keyOf(resource, userGroupId),
    { resource, values, overlap },
  ]);
}

/** A customer of one service. Two secret IDs are two customers. */
function keyOf({ provider, urn }: PreviewedResource, userGroupId: string): string {
  return JSON.stringify([provider, isHidden(userGroupId) ? urn : "", userGroupId]);
}

function reviewsIn(
  plan: ResourcePlan,
  declarations: ReadonlyMap<string, Declared>,
): (readonly [string, CustomerReview])[] {
  const isDeclaredElsewhere = (change: PlannedChange<JsonObject>) => {
    const declared = declarations.get(keyOf(plan.resource, change.userGroupId));
    return declared !== undefined && declared.resource.urn !== plan.resource.urn ? declared : undefined;
  };
  const limit = limitError(
    plan,
    plan.plan.filter((change) => !isDeclaredElsewhere(change)),
  );
  return plan.plan.flatMap((change) => {
    const key = keyOf(plan.resource, change.userGroupId);
    const elsewhere = isDeclaredElsewhere(change);
    const review =
      elsewhere && change.is === "leave"
        ? moved(change, plan, elsewhere)
        : reviewOfChange(change, plan, limit);
    return review ? [[key, { ...named(change), ...review }] as const] : [];
  });
}

/** The error of an `up` that deletes a whole resource, of which the preview knows no limit. */
function limitError({ resource, state }: ResourcePlan, plan: ResourcePlan["plan"]): string | undefined {
  if (resource.after !== undefined || resource.before?.retainOnDelete === true || !state) return undefined;
  try {
    enforceDeletionLimit(plan, { groups: undefined, deletionLimit: state.deletionLimit });
    return undefined;
  } catch (error) {
    if (error instanceof UserGroupError)
      return `would delete more customers than deletionLimit allows (${state.deletionLimit})`;
    throw error;
  }
}

function named(
  change: PlannedChange<JsonObject>,
): Pick<CustomerReview, "userGroupId" | "name" | "nameBefore"> {
  const { userGroupId } = change;
  if (change.is === "leave") return { userGroupId, name: asShown(change.from).name };
  const name = shownName(change);
  const before = change.is === "create" ? name : asShown(change.from).name;
  const isOther = before !== undefined && before !== name && !isHidden(before);
  return { userGroupId, ...(name !== undefined && { name }), ...(isOther && { nameBefore: before }) };
}

/** The program's name, or if the preview hides it, that it is secret. */
function shownName({
  to,
  ...change
}: Extract<PlannedChange<JsonObject>, { readonly to: JsonObject }>): string | undefined {
  const { name } = to;
  if (typeof name === "string" && !isUnknown(name)) return name;
  return "from" in change && isHidden(change.from.name) ? hidden : undefined;
}

type Effect = Omit<CustomerReview, "userGroupId" | "name" | "nameBefore">;

function reviewOfChange(
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
  if (!isUnknown(after[field])) return `its ${field} ${verbOf(field)}`;
  const earlier: unknown = Reflect.get(before, field);
  const isSecret = hasHidden(earlier) || earlier === undefined;
  return isSecret ? `its ${field} may change, which is secret` : `its ${field} isn't known yet`;
}

/** The preview has said that something of it changes, although it may hide what. */
function saidReason(fields: readonly string[]): string {
  const [only, ...more] = fields;
  return only !== undefined && more.length === 0
    ? `its ${only} ${verbOf(only)}`
    : `its ${fields.join(" or ")} changes`;
}

function verbOf(field: string): string {
  return field.endsWith("s") ? "change" : "changes";
}

/** Another resource of the program declares the customer. It takes the group over, or the `up` refuses to delete it. */
function moved(
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
function shown(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (_, part: unknown) =>
    part === unknownValue ? unknownText : part,
  );
  const copy: unknown = JSON.parse(text);
  return copy;
}

/** In the place of a value that isn't known before `up`. */
export const unknownText = "[unknown]";

const guardNames = ["deletionLimit", "removed", "overlap", "overlapHours"] as const;

/** What protects the groups of a resource that stays. */
function guardsOf({ urn, before, after }: PreviewedResource): GuardReview[] {
  if (!before || !after) return [];
  const ofArguments = guardNames.map((guard) => ({
    guard,
    before: before.outputs[guard],
    after: after.inputs[guard],
  }));
  const protect = {
    guard: "protect",
    before: before.protect || undefined,
    after: after.protect || undefined,
  };
  return [...ofArguments, protect]
    .filter((each) => !isEqual(each.before, each.after))
    .map((each) => ({
      resource: urn,
      guard: each.guard,
      before: shown(each.before),
      after: shown(each.after),
    }));
}

function notesOf({ resource, unclear, codes }: ResourcePlan): Note[] {
  const { urn, before, isSame, kind } = resource;
  // Of one group, the preview's warnings say it.
  const isSaid = kind === "userGroup" && (codes.has("new-token") || codes.has("former-token"));
  const texts: string[] = [];
  if (unclear === "unknown") texts.push("which customers it has isn't known yet, so any of them may leave");
  if (unclear === "secret") texts.push("its customers are secret, so the preview hides what changes");
  if (!isSame && !isSaid && hasHidden(before?.outputs["former"]))
    texts.push("the preview hides former groups of earlier changes: up deletes those whose time is over");
  return texts.map((text) => ({ resource: urn, text }));
}

/** What the list of customers has. */
const listedCodes = ["claim-taken-over", "former-token", "new-token", "possible-new-token", "to-be-settled"];

/** The warnings of the preview that say more than the list of customers. They name customers by their IDs, which may be secret. */
function warningsIn({ resources, warnings }: Preview): Note[] {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const lines = warnings.filter(({ urn, code }) => {
    const { before, after } = byUrn.get(urn) ?? {};
    const isHiddenId = [before?.outputs, after?.inputs].some(
      (all) => isHidden(all?.["userGroupId"]) || isHidden(all?.["groups"]),
    );
    if (isHiddenId || listedCodes.includes(code)) return false;
    return (
      code !== "planned-changes" ||
      hasHidden([before?.outputs["former"], before?.outputs["groups"], after?.inputs])
    );
  });
  const unique = new Map(lines.map(({ urn, message }) => [urn + message, { resource: urn, text: message }]));
  return [...unique.values()];
}
