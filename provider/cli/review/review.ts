/**
 * What a previewed change does to customers, over all resources of the program: each customer once. The plan of the core says what becomes of
 * a group in its resource; a group that leaves one and that another one declares moves.
 */
import { enforceDeletionLimit } from "../../core/change/guards";
import type { PlannedChange } from "../../core/change/plan";
import { asShown } from "../../core/state/group";
import { UserGroupError } from "../../errors";
import { isEqual, isUnknown, type JsonObject } from "../../values";
import { moved, reviewOfChange, shown, type Declared } from "./effects";
import { outcomes, type CustomerReview, type GuardReview, type Note, type Review } from "./outcomes";
import type { Preview, PreviewedResource } from "./preview";
import { planOf, type ResourcePlan, type ReviewContext } from "./resourcePlan";
import { hasHidden, hidden, isHidden } from "./secrets";

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
