/** Invariant 3: a state claims only what it knows. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Declared, ResourceState } from "../../support/model/resources";
import { idsOf } from "../program";
import type { Instance, Service } from "../service";
import { claimsIn, claimsOf, isCurrent, type Claim, type Values } from "./claims";
import { breaks, isDelivered, isSuccess, messagesOf, namedIn, type Step, type StepRequest } from "./step";

export interface Readings {
  /** Whether responses show what the service has stored. */
  readonly showsStored: boolean;
  /** `changes: update` */
  readonly updates: boolean;
}

/** What the states can know after the commands so far. */
export class Knowledge {
  /** ID in the service → names of resources that can't know what became of the group until they request it. */
  readonly #outdated = new Map<string, Set<string>>();
  /** Groups whose creation was confirmed to a command that recorded it. */
  readonly #confirmed = new Set<Instance>();
  /** The values that were sent for a group. */
  readonly #sent = new Map<Instance, Values[]>();

  constructor(
    private readonly service: Service,
    private readonly readings: Readings,
  ) {}

  /** Somebody else has changed the group. */
  noteMeanwhile(providedId: string, states: readonly ResourceState[]): void {
    for (const claim of states.flatMap(claimsIn))
      if (claim.providedId === providedId) this.#noteOutdated(providedId, claim.resource.name);
  }

  /** Notes what the requests of a step have told the resources, and what of it no state can have recorded. */
  note(step: Step): void {
    const { requests, outcome, program } = step;
    for (const { name, aliases = [] } of program)
      for (const resources of this.#outdated.values())
        if (aliases.some((alias) => resources.has(alias))) resources.add(name);
    const last = requests.at(-1);
    for (const request of requests) {
      const { entry, instance, operation } = request;
      const isLost = outcome.wasKilled && operation === last?.operation && request.resource === last.resource;
      if (instance) this.#noteSent(instance, request);
      if (instance && entry.effect === "created" && isDelivered(request) && !isLost)
        this.#confirmed.add(instance);
      for (const resource of requestersOf(request, step)) this.#noteRequest(request, resource, isLost, step);
      if (instance && entry.effect === "deleted") this.#noteDeleted(instance, step);
      if (instance && entry.effect === "updated") this.#noteUpdated(instance, request, step);
    }
  }

  #noteRequest(request: StepRequest, resource: string, isLost: boolean, { outcome, program }: Step): void {
    const { entry, userGroupId, operation } = request;
    const hasFailed = outcome.failures.some(({ name }) => name === resource);
    // The engine records nothing of a creation without a response, and of a deletion that failed in part.
    const isUnrecorded =
      hasFailed &&
      (isDelivered(request)
        ? operation === "delete" && entry.method === "DELETE"
        : operation === "create" || entry.method === "DELETE");
    const { aliases = [] } = program.find(({ name }) => name === resource) ?? {};
    if (isLost || isUnrecorded)
      for (const name of [resource, ...aliases]) this.#noteOutdated(userGroupId, name);
    else if (!hasFailed && entry.effect !== "none" && entry.effect !== "refused")
      this.#outdated.get(userGroupId)?.delete(resource);
  }

