/**
 * The six invariants of design section 2, checked after each command of a history. The oracle compares states, the service and its log;
 * it knows nothing of the product's decisions. Of a message it reads which groups it names.
 */
import type { ResourceState } from "../../model/resources";
import type { Service } from "../service";
import { checkCreated, checkDeletions, checkGone, checkGuards, checkLeft } from "./deletions";
import { Knowledge, type Readings } from "./knowledge";
import { checkOverlap, checkRefresh } from "./overlap";
import { checkDone, checkElsewhere, checkFoundAgain, checkPreview } from "./previews";
import { checkSecrets, type Texts } from "./secrecy";
import { isSuccess, type Step } from "./step";

export class Oracle {
  readonly #knowledge: Knowledge;

  constructor(
    private readonly service: Service,
    private readonly options: Readings & Texts,
  ) {
    this.#knowledge = new Knowledge(service, options);
  }

  /** Somebody else has changed the group. */
  noteMeanwhile(providedId: string, states: readonly ResourceState[]): void {
    this.#knowledge.noteMeanwhile(providedId, states);
  }

  /** Throws a `BrokenInvariant`. */
  check(step: Step): void {
    const { service } = this;
    checkDeletions(step);
    checkLeft(step, service);
    checkGuards(step, service);
    checkOverlap(step, service);
    checkRefresh(step);
    checkSecrets(step, service, this.options);
    this.#knowledge.note(step);
    if (step.outcome.wasKilled) return;
    checkCreated(step);
    checkElsewhere(step, service);
    // With `changes: update`, asking would write.
    if (!this.options.updates) checkGone(step);
    checkFoundAgain(step);
    checkPreview(step, service);
    this.#knowledge.checkClaims(step);
    if (step.command !== "up" || !isSuccess(step)) return;
    checkDone(step);
    this.#knowledge.checkAgreement(step);
    this.#knowledge.checkAdoption(step);
    this.#knowledge.checkDoubts(step);
  }
}
