/** Runs a history: the `up`s before it, the step, and what a user does next, who follows the messages until all is well. */
import type { Declared } from "../support/model/resources";
import { Commands } from "./commands";
import { planOf, type History, type Plan } from "./history";
import { meddle, meddleFirst } from "./meanwhile";
import { claimsIn, type Claim } from "./oracle/claims";
import { breaks, BrokenInvariant, isSuccess, messagesOf, namedIn, type Step } from "./oracle/step";
import { remedied } from "./remedies";
import { tokenOf, type Service } from "./service";

/** What a history came to. */
export interface Run {
  readonly history: History;
  readonly steps: readonly Step[];
  readonly broken: BrokenInvariant | undefined;
}

export async function runHistory(history: History, service: Service): Promise<Run> {
  const commands = new Commands(history, service);
  let broken: BrokenInvariant | undefined;
  try {
    await new Runner(history, service, commands).run();
  } catch (error) {
    if (error instanceof BrokenInvariant) broken = error;
    else throw error;
  }
  return { history, steps: commands.steps, broken };
}

class Runner {
  readonly #plan: Plan;

  constructor(
    private readonly history: History,
    private readonly service: Service,
    private readonly commands: Commands,
  ) {
    this.#plan = planOf(history);
  }

  async run(): Promise<void> {
    const { history, service, commands } = this;
    const { earlier, changed, goal, command } = this.#plan;
    meddleFirst(history, this.#plan, service);
    for (const program of earlier) {
      const first = await commands.take("up", program, { title: "the first up" });
      if (!isSuccess(first)) throw new Error(`The history doesn't begin: ${errorsOf(first)}`);
    }
    for (const id of meddle(history, this.#plan, this.commands.engine.resources, service))
      commands.oracle.noteMeanwhile(id, this.commands.engine.resources);
    if (history.rotatesApiToken) service.rotateApiToken();
    const step = await this.#takeStep();
    const { fault, next } = history;
    // With a group of another account in the state, no next step is the right one.
    if ((fault && step.requests.length < fault.request) || this.#hasGroupsElsewhere()) return;
    if (next.startsWith("refresh")) await commands.take("refresh", changed, { title: "a refresh" });
    if (next === "destroy" || command === "destroy") return this.#end(changed);
    if (next === "lost state") await this.#loseState(step);
    await this.#end(await this.#settle(goal));
  }

  /** The command that the history is about. */
  async #takeStep(): Promise<Step> {
    const { changed, command } = this.#plan;
    const { flag, meanwhile, fault } = this.history;
    const [first] = changed.filter(({ isLookup }) => !isLookup);
    const names = first ? [first.name] : [];
    return this.commands.take(command, changed, {
      title: "the step",
      fault,
      skipsPreview: flag === "--skip-preview",
      conditions: {
        continuesOnError: flag === "--continue-on-error",
        replaces: flag === "--replace" ? names : [],
        triggers: flag === "replacementTrigger" ? names : [],
        replacesOnChanges: flag === "replaceOnChanges" ? names : [],
      },
      ...(meanwhile.endsWith("account") && { apiToken: this.service.other.apiToken }),
    });
  }

  #hasGroupsElsewhere(): boolean {
    const { other, instances } = this.service;
    const tokens = instances.filter(({ account }) => account === other).map(tokenOf);
    return this.commands.engine.resources.flatMap(claimsIn).some(({ token }) => tokens.includes(token));
  }

  /** After a step that succeeded and that nobody disturbed, the same program finds all groups again. */
  async #loseState(step: Step): Promise<void> {
    const { option, meanwhile, fault, lookup } = this.history;
    const claims = this.commands.engine.resources.flatMap(claimsIn);
    const isKnown = ({ userGroupId, providedId }: Claim) =>
      (userGroupId === providedId) !== option.startsWith("overlap");
    const isUndisturbed = isSuccess(step) && meanwhile === "nothing" && !fault && lookup === "none";
    for (const { name, status } of this.commands.engine.resources) this.commands.engine.forget(name, status);
    await this.commands.take("up", this.#plan.goal, {
      title: "the up after the loss of the state",
      findsAgain: isUndisturbed && option !== "adopt: false" && claims.every(isKnown),
    });
  }