  /** The engine shows the state of a resource that leaves the program only when the others are done. */
  #noteDeleted(instance: Instance, { before, program }: Step): void {
    for (const { providedId, token, resource } of before.flatMap(claimsIn))
      if (
        this.service.instanceOf(providedId, token) === instance &&
        !program.some(({ name }) => name === resource.name)
      )
        this.#noteOutdated(providedId, resource.name);
  }

  /** A service that updates groups has the values of a creation that failed. */
  #noteUpdated(instance: Instance, { resource }: StepRequest, { before, outcome }: Step): void {
    if (!outcome.failures.some(({ name }) => name === resource)) return;
    for (const { providedId, token, resource: other } of before.flatMap(claimsIn))
      if (other.name !== resource && this.service.instanceOf(providedId, token) === instance)
        this.#noteOutdated(providedId, other.name);
  }

  #noteOutdated(providedId: string, resource: string): void {
    this.#outdated.set(providedId, (this.#outdated.get(providedId) ?? new Set()).add(resource));
  }

  #noteSent(instance: Instance, { entry }: StepRequest): void {
    const { data } = sent.safeParse(entry.body);
    if (entry.method !== "GET" || !data) return;
    const { name, mapping = {}, properties = {} } = data;
    this.#sent.set(instance, [...(this.#sent.get(instance) ?? []), { name, mapping, properties }]);
  }

  /** Each group of a state has the token and the values that the state says; an adopted one may have another mapping. */
  checkClaims(step: Step): void {
    const { before, after, title } = step;
    const messages = messagesOf(step);
    const named = new Set(messages.flatMap(namedIn));
    const namesFew = messages.some((message) => / and \d+ more/.test(message));
    const adopted = new Set(
      before
        .filter(({ isExternal }) => !isExternal)
        .flatMap(claimsOf)
        .flatMap((claim) => (claim.adopted ? [claim.providedId] : [])),
    );
    for (const claim of after.flatMap(claimsIn)) {
      const { resource, userGroupId, providedId } = claim;
      // A resource that is still to be deleted claims nothing: the one in its place does.
      if (resource.status !== "live") continue;
      if (
        claim.adopted &&
        isCurrent(claim) &&
        !adopted.has(providedId) &&
        !namesFew &&
        !named.has(userGroupId)
      )
        breaks(3, `"${userGroupId}" became adopted in ${resource.name} without a warning`);
      if (this.#outdated.get(providedId)?.has(resource.name)) continue;
      this.#checkClaim(claim, `the state of ${resource.name} after ${title}`, step);
    }
  }

  #checkClaim(claim: Claim, where: string, step: Step): void {
    const { userGroupId, providedId, token, adopted } = claim;
    const instance = this.service.instanceOf(providedId, token);
    const group = instance && this.service.valuesOf(instance);
    if (!instance || !group) breaks(3, `${where} has a token of "${userGroupId}" that belongs to no group`);
    if (this.#looksLikeAnother(claim, instance)) return;
    if (!adopted && !this.#confirmed.has(instance))
      breaks(3, `${where} says that it created "${userGroupId}", which no response said`);
    // Of two states that contradict each other, the next `up` says it.
    const isSettled = isSuccess(step) && step.command === "up";
    if (!isSettled && this.#contradicting(claim, step.after.flatMap(claimsIn), allFields)) return;
    for (const field of this.#fieldsOf(claim, instance)) {
      const possible = [claim.values, ...(claim.isDoubted ? (this.#sent.get(instance) ?? []) : [])];
      if (possible.some((each) => isDeepStrictEqual(each[field] ?? {}, group[field] ?? {}))) continue;
      breaks(
        3,
        `${where} claims ${field} ${JSON.stringify(claim.values[field])} of "${userGroupId}" (adopted: ${adopted}); ` +
          `the service has ${JSON.stringify(group[field])}`,
      );
    }
  }

  /** Nothing tells a group that was created without a response, or by somebody else, from a former one with the same token. */
  #looksLikeAnother({ providedId, token }: Claim, instance: Instance): boolean {
    return !this.#confirmed.has(instance) && this.service.instancesOf(providedId, token).length > 1;
  }

  /** The fields of which the state knows the values. */
  #fieldsOf(claim: Claim, { isByOthers }: Instance): readonly (keyof Values)[] {
    const isShown = !claim.adopted || (this.readings.showsStored && isCurrent(claim));
    const isDerived = claim.providedId !== claim.userGroupId && !this.readings.updates && !isByOthers;
    return [
      ...(isShown ? (["name", "properties"] as const) : []),
      ...(!claim.adopted || isDerived ? (["mapping"] as const) : []),
    ];
  }

  /** A claim of the same group with other values. */
  #contradicting(
    claim: Claim,
    others: readonly Claim[],
    fields: readonly (keyof Values)[],
  ): Claim | undefined {
    const instance = this.service.instanceOf(claim.providedId, claim.token);
    return others.find(
      ({ providedId, token, values }) =>
        token === claim.token &&
        this.service.instanceOf(providedId, token) === instance &&
        fields.some((field) => !isDeepStrictEqual(values[field], claim.values[field])),
    );
  }

  /** No `up` succeeds while two states that it met contradict each other about the mapping of a group. */
  checkAgreement(step: Step): void {
    const after = step.after.flatMap(claimsIn);
    // A group that has yet to leave a state is in doubt there until the next `up`.
    const isLeaving = ({ resource, token }: Claim) =>
      after.some((each) => each.isDoubted && each.token === token && each.resource.name === resource.name);
    const met = step.before.flatMap(claimsIn).filter((claim) => isMet(claim, step) && !isLeaving(claim));
    const certain = after.filter(({ isDoubted }) => !isDoubted);
    for (const claim of certain) {
      const { resource, userGroupId, providedId, token, values } = claim;
      const instance = this.service.instanceOf(providedId, token);
      if (!instance?.isAlive || this.#looksLikeAnother(claim, instance)) continue;
      const isTrue = isDeepStrictEqual(values.mapping, this.service.valuesOf(instance)?.mapping ?? {});
      const other = this.#contradicting(claim, isTrue ? certain : [...certain, ...met], ["mapping"]);
      if (other)
        breaks(3, `${resource.name} and ${other.resource.name} contradict each other about "${userGroupId}"`);
    }
  }

  /** An update knows that its resource created a group. With `adopt: false`, an `up` adopts none. */
  checkAdoption({ before, after, program, outcome, requests }: Step): void {
    const isOf = (name: string) => (each: Declared) => [each.name, ...(each.aliases ?? [])].includes(name);
    const known = before.filter(({ status }) => status === "live").flatMap(claimsIn);
    for (const { resource, userGroupId, providedId, token, adopted } of after.flatMap(claimsIn)) {
      const declared = program.find(isOf(resource.name));
      const own = known.find(
        (claim) =>
          claim.providedId === providedId &&
          claim.token === token &&
          program.find(isOf(claim.resource.name)) === declared,
      );
      if (!adopted || !declared || own?.adopted) continue;
      const refuses = "adopt" in declared.args && declared.args.adopt === false;
      if (refuses && !own) breaks(3, `${resource.name} adopted "${userGroupId}" with adopt: false`);
      // A new group may have the token of the deleted one, and the response that calls it new may be lost.
      const isNew = requests.some(
        ({ entry, userGroupId: id }) => entry.effect === "created" && id === providedId,
      );
      if (own && !isNew && outcome.changes[resource.name] === "update")
        breaks(3, `the state of ${resource.name} forgot that it created "${userGroupId}"`);
    }
  }

  /** A doubt is ended by the next `up`. */
  checkDoubts({ requests, after }: Step): void {
    const doubted = after.flatMap(claimsIn).find(({ isDoubted }) => isDoubted);
    if (requests.length === 0 && doubted)
      breaks(3, `up had nothing to do, but the values of "${doubted.userGroupId}" are in doubt`);
  }
}

/** A refresh reads the current groups of all resources at the same time. */
function requestersOf({ resource, userGroupId }: StepRequest, { command, before }: Step): string[] {
  if (command !== "refresh") return [resource];
  return before
    .flatMap(claimsIn)
    .filter((claim) => claim.providedId === userGroupId && isCurrent(claim))
    .map(({ resource: { name } }) => name);
}

/**
 * Whether the engine shows the claim to the provider: with `retainOnDelete`, not if the group leaves the resource, if an option replaces
 * that, or if an earlier command has.
 */
function isMet({ resource, userGroupId }: Claim, { program, replaced }: Step): boolean {
  const { name, status, retainOnDelete } = resource;
  const declared = program.find((each) => [each.name, ...(each.aliases ?? [])].includes(name));
  if (!retainOnDelete) return true;
  const isStaying = declared !== undefined && idsOf(declared).includes(userGroupId);
  return isStaying && status === "live" && !replaced.includes(declared.name);
}

const allFields = ["name", "mapping", "properties"] as const;

const sent = z.object({
  name: z.string(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
});
