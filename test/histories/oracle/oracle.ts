/**
 * The six promises of docs/guards.md, checked after each command of a history. The oracle compares states, the service and its log;
 * it knows nothing of the product's decisions. Of a message it reads which groups it names.
 */
import { urnOf, type ResourceState } from "../../support/model/resources";
import { markedOf, plainTexts } from "../../support/model/secrets";
import type { Service } from "../service";
import { checkCreated, checkDeletions, checkDropped, checkGone, checkGuards, checkLeft } from "./deletions";
import { Knowledge, type Readings } from "./knowledge";
import { checkOverlap, checkRefresh } from "./overlap";
import { checkDone, checkElsewhere, checkFoundAgain, checkPreview } from "./previews";
import { breaks, isSuccess, type Step } from "./step";

interface Texts {
  /** All values of groups in the history, somebody else's among them. */
  readonly values: ReadonlySet<string>;
  /** Whether those of the program are secrets. */
  readonly areSecret: boolean;
}

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
    checkDropped(step);
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

/** Invariant 5: no token and no secret can be read in a state, and of other values only those that the program has now. */
function checkSecrets({ before, after, program, command }: Step, service: Service, texts: Texts): void {
  const tokens = new Set(service.instances.flatMap((instance) => [...instance.tokens]));
  for (const resource of after) {
    const former = before.find((each) => urnOf(each) === urnOf(resource) && each.status === resource.status);
    const declared = program.find(({ name }) => name === resource.name);
    const inputs = command === "up" && declared ? declared.args : (former?.inputs ?? {});
    const current = new Set(textsIn(inputs).map(({ text }) => text));
    for (const [kind, properties] of Object.entries({ inputs: resource.inputs, outputs: resource.outputs }))
      for (const { path, text } of textsIn(properties)) {
        const isDriftedName = /(^|\.)name$/.test(path) && !texts.areSecret;
        // What the engine has kept of an earlier command was the program's then, and so were inputs.
        const isKept =
          kind === "inputs" ? command === "up" : before.some(({ outputs }) => outputs === properties);
        const isRetained = texts.values.has(text) && !current.has(text) && !isDriftedName && !isKept;
        const isSecret = texts.areSecret && texts.values.has(text) && !current.has(text);
        if (tokens.has(text) || isSecret || isRetained)
          breaks(5, `${path} in the ${kind} of ${resource.name} can be read: ${text}`);
      }
  }
}

function textsIn(properties: object): { readonly path: string; readonly text: string }[] {
  return plainTexts(markedOf(properties));
}
