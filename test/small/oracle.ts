/**
 * The invariants of design section 2, checked after each command of a history. The oracle compares states, the service and its log; it
 * knows nothing of the product's decisions. Of a message it reads which group it names, and whether it tells to refresh.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { plainTexts, markedOf } from "../model/secrets";
import { urnOf, type Declared, type ResourceState } from "../model/resources";
import type { Change, Outcome } from "../model/run";
import type { Instance, SeenRequest, Service } from "./service";
import { idsOf, type Command } from "./program";

/** A request and the operation of the engine that made it. */
export interface StepRequest extends SeenRequest {
  readonly resource: string;
  readonly operation: string;
  /** The token that the group has now. */
  readonly current: string | undefined;
  /** The state at that moment. */
  readonly states: readonly ResourceState[];
}

/** What a preview said just before an `up`. */
export interface Preview {
  readonly outcome: Outcome;
  readonly printed: readonly string[];
  readonly requests: number;
}

/** A command of a history, and what came of it. */
export interface Step {
  readonly command: Command;
  readonly title: string;
  /** Empty for `destroy`. */
  readonly program: readonly Declared[];
  /** Names of resources that the engine replaces by itself, so that no diff can announce it. */
  readonly replaced: readonly string[];
  readonly before: readonly ResourceState[];
  readonly after: readonly ResourceState[];
  readonly living: ReadonlySet<Instance>;
  readonly requests: readonly StepRequest[];
  readonly outcome: Outcome;
  readonly printed: readonly string[];
  readonly preview: Preview | undefined;
}

/** Which invariant a step broke, and how. */
export class BrokenInvariant extends Error {
  constructor(
    readonly invariant: 1 | 2 | 3 | 4 | 5 | 6 | "guard" | "remedy",
    message: string,
  ) {
    super(`Invariant ${invariant}: ${message}`);
  }
}

/** A group in a state. */
interface Claim {
  readonly resource: ResourceState;
  readonly userGroupId: string;
  /** The ID that the service has for it. */
  readonly providedId: string;
  readonly token: string;
  readonly adopted: boolean;
  /** Whether the state says that its values are in doubt. */
  readonly isDoubted: boolean;
  readonly values: Values;
}

interface Values {
  readonly name?: unknown;
  readonly mapping?: unknown;
  readonly properties?: unknown;
}

export class Oracle {
  /**
   * Groups that states can't know at the moment, because of somebody else, a kill, or a message that says to refresh; and the names of
   * the resources that have requested them successfully since.
   */
  readonly #unsure = new Map<string, Set<string>>();
  /** Groups that a killed command or a request without a response has created, and that no state knows. */
  readonly #unseen = new Set<Instance>();
  /** Values that are secrets in the program. */
  readonly #secrets: ReadonlySet<string>;

  constructor(
    private readonly service: Service,
    private readonly showsStored: boolean,
    secrets: ReadonlySet<string>,
  ) {
    this.#secrets = secrets;
  }

  /** Somebody else has changed the group. */
  noteMeanwhile(userGroupId: string): void {
    this.#unsure.set(userGroupId, new Set());
  }

  check(step: Step): void {
    this.#checkDeletions(step);
    this.#checkForgotten(step);
    this.#checkGuards(step);
    this.#checkOverlap(step);
    this.#checkSecrets(step);
    if (step.outcome.wasKilled) {
      this.#noteKill(step);
      return;
    }
    this.#noteUnseen(step);
    this.#checkNamed(step);
    this.#noteKnown(step);
    this.#checkClaims(step);
    if (isSuccess(step) && step.command === "up") {
      this.#checkDone(step);
      this.#checkPreview(step);
    }
    this.#noteDoubts(step);
  }

