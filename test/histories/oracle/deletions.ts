/** Invariants 1 and 2, and the guards of a `UserGroups`: what a command deletes, what leaves a state, and what it leaves behind. */
import { z } from "zod";
import { urnOf, type ResourceState } from "../../support/model/resources";
import { idsOf } from "../program";
import { tokenOf, type Instance, type Service } from "../service";
import { claimsIn, isCurrent, isOver, type Claim } from "./claims";
import { breaks, isDelivered, messagesOf, type Step, type StepRequest } from "./step";

/** 1. Each DELETE carries a token that the state of its resource has, or one that was new in this deployment, and only once. */
export function checkDeletions({ requests, before, program }: Step): void {
  const created = new Set<string>();
  const deleted = new Set<string>();
  for (const request of requests) {
    const { entry, userGroupId, token = "", resource, states } = request;
    const key = `${userGroupId} ${token}`;
    if (entry.effect === "created" && isDelivered(request)) {
      created.add(key);
      deleted.delete(key);
    }
    if (entry.method !== "DELETE") continue;
    const names = [resource, ...(program.find(({ name }) => name === resource)?.aliases ?? [])];
    const own = [...before, ...states].filter(({ name }) => names.includes(name)).flatMap(claimsIn);
    const what = `${resource} sent a DELETE of "${userGroupId}" (${entry.effect}) with a token that`;
    if (!created.has(key) && !own.some((claim) => `${claim.providedId} ${claim.token}` === key))
      breaks(1, `${what} its state didn't have`);
    if (deleted.has(key)) breaks(1, `${what} this command had deleted`);
    if (entry.effect === "deleted" && isDelivered(request) && !created.has(key)) deleted.add(key);
  }
}

/** 2. A group leaves the states only if it was deleted, a response shows that it is gone, or the user said that it stays. */
export function checkLeft(step: Step, service: Service): void {
  const kept = step.after.flatMap(claimsIn);
  for (const claim of step.before.flatMap(claimsIn)) {
    const { providedId, token, resource } = claim;
    const instance = service.instancesOf(providedId, token).find((each) => step.living.has(each));
    const isKept = kept.some(
      (other) =>
        (other.providedId === providedId && other.token === token) ||
        (instance && service.instanceOf(other.providedId, other.token) === instance),
    );
    if (isKept || isReleased(claim, step)) continue;
    const where = `"${providedId}" was in the state of ${resource.name}`;
    if (instance?.isAlive && tokenOf(instance) === token)
      breaks(2, `${where}; it exists, and is in no state`);
    const isReplaced = kept.some((other) => other.providedId === providedId && other.token !== token);
    if (!isReplaced && !step.requests.some((request) => showsGone(request, claim, service)))
      breaks(2, `${where}, and left it although no response showed that it is gone`);
  }
}

/** A confirmed deletion, a new group under its ID or with its token, or another token under its ID. */
function showsGone(request: StepRequest, { providedId, token }: Claim, service: Service): boolean {
  const { entry, instance, userGroupId } = request;
  if (!isDelivered(request) || !instance) return false;
  if (entry.effect === "deleted") return service.instancesOf(providedId, token).includes(instance);
  if (entry.effect === "created") return userGroupId === providedId || request.token === token;
  return entry.method === "GET" && userGroupId === providedId && request.token !== token;
}

/** The user has said that the group stays in the service when it leaves this resource. */
function isReleased(claim: Claim, step: Step): boolean {
  const { program, command, outcome, after } = step;
  const { resource, userGroupId } = claim;
  if (command === "refresh") return false;
  const declared = program.find((each) => urnOf(each) === urnOf(resource));
  const retains = (value: object = {}) => "removed" in value && value.removed === "retain";
  const isReplaced = resource.status !== "live" || outcome.changes[resource.name] === "replace";
  const isRemoved = isReplaced || !declared || !idsOf(declared).includes(userGroupId);
  // A former group with the token of another group can't be deleted, so it stays, too.
  const isShared = after.flatMap(claimsIn).some((other) => isOtherWithToken(other, claim));
  const isRetainable = isCurrent(claim) || isShared || !isOver(claim, step);
  if (isRetainable && isRemoved && (retains(resource.outputs) || retains(declared?.args))) return true;
  const isRetained = resource.retainOnDelete || declared?.retainOnDelete === true;
  // An update is one of the live state. Another one with the same name leaves after its replacement.
  return isRetained && (resource.status !== "live" || outcome.changes[resource.name] !== "update");
}

function isOtherWithToken(other: Claim, { providedId, token }: Claim): boolean {
  return other.token === token && other.providedId !== providedId;
}

/** 2. A group that a command has created is in a state; or its creation or deletion had no response, and a message names it. */
export function checkCreated(step: Step): void {
  const { requests, after, title } = step;
  const messages = messagesOf(step).join("\n");
  for (const request of requests) {
    const { entry, instance, userGroupId } = request;
    if (entry.effect !== "created" || !instance?.isAlive || hasToken(after, instance)) continue;
    const isCertain = isDelivered(request) && !requests.some((each) => isDeletionOf(each, instance));
    if (isCertain) breaks(2, `${title} created "${userGroupId}", and no state has it`);
    if (!messages.includes(`"${userGroupId}"`))
      breaks(2, `nothing names "${userGroupId}", which is in no state`);
  }
}

