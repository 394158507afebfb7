/**
 * The decisions about a group, each a pure function of the deployment's facts and of the service's response:
 *
 * 1. Two states have the same group if connection and ID are the same, or the token.
 * 2. A state proves its mapping if this stack created the group (`adopted` is false) and the token is the same since.
 * 3. A group leaves a state only if it was deleted, or if another resource has it. A declaration isn't enough.
 * 4. A group isn't deleted while another resource has it.
 * 5. Creation deletes no group that the state of another resource has: if it then failed, that state would keep a dead token.
 * 6. If two states have one group with different mappings, the state that proves its mapping is right.
 */
import type { GetOrCreateResult } from "../../service/client";
import type { Settings } from "../../settings/readSettings";
import { isUnknown } from "../../values";
import { changedFields, keeperFields, replacingFields } from "../changes";
import type { Group, RecordedGroup } from "../group/recordedGroup";
import type { Declared, DeploymentFacts, GroupFields, GroupKey, KeyedFact, Seen } from "./facts";

/** If the state of this stack has other values of these fields, the group is created again. */
const recreatingFields = [...replacingFields, ...keeperFields];

/** The fields whose former values the service still has after an adoption, without a sign of it. */
const unseenFields = ["mapping", ...keeperFields] as const;

export interface CreationRequest {
  readonly key: GroupKey;
  readonly group: Group;
  readonly adopt: boolean;
  readonly changes: Settings["changes"];
}

export type Creation =
  | "created"
  | "adopted"
  /** A state of this stack has the group with these values. */
  | { readonly movedFrom: RecordedGroup }
  /** The group has other values, and is deleted and created again: this resource replaces it, or a lookup has created it. */
  | { readonly recreated: "recreated" | "recreated after a lookup" }
  | "mapping-conflict"
  | "adoption-refused"
  | "adoption-ambiguous"
  /** The deletion of a replacement was skipped, or had no effect. */
  | { readonly retained: RecordedGroup }
  /** A resource of the program has the group by another connection. */
  | "declared-twice"
  /** The token belongs to a group with another ID. */
  | "wrong-group";

export function decideCreation(
  facts: DeploymentFacts,
  { key, group, adopt, changes }: CreationRequest,
  { isNew, isPossiblyApplied, group: { token } }: GetOrCreateResult,
): Creation {
  const states = facts.withToken(token).filter(isState);
  const [other] = states.filter((state) => state.key !== key);
  if (other && other.group.userGroupId !== group.userGroupId) return "wrong-group";
  if (isNew) return "created";
  const replaced = replacementOf(facts, key);
  if (replaced?.token === token) return { retained: replaced };
  const former = states.findLast((state) => !state.group.adopted) ?? states.at(-1);
  if (former && isDeleted(facts, token)) return { retained: former.group };
  if (other && declarationOf(facts, other.key)) return "declared-twice";
  if (!former && !adopt) return isPossiblyApplied ? "adoption-ambiguous" : "adoption-refused";
  // The state of this resource has another token: probably a killed run created this group, with values that nobody knows.
  const isAfterKill = !former && facts.of(key).some(({ kind }) => kind === "recorded");
  if (changes === "replace" && (replaced || isAfterKill)) return { recreated: "recreated" };
  if (!former) return "adopted";
  const isLookup = former.kind === "looked up";
  const fields = isLookup ? replacingFields : recreatingFields;
  if (changedFields(fields, former.group, group).length === 0) return { movedFrom: former.group };
  if (changes === "update") return "adopted";
  return isLookup ? { recreated: "recreated after a lookup" } : "mapping-conflict";
}

/** gone: this deployment has deleted the group already. The warnings (kept) and errors of a group say what the others mean. */
export type Deletion =
  | "delete"
  | "gone"
  | "kept"
  | "kept for lookups"
  | "kept with an unknown mapping"
  | "mapping-conflict"
  | "unconfirmed"
  | "stale"
  | "shared";

/** Whether another resource has the group, so that it only leaves the state. */
export function isKept(deletion: Deletion): deletion is Extract<Deletion, `kept${string}`> {
  return deletion.startsWith("kept");
}

export interface DeletionRequest {
  readonly key: GroupKey;
  readonly stored: RecordedGroup;
  readonly changes: Settings["changes"];
  /** `update`: an update of a `UserGroups` removes the group. `recreate`: it deletes the group to create it again. */
  readonly by: "engine" | "update" | "recreate";
  /** Whether lookups keep a group. In `pulumi destroy` they don't. */
  readonly isDestroy: boolean;
}