  #noteKill({ requests }: Step): void {
    for (const { userGroupId, entry, instance } of requests) {
      for (const id of bothIds(userGroupId)) this.noteMeanwhile(id);
      if (entry.effect === "created" && instance) this.#unseen.add(instance);
    }
  }

  /** 1. Each DELETE carries a token that the state of the resource held, or one that was new in this deployment. */
  #checkDeletions({ requests, before, program }: Step): void {
    const created: { userGroupId: string; token: string }[] = [];
    for (const { entry, userGroupId, token, instance, resource, states } of requests) {
      if (entry.effect === "created" && entry.status === 200 && instance)
        created.push({ userGroupId, token: [...instance.tokens].at(-1) ?? "" });
      if (entry.method !== "DELETE") continue;
      const names = [resource, ...(program.find(({ name }) => name === resource)?.aliases ?? [])];
      const own = [...before, ...states].filter(({ name }) => names.includes(name));
      const held = [...own.flatMap(tokensIn), ...created];
      const isOwn = held.some((group) => group.userGroupId === userGroupId && group.token === token);
      if (isOwn) continue;
      throw new BrokenInvariant(
        1,
        `${resource} sent a DELETE of "${userGroupId}" (${entry.effect}) with a token that its state didn't hold`,
      );
    }
  }

  /** 2. A group of a state that exists is in a state afterwards, unless the user has released it. */
  #checkForgotten({ before, after, program, living, command, requests }: Step): void {
    const kept = new Set(after.flatMap((resource) => this.#instancesIn(resource)));
    // In another account nothing but a creation shows whether a group is there. A refresh has a guard.
    const created = requests.filter(({ entry }) => command !== "refresh" && entry.effect === "created");
    const isGone = ({ account, userGroupId }: Instance) =>
      created.some((request) => request.userGroupId === userGroupId && request.instance?.account !== account);
    for (const resource of before) {
      if (command !== "refresh" && isReleased(resource, program)) continue;
      for (const instance of this.#instancesIn(resource)) {
        if (!living.has(instance) || !instance.isAlive || kept.has(instance)) continue;
        if (isGone(instance)) continue;
        throw new BrokenInvariant(
          2,
          `"${instance.userGroupId}" was in the state of ${resource.name}; it exists, and is in no state`,
        );
      }
    }
  }

  /** An `up` deletes no more groups of a state than its `deletionLimit`, and with `removed: "retain"` none that leaves. */
  #checkGuards({ command, requests, before, program }: Step): void {
    if (command !== "up") return;
    const deletions = requests.filter(({ entry }) => entry.effect === "deleted");
    const declared = new Set(program.flatMap(idsOf));
    for (const resource of before.filter(({ provider }) => provider === "userGroups")) {
      // Two states may have a group. Each deletes its own.
      const ofOthers = before.filter(({ name }) => name !== resource.name);
      const deleted = deletions.flatMap(({ instance, resource: name }) => {
        const deleting = ofOthers.find((each) => each.name === name);
        if (!instance || (deleting && this.#living(deleting, new Set([instance])).length > 0)) return [];
        return [instance];
      });
      const own = this.#living(resource, new Set(deleted));
      const { deletionLimit = Infinity, removed } = guards.parse(resource.outputs);
      if (own.length > deletionLimit)
        throw new BrokenInvariant(
          "guard",
          `${own.length} groups of ${resource.name} were deleted, against its deletionLimit`,
        );
      const left = own.find(({ userGroupId }) => !declared.has(userGroupId));
      if (removed === "retain" && left)
        throw new BrokenInvariant(
          "guard",
          `"${left.userGroupId}" of ${resource.name} was deleted, against its removed`,
        );
    }
  }

  /** 6. With `overlap`, no customer's current group of before an `up` is deleted in it, or replaced by one of another account. */
  #checkOverlap(step: Step): void {
    const { command, requests, after, program, replaced, preview } = step;
    // With a preview that fails, `up` doesn't begin, except with --skip-preview.
    if (command !== "up" || (preview && preview.outcome.failures.length > 0)) return;
    const wanted = program.filter(
      ({ name, args }) => "overlap" in args && args.overlap === true && !replaced.includes(name),
    );
    const current = new Set(wanted.flatMap(idsOf).flatMap((id) => currentGroups(id, step)));
    for (const { entry, instance, userGroupId } of requests) {
      if (entry.effect !== "deleted" || !instance) continue;
      const holder = [...current].find(
        ({ providedId, token }) => providedId === userGroupId && instance.tokens.has(token),
      );
      // A preview that doesn't know the groups of a resource says that it may delete some.
      if (!holder || preview?.outcome.unknown.has(holder.resource.name)) continue;
      if (!(preview && saysNewToken(preview, [holder.userGroupId])))
        throw new BrokenInvariant(6, `"${holder.userGroupId}" was deleted while applications have its token`);
    }
    for (const { resource, userGroupId, providedId, token } of isSuccess(step)
      ? after.flatMap(claimsIn)
      : []) {
      const [instance] = this.service.instancesOf(providedId, token);
      const own = [...current].find(
        (claim) => claim.userGroupId === userGroupId && claim.resource.name === resource.name,
      );
      const [former] = own ? this.service.instancesOf(own.providedId, own.token) : [];
      if (former?.isAlive && instance && instance.account !== former.account)
        throw new BrokenInvariant(6, `"${userGroupId}" got a group in another account`);
    }
  }

  #living(resource: ResourceState, instances: ReadonlySet<Instance>): Instance[] {
    const own = tokensIn(resource).flatMap(({ userGroupId, token }) =>
      this.service.instancesOf(userGroupId, token),
    );
    return own.filter((instance) => instances.has(instance));
  }

  #instancesIn(resource: ResourceState): Instance[] {
    if (resource.status === "pending replacement" || resource.isExternal) return [];
    return tokensIn(resource).flatMap(({ userGroupId, token }) => {
      const [first] = this.service.instancesOf(userGroupId, token);
      return first?.isAlive ? [first] : [];
    });
  }

  /** A command that succeeded has settled what it requested, and a refresh everything, except for groups that are still to be refreshed. */
  #noteKnown(step: Step): void {
    if (!isSuccess(step)) return;
    const unread = new Set(step.printed.filter((line) => line.includes("pulumi refresh")).flatMap(namedIn));
    for (const [id, known] of this.#unsure) {
      if (unread.has(id)) continue;
      for (const { userGroupId, resource } of step.requests)
        if (bothIds(userGroupId).includes(id)) known.add(resource);
      if (step.command === "refresh") this.#unsure.delete(id);
    }
  }

  #noteUnseen({ requests }: Step): void {
    for (const { entry, instance } of requests)
      if (entry.effect === "created" && entry.status === undefined && instance) this.#unseen.add(instance);
  }

  /** 2. A group that no state has, because the response to its creation was lost, is named by its ID in the service. */
  #checkNamed({ requests, after, outcome, printed }: Step): void {
    const known = new Set(after.flatMap(tokensIn).map(({ userGroupId }) => userGroupId));
    const messages = [...outcome.failures.map(({ message }) => message), ...printed].join("\n");
    for (const { entry, instance } of requests) {
      if (entry.effect !== "created" || !instance?.isAlive || known.has(instance.userGroupId)) continue;
      if (!messages.includes(`"${instance.userGroupId}"`))
        throw new BrokenInvariant(2, `nothing names "${instance.userGroupId}", which is in no state`);
    }
  }

  /** A message that says to refresh says that the states of the groups that it names may be wrong until then. */
  #noteDoubts({ outcome, printed }: Step): void {
    for (const message of [...outcome.failures.map((failure) => failure.message), ...printed])
      if (message.includes("pulumi refresh")) for (const id of namedIn(message)) this.noteMeanwhile(id);
  }

  /** 3. A state claims only what it knows. */
  #checkClaims(step: Step): void {
    const { before, after, outcome, printed } = step;
    const messages = [...outcome.failures.map(({ message }) => message), ...printed];
    const named = new Set(messages.flatMap(namedIn));
    const adoptedBefore = new Set(
      before.flatMap(claimsIn).flatMap(({ adopted, userGroupId }) => (adopted ? [userGroupId] : [])),
    );
    for (const claim of after.flatMap(claimsIn)) {
      const { resource, userGroupId, providedId, adopted } = claim;
      if (adopted && !adoptedBefore.has(userGroupId) && !named.has(userGroupId))
        throw new BrokenInvariant(3, `"${userGroupId}" became adopted in ${resource.name} without a warning`);
      const isDoubted = resource.initErrors.length > 0 || (!isSuccess(step) && named.has(userGroupId));
      const isUnsure = [userGroupId, providedId].some(
        (id) => this.#unsure.get(id)?.has(resource.name) === false,
      );
      if (!isDoubted && !isUnsure) this.#checkClaim(claim, step);
    }
    if (isSuccess(step) && step.command === "up") {
      this.#checkAgreement(after);
      this.#checkSettled(step);
    }
  }

  /** A doubt is settled by the next request about its group, or by the release of the group. */
  #checkSettled({ requests, after }: Step): void {
    const doubted = after.flatMap(claimsIn).find(({ isDoubted }) => isDoubted);
    if (requests.length === 0 && doubted)
      throw new BrokenInvariant(
        3,
        `the command had nothing to do, but the state still doubts the values of "${doubted.userGroupId}"`,
      );
  }

  #checkClaim(claim: Claim, step: Step): void {
    const { resource, userGroupId, providedId, token, adopted, values } = claim;
    // A resource that is still to be deleted claims no values: the one in its place does.
    if (resource.status !== "live") return;
    const [instance] = this.service.instancesOf(providedId, token);
    const group = instance?.isAlive ? instance.account.groups.get(providedId) : undefined;
    const where = `the state of ${resource.name} after ${step.title}`;
    // A warning said that the next `up` removes it from this state, because another resource has it.
    if (!group && claim.isDoubted && this.#isHeldByOther(claim, step)) return;
    // The engine records nothing of a destroy that fails in part: the group was deleted with what remained of a replaced resource.
    if (!group && instance && isDeletedByFailedDestroy(instance, step)) return;
    if (!instance || !group)
      throw new BrokenInvariant(3, `${where} has a token of "${userGroupId}" that belongs to no group`);
    // Nothing tells a group that was created unseen from the former one, if it has the same token.
    const isUnseen = instance.isForeign || this.#unseen.has(instance);
    if (isUnseen && this.service.instancesOf(providedId, token).length > 1) return;
    if (claim.isDoubted || this.#isInConflict(claim, instance, step)) return;
    if (adopted) this.#checkKept(claim, instance, group, step);
    if (adopted && !this.showsStored) return;
    const fields = adopted ? (["name", "properties"] as const) : (["name", "mapping", "properties"] as const);
    for (const field of fields)
      if (!isDeepStrictEqual(values[field] ?? {}, group[field] ?? {}))
        throw new BrokenInvariant(
          3,
          `${where} claims ${field} ${JSON.stringify(values[field])} of "${userGroupId}" (adopted: ${adopted}); ` +
            `the service has ${JSON.stringify(group[field])}`,
        );
  }

  #isHeldByOther({ resource, providedId }: Claim, { after }: Step): boolean {
    const others = after.filter((other) => other !== resource).flatMap(claimsIn);
    return others.some(
      (other) =>
        other.providedId === providedId && this.service.instancesOf(providedId, other.token)[0]?.isAlive,
    );
  }

  /** A refresh sends the values of each state. The one that created the group is right; the next `up` says that the other isn't. */
  #isInConflict({ adopted, resource }: Claim, instance: Instance, { command, after }: Step): boolean {
    if (command !== "refresh" || !adopted) return false;
    const others = after.filter((other) => other !== resource).flatMap(claimsIn);
    return others.some((claim) => {
      const [other] = this.service.instancesOf(claim.providedId, claim.token);
      return other === instance && !claim.adopted;
    });
  }

  /** What a state knew of a group isn't replaced by a claim that is wrong, as if the group were an unknown one. */
  #checkKept({ resource, userGroupId, values }: Claim, instance: Instance, group: Values, step: Step): void {
    const { before, after, title, program, replaced, requests } = step;
    if (!isSuccess(step) || step.command !== "up") return;
    const isTrue = (claimed: Values) => isDeepStrictEqual(claimed.mapping ?? {}, group.mapping ?? {});
    if (isTrue(values)) return;
    const knows = (former: Claim) => {
      const [instance] = this.service.instancesOf(former.providedId, former.token);
      const isSame = instance?.account.groups.get(former.providedId) === group;
      return isSame && instance.isAlive && !former.adopted && isTrue(former.values);
    };
    const inPlaceOf = (former: ResourceState) =>
      program.find(({ name, aliases = [] }) => [name, ...aliases].includes(former.name));
    // With retainOnDelete, the engine shows no provider the state of a resource that leaves the program, that an option replaces, or that
    // an earlier command has replaced.
    const isShown = ({ resource: former }: Claim) => {
      const declared = inPlaceOf(former);
      const isCompared =
        declared !== undefined && former.status === "live" && !replaced.includes(declared.name);
      return !former.retainOnDelete || isCompared;
    };
    // If the service returns another token, a group whose deletion was skipped looks like one that a killed command created.
    const isLikeUnseen = ({ resource: former, userGroupId, token }: Claim) =>
      former.retainOnDelete &&
      requests.some(
        ({ entry, resource: by, userGroupId: id, current }) =>
          entry.effect === "returned" &&
          by === inPlaceOf(former)?.name &&
          id === userGroupId &&
          current !== token,
      );
    const known = before
      .flatMap(claimsIn)
      .find((former) => knows(former) && isShown(former) && !isLikeUnseen(former));
    const superseding = before.find((former) =>
      formersIn(former).some(
        (each) => this.service.instancesOf(each.userGroupId, each.token)[0] === instance,
      ),
    );
    if (superseding)
      throw new BrokenInvariant(
        3,
        `${resource.name} after ${title} claims the program's mapping of "${userGroupId}", a former group of ${superseding.name}`,
      );
    if (known && !after.flatMap(claimsIn).some(knows))
      throw new BrokenInvariant(
        3,
        `${resource.name} after ${title} claims another mapping of "${userGroupId}" than ${known.resource.name}, which knew it`,
      );
  }

  /** No two states claim different values of one group. */
  #checkAgreement(after: readonly ResourceState[]): void {
    const seen = new Map<Instance, Claim>();
    for (const claim of after.flatMap(claimsIn)) {
      const [instance] = this.service.instancesOf(claim.providedId, claim.token);
      if (!instance?.isAlive || claim.isDoubted) continue;
      const other = seen.get(instance);
      if (other && other.userGroupId !== claim.userGroupId)
        throw new BrokenInvariant(
          3,
          `${other.resource.name} and ${claim.resource.name} have one group for "${other.userGroupId}" and "${claim.userGroupId}"`,
        );
      if (other && !isDeepStrictEqual(other.values, claim.values))
        throw new BrokenInvariant(
          3,
          `${other.resource.name} and ${claim.resource.name} claim different values of "${claim.userGroupId}"`,
        );
      seen.set(instance, claim);
    }
  }

  /** An `up` that succeeded has what its program declares. */
  #checkDone({ program, after }: Step): void {
    for (const declared of program) {
      const state = after.find((each) => urnOf(each) === urnOf(declared) && each.status === "live");
      const ids = new Set(state ? claimsIn(state).map(({ userGroupId }) => userGroupId) : []);
      for (const userGroupId of idsOf(declared))
        if (!ids.has(userGroupId))
          throw new BrokenInvariant(
            4,
            `the command succeeded, but ${declared.name} has no group "${userGroupId}"`,
          );
    }
  }

  /** 4. An `up` that succeeded did what its preview said. */
  #checkPreview({ preview, outcome, before, after, program, living, replaced }: Step): void {
    if (!preview) return;
    if (preview.requests > 0) throw new BrokenInvariant(4, "the preview sent requests");
    const said = preview.outcome.changes;
    for (const [name, change] of Object.entries(outcome.changes)) {
      if (preview.outcome.unknown.has(name) || isAsSaid(said[name], change)) continue;
      const ids = program.filter((declared) => declared.name === name).flatMap(idsOf);
      if (change === "replace" && saysNewToken(preview, ids)) continue;
      throw new BrokenInvariant(4, `the preview said ${said[name]} of ${name}; up did ${change}`);
    }
    const named = new Set(preview.printed.flatMap(namedIn));
    const saysUnknown = preview.printed.some((line) => /possibly|known/.test(line));
    for (const declared of program) {
      if (preview.outcome.unknown.has(declared.name) && saysUnknown) continue;
      const names = [declared.name, ...(declared.aliases ?? [])];
      const own = before.filter(
        ({ name, status }) => names.includes(name) && status === "live" && said[name] !== "delete",
      );
      for (const { userGroupId, token, resource } of own.flatMap(claimsIn)) {
        if (replaced.includes(declared.name) || named.has(userGroupId)) continue;
        const [instance] = this.service.instancesOf(userGroupId, token);
        if (!instance || instance.isAlive || !living.has(instance)) continue;
        const isHidden = resource.provider === "userGroups" || resource.id === idsOf(declared)[0];
        const isThere = after.flatMap(tokensIn).some((group) => group.userGroupId === userGroupId);
        if (isHidden)
          throw new BrokenInvariant(
            4,
            `the preview didn't name "${userGroupId}", which ${isThere ? "got a new token" : "was deleted"}`,
          );
      }
    }
  }

  /** 5. No token and no secret value is readable in a state. */
  #checkSecrets({ after }: Step): void {
    const tokens = new Set(this.service.instances.flatMap((instance) => [...instance.tokens]));
    for (const { name, inputs, outputs } of after)
      for (const [kind, properties] of Object.entries({ inputs, outputs }))
        for (const { path, text } of plainTexts(markedOf(properties))) {
          const isSecret = [...this.#secrets].some((secret) => text.includes(secret));
          if (tokens.has(text) || isSecret)
            throw new BrokenInvariant(5, `${path} in the ${kind} of ${name} is readable in the state`);
        }
  }
}