function isDeletionOf({ entry, userGroupId, token = "" }: StepRequest, instance: Instance): boolean {
  return entry.method === "DELETE" && userGroupId === instance.userGroupId && instance.tokens.has(token);
}

/** Whether a state, lookups among them, has the group. */
export function hasToken(states: readonly ResourceState[], { tokens }: Instance): boolean {
  const texts = JSON.stringify(states.map(({ outputs }) => outputs));
  return [...tokens].some((token) => texts.includes(JSON.stringify(token)));
}

/** The deletion of a group that is gone, and that nobody has created again, doesn't fail for it. */
export function checkGone({ requests, outcome, living, isElsewhere }: Step): void {
  if (isElsewhere || requests.some(({ entry }) => entry.fault)) return;
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  for (const { entry, userGroupId, resource } of requests) {
    if (entry.method !== "DELETE" || entry.effect !== "refused") continue;
    const isThere =
      [...living].some((each) => isSame(each.userGroupId, userGroupId)) ||
      requests.some((each) => each.entry.effect === "returned" && isSame(each.userGroupId, userGroupId));
    const failed = outcome.failures.find(
      ({ name, message }) => name === resource && message.includes(`"${userGroupId}"`),
    );
    if (failed && !isThere)
      breaks("remedy", `the deletion of "${userGroupId}" failed, which was gone already`);
  }
}

/**
 * A command deletes no more groups of a state than its `deletionLimit`, and with `removed: "retain"` none that leaves, but former ones whose
 * time is over. A program that has the resource states its guards; one that leaves a guard out changes the state only.
 */
export function checkGuards(step: Step, service: Service): void {
  const { command, requests, before, program, replaced, time } = step;
  if (command === "refresh") return;
  for (const state of before.filter(({ provider }) => provider === "userGroups")) {
    const instancesIn = (resource: ResourceState) =>
      claimsIn(resource).map(({ providedId, token }) => service.instanceOf(providedId, token));
    // Two states may have a group. Each deletes its own.
    const others = before.filter(({ name }) => name !== state.name);
    const deleted = requests.flatMap(({ entry, instance, resource, operation }) => {
      const isOfOther =
        others.some((each) => each.name === resource && instancesIn(each).includes(instance)) ||
        (state.status !== "live" && operation !== "delete");
      return entry.effect === "deleted" && instance && !isOfOther ? [instance] : [];
    });
    const own = claimsIn(state).filter((claim) => {
      const instance = service.instanceOf(claim.providedId, claim.token);
      return instance && deleted.includes(instance) && !isOver(claim, { time });
    });
    const declared = program.find(({ name, aliases = [] }) => [name, ...aliases].includes(state.name));
    const ofState = guards.parse(state.outputs);
    const stated = guards.parse(declared?.args ?? {});
    const { deletionLimit = Infinity, removed } =
      declared && replaced.includes(declared.name) ? stated : { ...ofState, ...stated };
    const current = own.filter(isCurrent);
    if (current.length > deletionLimit)
      breaks("guard", `${current.length} groups of ${state.name} were deleted, against its limit`);
    const left = own.find((claim) => isLeaving(claim, step));
    if (removed === "retain" && left)
      breaks("guard", `"${left.userGroupId}" of ${state.name} was deleted, against removed`);
  }
}

/** Whether the program has the customer no longer. A service may take two IDs for one group. */
function isLeaving({ userGroupId, token, resource }: Claim, { before, program }: Step): boolean {
  const declared = new Set(program.flatMap(idsOf));
  const ofName = before.filter(({ name }) => name === resource.name).flatMap(claimsIn);
  const staying = ofName.filter((each) => declared.has(each.userGroupId)).map((each) => each.token);
  return !declared.has(userGroupId) && !staying.includes(token);
}

/** The update of a resource whose program leaves out a guard of its state sends no request. */
export function checkDropped({ command, before, program, requests, replaced }: Step): void {
  if (command !== "up") return;
  for (const { name, aliases = [], args } of program) {
    const state = before.find((each) => each.status === "live" && [name, ...aliases].includes(each.name));
    if (!state || replaced.includes(name)) continue;
    const { removed, deletionLimit, overlap } = guards.parse(state.outputs);
    const stated = guards.parse(args);
    const isDropped =
      (removed === "retain" && stated.removed === undefined) ||
      (deletionLimit !== undefined && stated.deletionLimit === undefined) ||
      (overlap === true && stated.overlap === undefined);
    if (isDropped && requests.some(({ resource }) => resource === name))
      breaks("guard", `${name} sent requests, although its program has dropped a guard`);
  }
}

const guards = z.object({
  deletionLimit: z.number().optional(),
  removed: z.string().optional(),
  overlap: z.boolean().optional(),
});
