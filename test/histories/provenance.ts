/**
 * What is true of the groups beside what the state says: who created them, whether their mapping is certain, and which
 * are exactly as the program says. It is derived from the steps and from the requests, never from the product's state.
 */
import { isDeepStrictEqual } from "node:util";
import type { Emulator, RequestLogEntry } from "../../provider/src/testing";
import { isAnnounced } from "../faults/assertions";
import { groupsIn, groupsOf } from "../model/groups";
import type { ResourceState } from "../model/resources";
import type { Choices } from "./choices";
import type { Program } from "./historyProgram";
import { holds, idsIn, isTargeted, type Run, requestsTo } from "./driver";
import { SettledGroups } from "./settledGroups";
import type { EngineStep } from "./steps";
import { storedOf } from "./declarations";

export class Provenance {
  /** Groups that somebody else created and no state holds. */
  readonly foreign = new Set<string>();
  /** Groups of ours that no state holds: killed or failed creations that were announced, and retained groups. */
  readonly loose = new Set<string>();
  /** Groups whose mapping this stack's state can't know. */
  readonly unverified = new Set<string>();
  /** Groups that may have other values than the service shows. */
  readonly touched = new Set<string>();
  /** Groups whose values the service once showed other than it stored them. */
  readonly misshown = new Set<string>();
  /** Groups that a run wrote for two resources, with different values. */
  readonly contested = new Set<string>();
  readonly settled = new SettledGroups(this);

  constructor(
    readonly choices: Choices,
    readonly emulator: Emulator,
    readonly program: Program,
  ) {}

  noteCreatedOutside(userGroupId: string, isRecorded: boolean): void {
    if (!isRecorded) this.foreign.add(userGroupId);
    this.unverified.add(userGroupId);
    this.noteTouchedOutside(userGroupId);
  }

  noteTouchedOutside(userGroupId: string): void {
    this.touched.add(userGroupId);
    this.settled.forget(userGroupId);
  }

  noteDeletedOutside(userGroupId: string): void {
    this.#forget(userGroupId);
    this.noteTouchedOutside(userGroupId);
  }

  /** A group that another resource adopts may keep the values of its creation, whatever the service shows. */
  noteMoves(step: EngineStep, resources: readonly ResourceState[]): void {
    for (const { resource, userGroupId } of this.program.groups) {
      const others = resources
        .filter((each) => each.name !== resource || isTargeted(step, each))
        .filter((each) => holds(each, userGroupId));
      if (others.length > 0) this.touched.add(userGroupId);
      // The engine skips the deletion, and tells the provider nothing of that state.
      if (others.some(({ retainOnDelete }) => retainOnDelete)) this.unverified.add(userGroupId);
    }
  }

  noteRun(run: Run): void {
    const lookedUp = this.#lookedUp(run);
    const isComplete = !run.result.wasKilled && run.result.errors.length === 0;
    for (const request of requestsTo(this.emulator)) this.#noteRequest(request, lookedUp, isComplete);
    this.#noteConflicts(run);
    if (!isComplete) this.#noteIncomplete(run);
    this.#noteLoose(run);
    if (isComplete) this.settled.noteSuccess(run);
  }

  /** The service stores what we send when it creates or updates. What it shows is another matter. */
  #noteRequest(
    { userGroupId = "", method, effect, fault }: RequestLogEntry,
    lookedUp: ReadonlySet<string>,
    isRecorded: boolean,
  ): void {
    const isOdd = fault !== undefined && "field" in fault;
    const isWritten = effect === "created" || effect === "updated";
    if (isWritten && lookedUp.has(userGroupId)) {
      // A lookup sends the name only, and a resource may adopt what it has created.
      this.unverified.add(userGroupId);
      this.touched.add(userGroupId);
    } else if (isWritten) {
      this.unverified.delete(userGroupId);
      this.touched.delete(userGroupId);
    }
    if (effect === "created" && isRecorded) this.misshown.delete(userGroupId);
    if (isOdd && method === "GET") this.misshown.add(userGroupId);
  }

  /** The groups that a lookup of the program or of the state reads. */
  #lookedUp({ before }: Run): ReadonlySet<string> {
    const external = before.resources.filter(({ isExternal }) => isExternal).flatMap(groupsOf);
    const ids = external.map(({ userGroupId }) => userGroupId);
    return new Set(this.program.lookedUp === undefined ? ids : [...ids, this.program.lookedUp]);
  }

  /**
   * Two resources with different values of one group: on a service that updates, the last request decides. A drift of
   * what the service shows is then seen at the next refresh; one of the mapping never is.
   */
  #noteConflicts({ after }: Run): void {
    for (const { userGroupId = "", effect } of requestsTo(this.emulator)) {
      if (effect === "created" || effect === "updated") this.contested.delete(userGroupId);
      const holders = groupsIn(after).filter((group) => group.userGroupId === userGroupId);
      const [first] = holders.map((holder) => storedOf(holder, this.choices));
      const isConflict = holders.some((holder) => !isDeepStrictEqual(storedOf(holder, this.choices), first));
      // A warning says so when one of the states leaves.
      if (isConflict) this.unverified.add(userGroupId);
      if (effect !== "updated" || !isConflict) continue;
      this.contested.add(userGroupId);
      this.touched.add(userGroupId);
    }
  }

  /** Requests of a run that ended early may have been applied without being recorded. */
  #noteIncomplete({ result }: Run): void {
    this.settled.clear();
    for (const { userGroupId = "", effect } of requestsTo(this.emulator)) {
      const isLost = effect === "updated" || (effect === "created" && result.wasKilled);
      if (!isLost) continue;
      this.unverified.add(userGroupId);
      this.touched.add(userGroupId);
    }
  }

  #noteLoose(run: Run): void {
    const recorded = idsIn(run.after);
    for (const userGroupId of recorded) this.#forget(userGroupId);
    // Only lookups have the group.
    const managed = new Set(groupsIn(run.after).map(({ userGroupId }) => userGroupId));
    for (const userGroupId of recorded) if (!managed.has(userGroupId)) this.unverified.add(userGroupId);
    for (const userGroupId of this.emulator.groups.keys())
      if (!recorded.has(userGroupId) && this.#mayBeLoose(userGroupId, run)) this.loose.add(userGroupId);
    for (const userGroupId of [...this.loose, ...this.foreign])
      if (!this.emulator.groups.has(userGroupId)) this.#forget(userGroupId);
    for (const userGroupId of this.loose) {
      this.touched.add(userGroupId);
      this.unverified.add(userGroupId);
    }
  }

  #mayBeLoose(userGroupId: string, run: Run): boolean {
    const { result, before } = run;
    const former = before.resources.filter((resource) => holds(resource, userGroupId));
    if (former.some(({ retainOnDelete, isExternal }) => retainOnDelete || isExternal)) return true;
    const isCreated = requestsTo(this.emulator).some(
      (request) => request.effect === "created" && request.userGroupId === userGroupId,
    );
    if (isCreated) return this.#isLostCreation(userGroupId, run);
    if (former.length === 0) return false;
    const isTakenOver = this.program.groups.some((group) => group.userGroupId === userGroupId);
    return userGroupId === this.program.lookedUp || (isTakenOver && result.errors.length > 0);
  }

  #isLostCreation(userGroupId: string, { result }: Run): boolean {
    if (result.wasKilled || userGroupId === this.program.lookedUp) return true;
    return isAnnounced(userGroupId, result.errors.join("\n"));
  }

  #forget(userGroupId: string): void {
    this.foreign.delete(userGroupId);
    this.loose.delete(userGroupId);
  }
}