/** The message says that states still have deleted groups, and that a refresh creates these again. */
function isDeletedByFailedDestroy(instance: Instance, { command, outcome, requests }: Step): boolean {
  const saysRefresh = outcome.failures.some(({ message }) => message.includes("run pulumi refresh"));
  const isDeleted = requests.some(
    ({ entry, instance: other }) => entry.effect === "deleted" && other === instance,
  );
  return command === "destroy" && saysRefresh && isDeleted;
}

function isSuccess({ outcome }: Step): boolean {
  return outcome.failures.length === 0 && !outcome.wasKilled;
}

/** A preview can't tell an update from none if the resource is only to be completed. */
function isAsSaid(said: Change | undefined, done: Change): boolean {
  return said === done || (said === undefined && done === "delete");
}

/** Whether the user has said that groups which leave this resource stay in the service. */
function isReleased(resource: ResourceState, program: readonly Declared[]): boolean {
  const declared = program.find((each) => urnOf(each) === urnOf(resource));
  const retains = (value: object) => "removed" in value && value.removed === "retain";
  return (
    resource.retainOnDelete ||
    declared?.retainOnDelete === true ||
    retains(resource.outputs) ||
    (declared !== undefined && retains(declared.args))
  );
}

/** A warning said that a group of the resource may get a new token, because another resource removes it. */
function saysNewToken({ printed }: Preview, ids: readonly string[]): boolean {
  const lines = printed.filter((line) => line.includes("gets a new token"));
  return ids.some((id) => lines.some((line) => namedIn(line).includes(id)));
}

