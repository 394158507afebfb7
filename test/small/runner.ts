/** Runs a history: the `up`s before it, the step, and what a user does next. The oracle checks each command. */
import { jumpingClock } from "../harness/clock";
import { startProviders } from "../harness/product";
import { ModelEngine, type UpConditions } from "../model/engine";
import type { Declared } from "../model/resources";
import type { Command as EngineCommand, Kill, Outcome } from "../model/run";
import { createFirst, foreignTexts, meddle, planOf, type History, type Plan } from "./history";
import { claimsIn } from "./oracle/claims";
import { Oracle } from "./oracle/oracle";
import {
  BrokenInvariant,
  isSuccess,
  type Preview,
  type Step,
  type StepRequest,
} from "./oracle/step";
import { valuesOf, type Command } from "./program";
import { remedied } from "./remedies";
import { tokenOf, type Fault, type Service } from "./service";

/** What a history came to. */
export interface Run {
  readonly history: History;
  readonly steps: readonly Step[];
  readonly broken: BrokenInvariant | undefined;
}

interface StepOptions {
  readonly title: string;
  readonly conditions?: UpConditions;
  readonly apiToken?: string;
  readonly fault?: Fault | undefined;
  readonly skipsPreview?: boolean;
  readonly findsAgain?: boolean;
}

/** Whether the product has the argument `overlapHours`. */
export async function acceptsOverlap(): Promise<boolean> {
  const { userGroup } = startProviders({
    ...{ settings: {}, environment: {}, clock: jumpingClock(), signal: new AbortController().signal },
    ...{ defect: () => undefined, logger: { info: () => undefined, warn: () => undefined } },
  });
  const args = { userGroupId: "a", name: "A", overlap: true, overlapHours: 1 };
  const { failures = [] } = await userGroup.check({}, args);
  return failures.length === 0;
}

export async function runHistory(history: History, service: Service): Promise<Run> {
  const runner = new Runner(history, service);
  let broken: BrokenInvariant | undefined;
  try {
    await runner.run();
  } catch (error) {
    if (!(error instanceof BrokenInvariant)) throw error;
    broken = error;
  }
  return { history, steps: runner.steps, broken };
}

class Runner {
  readonly steps: Step[] = [];
  readonly #plan: Plan;
  readonly #oracle: Oracle;
  readonly #engine = new ModelEngine((command) => this.#startProviders(command));
  #apiToken: string | undefined;
  #time = Date.UTC(2026, 0, 1);
  #printed: string[] = [];
  #requests: StepRequest[] = [];
  #current = { operation: "", resource: "" };