export function decideDeletion(facts: DeploymentFacts, request: DeletionRequest): Deletion {
  const { key, stored, changes, by, isDestroy } = request;
  const { token } = stored;
  if (isDeleted(facts, token)) return "gone";
  if (facts.withToken(token).some((fact) => fact.kind === "refused" && fact.key !== key)) return "shared";
  const isReplaced =
    by === "recreate" || replacementOf(facts, key)?.token === token || isReplacedByEngine(facts, key, token);
  const holders = holdersOf(facts, key, token).filter(
    (holder) => (holder.kind !== "looked up" || !isDestroy) && (!isReplaced || holder.key !== key),
  );
  const resources = holders.filter(({ kind }) => kind !== "looked up");
  const holder = resources.findLast(({ group }) => !group.adopted) ?? resources.at(-1);
  if (isReplaced) return holders.length > 0 ? "shared" : "delete";
  if (!holder) return holders.length > 0 ? "kept for lookups" : decideUnheld(facts, request);
  // With the token of a response, the group isn't the one of the deletion any more.
  if (holder.group.token !== token) return holder.kind === "recorded" ? "stale" : "kept";
  const fields = changes === "update" ? keeperFields : unseenFields;
  if (changedFields(fields, holder.group, stored).length === 0) return "kept";
  // The holder of the same token didn't create the group, even if its state says so after a lost response.
  if (!holder.group.adopted && stored.adopted) return "kept";
  // The holder had the group before this deployment: a former program is restored, or a refresh has replaced the token.
  return stored.adopted && holder.kind === "recorded" ? "kept with an unknown mapping" : "mapping-conflict";
}

/** No other resource has the group, but one may declare it. */
function decideUnheld(facts: DeploymentFacts, { key, stored, by }: DeletionRequest): Deletion {
  const declared = declarationOf(facts, key);
  if (!declared) return "delete";
  const isTried = facts.of(key).some(({ kind }) => kind === "tried");
  if (by === "update" || isTried) return "unconfirmed";
  // `--replace` with `deleteBeforeReplace`: the same resource creates the group next.
  return changedFields(recreatingFields, stored, declared.values).length === 0 ? "kept" : "delete";
}

/**
 * The problems of a declaration: another resource declares the same group, the update of another resource deletes it and may
 * run first, or the state of another resource, which no longer declares it, has other values.
 */
export function decideDeclaration(facts: DeploymentFacts, key: GroupKey, { resource, values }: Declared) {
  const known = facts.of(key);
  const others = known.filter((fact) => fact.kind === "declared" && fact.resource !== resource);
  const isHeld = holdersOf(facts, key).length > 0;
  return {
    isDeclaredTwice: resource !== undefined && others.length > 0,
    isRemovedBefore: !isHeld && known.some(({ kind }) => kind === "removed"),
    isMovedWithChanges:
      !isHeld && known.some((fact) => fact.kind === "leaving" && hasOtherValues(values, fact.group)),
  };
}

/** Whether values that are known differ from those of a state. */
export function hasOtherValues(values: GroupFields, former: RecordedGroup): boolean {
  return changedFields(recreatingFields, former, values).some((field) => !isUnknown(values[field]));
}

export function declarationOf(facts: DeploymentFacts, key: GroupKey) {
  return facts.of(key).findLast((fact) => fact.kind === "declared");
}

/** The group that diff has announced to be deleted and created again, until one of both happens. */
function replacementOf(facts: DeploymentFacts, key: GroupKey): RecordedGroup | undefined {
  const last = facts.of(key).findLast(({ kind }) => ["replaced", "deleted", "held"].includes(kind));
  return last?.kind === "replaced" ? last.group : undefined;
}

/** The engine checks a resource again without its state if it replaces the resource, for example because of an option. */
function isReplacedByEngine(facts: DeploymentFacts, key: GroupKey, token: string): boolean {
  const known = facts.of(key);
  const recorded = known.findLastIndex((fact) => fact.kind === "recorded" && fact.group.token === token);
  const later = recorded < 0 ? [] : known.slice(recorded);
  const isFresh = later.some((fact) => fact.kind === "declared" && fact.isFresh);
  return isFresh && !later.some(({ kind }) => kind === "tried");
}

/** A state of this stack. A lookup counts if it created the group in this deployment. */
function isState(fact: KeyedFact): fact is Seen & KeyedFact {
  if (fact.kind === "looked up") return !fact.group.adopted;
  return ["recorded", "leaving", "held"].includes(fact.kind);
}

/** The resources of the program that have the group, oldest first. */
function holdersOf(facts: DeploymentFacts, key: GroupKey, token?: string): (Seen & KeyedFact)[] {
  const known = token === undefined ? [] : facts.withToken(token).filter((fact) => fact.key !== key);
  return [...known, ...facts.of(key)].filter(
    (fact): fact is Seen & KeyedFact =>
      ["held", "looked up", "recorded"].includes(fact.kind) &&
      "group" in fact &&
      !isDeleted(facts, fact.group.token),
  );
}

export function isDeleted(facts: DeploymentFacts, token: string): boolean {
  return facts.withToken(token).some(({ kind }) => kind === "deleted");
}