/** The groups that a message names, such as `"acme"`. */
function namedIn(message: string): string[] {
  return [...message.matchAll(/"([a-z]\d*(?:~\d+)?)"/g)].flatMap(([, id = ""]) => bothIds(id));
}

/** An ID in the service, and that of the customer. */
function bothIds(providedId: string): string[] {
  return [providedId, providedId.replace(/~\d+$/, "")];
}

const guards = z.object({
  deletionLimit: z.number().optional(),
  removed: z.string().optional(),
});
const values = z.object({
  name: z.unknown().optional(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
});
const former = z.object({ providedId: z.string(), token: z.string() });
const one = values.extend({
  token: z.string(),
  adopted: z.boolean().optional(),
  providedId: z.string().optional(),
  former: former.nullish(),
  lastChange: z.string().optional(),
});
const many = z.object({
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()).optional(),
  providedIds: z.record(z.string(), z.string()).nullish(),
  former: z.record(z.string(), former).nullish(),
  lastChange: z.record(z.string(), z.string()).default({}),
});

/** The groups of a customer with overlap whose tokens applications have: those of a resource that declares the customer, if there is one. */
function currentGroups(userGroupId: string, { before, program }: Step): Claim[] {
  const claims = before
    .filter(({ outputs }) => "overlap" in outputs && outputs.overlap === true)
    .flatMap(claimsIn)
    .filter((claim) => claim.userGroupId === userGroupId);
  const isDeclared = ({ resource }: Claim) =>
    resource.status === "live" &&
    program.some((each) => urnOf(each) === urnOf(resource) && idsOf(each).includes(userGroupId));
  const declared = claims.filter(isDeclared);
  return declared.length > 0 ? declared : claims;
}