  /** The user does what the messages say until the program succeeds and only lookups send requests. Returns the program that did. */
  async #settle(goal: readonly Declared[]): Promise<readonly Declared[]> {
    let program = goal;
    for (let round = 0; round < 12; round += 1) {
      const step = await this.commands.take("up", program, { title: "the settling up" });
      if (!isSuccess(step)) program = await this.#follow(step, program);
      else if (step.requests.every(({ operation }) => operation === "read")) return program;
    }
    // Of a service that gives tokens again, the product loses nothing, but it may refuse for ever.
    if (this.history.tokens !== "random") return program;
    breaks("remedy", `the program doesn't settle: ${this.#lastErrors()}`);
  }

  async #end(goal: readonly Declared[]): Promise<void> {
    let program = goal;
    for (let round = 0; round < 4; round += 1) {
      const step = await this.commands.take("destroy", [], { title: "the destroy" });
      if (isSuccess(step)) {
        if (this.commands.engine.resources.length === 0) return;
        breaks("remedy", "a destroy left resources in the state");
      }
      program = await this.#follow(step, program);
      if (errorsOf(step).includes("pulumi up"))
        await this.commands.take("up", program, { title: "the up before the destroy" });
    }
    breaks("remedy", `the destroy doesn't succeed: ${this.#lastErrors()}`);
  }

  /** Does what the messages of a failed command say. Returns the program to go on with. */
  async #follow(step: Step, program: readonly Declared[]): Promise<readonly Declared[]> {
    const errors = errorsOf(step);
    const ends = [...errors.matchAll(/until (20\d\d-\d\d-\d\dT[\d:.]+Z)/g)].map(([, time = ""]) =>
      Date.parse(time),
    );
    // The user states hours of 0, or waits.
    const endsAtOnce = ends.length > 0 && this.history.overlapHours < 1000;
    if (!endsAtOnce) for (const time of ends) this.commands.waitUntil(time);
    if (errors.includes("[nothing-found]")) this.#forgetGone(step);
    else if (errors.includes("pulumi state delete <urn>")) this.#forgetLeft(step);
    else if (/pulumi refresh|--refresh/.test(errors)) {
      const refresh = await this.commands.take("refresh", program, { title: "a refresh" });
      if (errorsOf(refresh).includes("[nothing-found]")) this.#forgetGone(refresh);
    }
    const next = remedied(program, errors, this.#plan);
    if (!endsAtOnce) return next;
    return next.map((each) => (each.isLookup ? each : { ...each, args: { ...each.args, overlapHours: 0 } }));
  }

  /** `pulumi state delete`, for the resources of the groups that a message names, if these are all gone. */
  #forgetGone(step: Step): void {
    const isThere = ({ providedId, token }: Claim) => {
      const instance = this.service.instanceOf(providedId, token);
      return instance?.isAlive === true && tokenOf(instance) === token;
    };
    const named = messagesOf(step).flatMap(namedIn);
    const gone = this.commands.engine.resources.filter((each) => {
      const claims = claimsIn(each);
      const isGone = !claims.some(isThere) && !each.isExternal;
      return isGone && (claims.length === 0 || claims.some(({ providedId }) => named.includes(providedId)));
    });
    if (gone.length === 0) breaks("remedy", `the groups exist: ${errorsOf(step)}`);
    for (const { name, status } of gone) this.commands.engine.forget(name, status);
  }

  /** `pulumi state delete`, for what can't be deleted, because the service takes two IDs for one group. */
  #forgetLeft({ outcome: { failures } }: Step): void {
    for (const { operation, name } of failures) {
      const states = this.commands.engine.resources.filter((each) => each.name === name);
      const left = states.find(({ status }) => status === "pending delete") ?? states[0];
      if (left && operation === "delete") this.commands.engine.forget(name, left.status);
    }
  }

  #lastErrors(): string {
    return errorsOf(this.commands.steps.findLast((step) => !isSuccess(step)));
  }
}

function errorsOf(step: Step | undefined): string {
  return step?.outcome.failures.map(({ message }) => message).join("; ") ?? "";
}