  constructor(
    private readonly history: History,
    private readonly service: Service,
  ) {
    service.reset(history);
    this.#plan = planOf(history);
    this.#oracle = new Oracle(service, {
      showsStored: history.response === "stored",
      hasMappingInId: history.changes === "replace",
      values: new Set([...ownTexts(history), ...foreignTexts]),
      areSecret: history.isSecret,
    });
    service.onRequest = (request) => {
      this.#requests.push({ ...request, ...this.#current, states: this.#engine.resources });
    };
  }

  async run(): Promise<void> {
    const { history, service } = this;
    const { earlier, changed, goal, command } = this.#plan;
    createFirst(history, this.#plan, service);
    for (const program of earlier) {
      const first = await this.#take("up", program, { title: "the first up" });
      if (!isSuccess(first)) throw new Error(`The history doesn't begin: ${errorsOf(first)}`);
    }
    for (const id of meddle(history, this.#plan, this.#engine.resources, service))
      this.#oracle.noteMeanwhile(id, this.#engine.resources);
    if (history.rotatesApiToken) service.rotateApiToken();
    const step = await this.#takeStep();
    const { fault, next } = history;
    // With a group of another account in the state, no next step is the right one.
    if ((fault && step.requests.length < fault.request) || this.#hasGroupsElsewhere()) return;
    if (next.startsWith("refresh")) await this.#take("refresh", changed, { title: "a refresh" });
    if (next === "destroy" || command === "destroy") return this.#end(changed);
    const settled = next === "lost state" ? await this.#loseState(step) : await this.#settle(goal);
    await this.#end(settled);
  }

  /** The command that the history is about. */
  #takeStep(): Promise<Step> {
    const { changed, command } = this.#plan;
    const { flag, meanwhile, fault } = this.history;
    const [first] = changed.filter(({ isLookup }) => !isLookup);
    const names = first ? [first.name] : [];
    if (flag === "taint") for (const name of [...names, ...(first?.aliases ?? [])]) this.#engine.taint(name);
    return this.#take(command, changed, {
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
    return this.#engine.resources.flatMap(claimsIn).some(({ token }) => tokens.includes(token));
  }

  /** The state is lost, and the same program runs again. It finds the groups that have an ID of their own, if nobody has changed them. */
  async #loseState(step: Step): Promise<readonly Declared[]> {
    const { goal } = this.#plan;
    const { meanwhile, option, begins, isSecret: _, ...history } = this.history;
    const claims = this.#engine.resources.flatMap(claimsIn);
    const isDerived = claims.every(
      ({ userGroupId, providedId }) => (userGroupId !== providedId) === (option === "overlap"),
    );
    const isPlain = option === "none" && begins === "created";
    const findsAgain =
      isSuccess(step) &&
      meanwhile === "nothing" &&
      history.lookup === "none" &&
      isDerived &&
      (isPlain || option === "overlap");
    for (const { name } of this.#engine.resources) this.#engine.forget(name);
    const title = "the up after the loss of the state";
    await this.#take("up", goal, { title, findsAgain });
    return this.#settle(goal);
  }

  /** The user does what the messages say until the program succeeds and has nothing to do. Returns the program that did. */
  async #settle(goal: readonly Declared[]): Promise<readonly Declared[]> {
    let program = goal;
    for (let round = 0; round < 12; round += 1) {
      const step = await this.#take("up", program, { title: "the settling up" });
      if (isSuccess(step) && step.requests.length === 0) return program;
      if (!isSuccess(step)) program = await this.#follow(step, program);
    }
    throw new BrokenInvariant("remedy", `the program doesn't settle: ${errorsOf(this.#lastFailed())}`);
  }

  /** Does what the messages of a failed command say. Returns the program to go on with. */
  async #follow(step: Step, program: readonly Declared[]): Promise<readonly Declared[]> {
    const errors = errorsOf(step);
    if (errors.includes("[nothing-found]")) this.#forgetGone(step);
    else if (/pulumi refresh|--refresh/.test(errors)) {
      const refresh = await this.#take("refresh", program, { title: "a refresh" });
      if (errorsOf(refresh).includes("[nothing-found]")) this.#forgetGone(refresh);
    }
    return remedied(program, errors, this.#plan);
  }

  /** `pulumi state delete`, for a resource whose groups are all gone. */
  #forgetGone({ outcome: { failures } }: Step): void {
    for (const { name } of failures) {
      const states = this.#engine.resources.filter((each) => each.name === name);
      const isLost = states.flatMap(claimsIn).some(({ providedId, token }) => {
        const instance = this.service.instanceOf(providedId, token);
        return instance?.isAlive && tokenOf(instance) === token;
      });
      if (isLost)
        throw new BrokenInvariant(
          "remedy",
          `a message says to delete the state of ${name}, whose groups exist`,
        );
      this.#engine.forget(name);
    }
  }

  async #end(program: readonly Declared[]): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      const step = await this.#take("destroy", [], { title: "the destroy" });
      if (isSuccess(step)) {
        if (this.#engine.resources.length > 0)
          throw new BrokenInvariant("remedy", "a destroy left resources in the state");
        return;
      }
      const next = await this.#follow(step, program);
      if (errorsOf(step).includes("pulumi up"))
        await this.#take("up", next, { title: "the up before the destroy" });
    }
    throw new BrokenInvariant("remedy", `the destroy doesn't succeed: ${errorsOf(this.#lastFailed())}`);
  }

  #lastFailed(): Step | undefined {
    return this.steps.findLast((step) => !isSuccess(step));
  }

  async #take(command: Command, program: readonly Declared[], options: StepOptions): Promise<Step> {
    const { title, conditions = {}, fault, skipsPreview = false, apiToken, findsAgain = false } = options;
    const { service, history } = this;
    this.#time += 3_600_000;
    this.#apiToken = apiToken;
    const tainted = this.#engine.resources.filter(({ isTainted }) => isTainted).map(({ name }) => name);
    const isTainted = ({ name, aliases = [] }: Declared) =>
      [name, ...aliases].some((each) => tainted.includes(each));
    const { replaces = [], triggers = [] } = conditions;
    const preview = command === "up" ? await this.#preview(program, conditions) : undefined;
    this.#clear();
    const before = this.#engine.resources;
    const living = new Set(service.instances.filter(({ isAlive }) => isAlive));
    const begins = skipsPreview || !preview || preview.outcome.failures.length === 0;
    const isDeclaredFirst = history.order === "at once";
    const outcome = begins
      ? await this.#command(command, program, { ...conditions, isDeclaredFirst, ...this.#order(fault) })
      : preview.outcome;
    service.emulator.clearFaults();
    service.acceptApiToken();
    const step: Step = {
      ...{ command, title, before, living, outcome, preview, findsAgain, time: this.#time },
      program: command === "destroy" ? [] : program,
      replaced: [...replaces, ...triggers, ...program.filter(isTainted).map(({ name }) => name)],
      isElsewhere: apiToken !== undefined,
      pauses: history.order === "pausing",
      after: this.#engine.resources,
      requests: this.#requests,
      printed: this.#printed,
    };
    this.steps.push(step);
    this.#oracle.check(step);
    return step;
  }

  async #preview(program: readonly Declared[], conditions: UpConditions): Promise<Preview> {
    this.#clear();
    const outcome = await this.#engine.preview(program, conditions);
    return { outcome, printed: this.#printed, requests: this.#requests.length };
  }

  #clear(): void {
    this.#requests = [];
    this.#printed = [];
  }

  #command(command: Command, program: readonly Declared[], conditions: UpConditions): Promise<Outcome> {
    const all: UpConditions = {
      ...conditions,
      before: (operation, resource) => {
        this.#current = { operation, resource };
      },
    };
    if (command === "up") return this.#engine.up(program, all);
    return command === "refresh" ? this.#engine.refresh(all) : this.#engine.destroy(all);
  }

  /** Orders a fault of the service. A kill loses the operation that made the request. */
  #order(fault: Fault | undefined): { readonly kill?: Kill } {
    const { service } = this;
    if (!fault) return {};
    service.order(fault);
    if (fault.kind !== "killed after") return {};
    const kill: Kill = { hasHappened: false, loses: "the operation" };
    const note = service.onRequest;
    service.onRequest = (seen) => {
      if (kill.hasHappened) return;
      note(seen);
      if (this.#requests.length < fault.request) return;
      kill.hasHappened = true;
      // The provider that goes on in this process reaches nothing any more.
      service.refuseApiToken();
      service.onRequest = note;
    };
    return { kill };
  }

  #startProviders(command: EngineCommand) {
    const { service, history } = this;
    const time = this.#time;
    return startProviders({
      settings: {
        ...{ baseUrl: service.emulator.baseUrl, apiToken: this.#apiToken ?? service.emulator.apiToken },
        ...{ changes: history.changes, maxConnections: "1", timeout: "5" },
      },
      environment: {},
      clock: { ...jumpingClock(), date: () => time },
      signal: new AbortController().signal,
      isDestroy: () => command === "destroy",
      defect: () => undefined,
      logger: {
        info: (line) => this.#printed.push(line),
        warn: (line) => this.#printed.push(`warning: ${line}`),
      },
    });
  }
}

function ownTexts({ differs }: History): string[] {
  const names = ["A0", "A1", "A2", "A3", "B1", "B2", "C1", "C2"] as const;
  return names.flatMap((name) => {
    const { name: text, mapping, properties } = valuesOf(name, differs);
    return [text, ...Object.values(mapping), ...Object.values(properties)];
  });
}

function errorsOf(step: Step | undefined): string {
  return step?.outcome.failures.map(({ message }) => message).join("; ") ?? "";
}