/** The groups that a state says to have. */
function claimsIn(resource: ResourceState): Claim[] {
  if (resource.status === "pending replacement" || resource.isExternal) return [];
  if (resource.provider === "userGroup") {
    const {
      token,
      adopted = false,
      providedId = resource.id,
      name,
      mapping,
      properties,
      lastChange,
    } = one.parse(resource.outputs);
    const claimed = { name, mapping: mapping ?? {}, properties: properties ?? {} };
    const isDoubted = lastChange === "unknown";
    return [{ resource, userGroupId: resource.id, providedId, token, adopted, isDoubted, values: claimed }];
  }
  const { groups, tokens, adopted = [], providedIds, lastChange } = many.parse(resource.outputs);
  return Object.entries(groups).flatMap(([userGroupId, { name, mapping, properties }]) => {
    const token = tokens[userGroupId];
    if (token === undefined) return [];
    const claimed = { name, mapping: mapping ?? {}, properties: properties ?? {} };
    const providedId = providedIds?.[userGroupId] ?? userGroupId;
    const isAdopted = adopted.includes(userGroupId);
    const isDoubted = lastChange[userGroupId] === "unknown";
    return [{ resource, userGroupId, providedId, token, adopted: isAdopted, isDoubted, values: claimed }];
  });
}

/** Each ID and token in a state, those of former groups among them. */
function tokensIn(resource: ResourceState): { readonly userGroupId: string; readonly token: string }[] {
  const current = claimsIn(resource).map(({ providedId, token }) => ({ userGroupId: providedId, token }));
  return [...current, ...formersIn(resource)];
}

function formersIn(resource: ResourceState): { readonly userGroupId: string; readonly token: string }[] {
  const { former: one } = formerOfOne.safeParse(resource.outputs).data ?? {};
  const { former: many } = formerOfMany.safeParse(resource.outputs).data ?? {};
  const others = [...(one ? [one] : []), ...Object.values(many ?? {})];
  return others.map(({ providedId, token }) => ({ userGroupId: providedId, token }));
}

const formerOfOne = z.object({ former: former.nullish() });
const formerOfMany = z.object({ former: z.record(z.string(), former).nullish() });
