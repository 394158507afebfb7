/** Runs a history on the model of the engine, with the product's providers and a service on a loopback port. */
import { jumpingClock } from "../harness/clock";
import { startProviders } from "../harness/product";
import { ModelEngine, type UpConditions } from "../model/engine";
import type { Declared } from "../model/resources";
import type { Command as EngineCommand, Kill, Outcome } from "../model/run";
import { goalOf, meddle, optionsOf, type Fault, type History } from "./history";
import { BrokenInvariant, Oracle, type Preview, type Step, type StepRequest } from "./oracle";
import {
  shapeOf,
  valuesOf,
  withEarlierValues,
  withOtherKeepers,
  type Command,
  type ProgramOptions,
  type Shape,
} from "./program";
import type { Service } from "./service";

/** What a history came to. */
export interface Run {
  readonly history: History;
  readonly steps: readonly Step[];
  readonly broken: BrokenInvariant | undefined;
  /** Whether the fault hit a request. Without one, true. */
  readonly wasHit: boolean;
}

interface StepOptions {
  readonly title: string;
  readonly conditions?: UpConditions;
  readonly settings?: Readonly<Record<string, string>>;
  readonly fault?: Fault | undefined;
}

/** Whether the product has the argument `overlap`. */
export async function acceptsOverlap(): Promise<boolean> {
  const { userGroup } = startProviders({
    ...{ settings: {}, environment: {}, clock: jumpingClock(), signal: new AbortController().signal },
    ...{ defect: () => undefined, logger: { info: () => undefined, warn: () => undefined } },
  });
  const { failures = [] } = await userGroup.check({}, { userGroupId: "a", name: "A", overlap: true });
  return failures.length === 0;
}

export async function runHistory(history: History, service: Service): Promise<Run> {
  const runner = new Runner(history, service);
  return runner.run();
}

class Runner {
  readonly #options: ProgramOptions;
  readonly #shape: Shape;
  readonly #oracle: Oracle;
  readonly #engine: ModelEngine;
  readonly #steps: Step[] = [];
  #settings: Readonly<Record<string, string>> = {};
  #printed: string[] = [];
  #requests: StepRequest[] = [];
  #current = { operation: "", resource: "" };
  #wasHit = true;

  constructor(
    private readonly history: History,
    private readonly service: Service,
  ) {
    const { isSecret } = history;
    this.#options = optionsOf(history);
    this.#shape = shapeOf(history.shape, this.#options);
    service.reset(history);
    this.#oracle = new Oracle(
      service,
      history.response === "stored",
      new Set(isSecret ? this.#secrets() : []),
    );
    this.#engine = new ModelEngine((command) => this.#startProviders(command));
    service.onRequest = (request) => {
      const current = [...(request.instance?.tokens ?? [])].at(-1);
      this.#requests.push({ ...request, ...this.#current, current, states: this.#engine.resources });
    };
  }

  async run(): Promise<Run> {
    const { history } = this;
    let broken: BrokenInvariant | undefined;
    try {
      await this.#play();
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error;
      broken = error;
    }
    return { history, steps: this.#steps, broken, wasHit: this.#wasHit };
  }

  async #play(): Promise<void> {
    const { former, changed, command } = this.#shape;
    const { fault, next } = this.history;
    if (former.length > 0) await this.#begin(former);
    for (const userGroupId of meddle(this.history, this.#shape, this.service))
      this.#oracle.noteMeanwhile(userGroupId);
    await this.#takeChange(command, changed, fault);
    // With groups of another account in the state, no next step is the right one.
    if (!this.#wasHit || this.#hasOtherAccount()) return;
    if (next === "refresh, again" || next === "refresh, former")
      await this.#take("refresh", changed, { title: "a refresh" });
    const goal = goalOf(this.history, this.#shape, this.#options);
    if (next === "destroy" || command === "destroy") return this.#end(changed);
    await this.#settle(goal);
    await this.#end(goal);
  }

  async #begin(program: readonly Declared[]): Promise<void> {
    const { option } = this.history;
    const earlier = withEarlierValues(program, this.#options);
    const programs: Partial<Record<typeof option, readonly (readonly Declared[])[]>> = {
      "overlap, changed before": [earlier, program],
      "overlap, settled before": [earlier, program, program],
    };
    for (const each of programs[option] ?? [program]) {
      const { outcome } = await this.#take("up", each, { title: "the first up" });
      if (outcome.failures.length > 0) throw new Error(`The history doesn't begin: ${this.#lastErrors()}`);
    }
  }

  #hasOtherAccount(): boolean {
    const { other, instances } = this.service;
    const tokens = instances.filter(({ account }) => account === other).flatMap((each) => [...each.tokens]);
    const states = JSON.stringify(this.#engine.resources.map(({ outputs }) => outputs));
    return tokens.some((token) => states.includes(JSON.stringify(token)));
  }

  /** The step that the history is about. */
  async #takeChange(command: Command, program: readonly Declared[], fault: Fault | undefined): Promise<void> {
    const { flag, meanwhile } = this.history;
    const [first] = program;
    const old = first && [first.name, ...(first.aliases ?? [])];
    if (flag === "taint" && old) for (const name of old) this.#engine.taint(name);
    const isOther = meanwhile === "other account" || meanwhile === "empty account";
    await this.#take(command, program, {
      title: "the step",
      fault,
      conditions: {
        continuesOnError: flag === "--continue-on-error",
        replaces: flag === "--replace" && first ? [first.name] : [],
      },
      ...(isOther && { settings: { apiToken: this.service.other.apiToken } }),
    });
  }

  /**
   * The user does what the messages say until the command succeeds and the next one has nothing to do: the same command again, a
   * refresh, another `adopt`, or a former program after a refresh.
   */
  async #settle(goal: readonly Declared[]): Promise<void> {
    const { former, changed } = this.#shape;
    const others = [changed, former].filter((program) => program !== goal);
    const isReached =
      ((await this.#reach(goal, "the settling up")) && !this.#isRetainingForEver()) ||
      (await this.#relax(goal)) ||
      (await this.#recreate(goal)) ||
      (await this.#restore(others));
    if (!isReached) {
      // The user's own limit may refuse each way.
      if (this.history.option === "deletionLimit: 0") return;
      throw new BrokenInvariant(
        "remedy",
        `neither this program nor a former one succeeds: ${this.#lastErrors()}`,
      );
    }
    if ((this.#steps.at(-1)?.requests.length ?? 0) > 0)
      throw new BrokenInvariant("remedy", "an up that should have had nothing to do made requests");
  }

  /** A message says to set `adopt` to true, or that `retainOnDelete` skipped a deletion. */
  async #relax(goal: readonly Declared[]): Promise<boolean> {
    const errors = this.#lastErrors();
    const adopts = errors.includes("adopt");
    const isDeleted = errors.includes("retainOnDelete") || this.#isRetainingForEver();
    const { adopts: isAdopting, isRetained } = this.#options;
    if (!(adopts && !isAdopting) && !(isDeleted && isRetained)) return false;
    const relaxed = goal.map(({ args, retainOnDelete = false, ...declared }) => ({
      ...declared,
      args: adopts ? { ...args, adopt: true } : args,
      retainOnDelete: retainOnDelete && !isDeleted,
    }));
    return this.#reach(relaxed, "the up with other options");
  }

  /** Each `up` replaces the group, and a warning says that `retainOnDelete` skips the deletion. */
  #isRetainingForEver(): boolean {
    const { requests = [], printed = [] } = this.#steps.at(-1) ?? {};
    return requests.length > 0 && printed.some((line) => line.includes("remove retainOnDelete"));
  }

  async #restore(programs: readonly (readonly Declared[])[]): Promise<boolean> {
    for (const program of programs) {
      await this.#take("refresh", program, { title: "a refresh" });
      const isReached =
        ((await this.#reach(program, "the restoring up")) && !this.#isRetainingForEver()) ||
        (await this.#relax(program)) ||
        (await this.#recreate(program));
      if (isReached) return true;
    }
    return false;
  }

  /** A message says to change `keepers` in the resource that has a group with another mapping than the state that created it. */
  async #recreate(goal: readonly Declared[]): Promise<boolean> {
    const names = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const errors = this.#lastErrors();
      if (!errors.includes("change keepers")) return false;
      const before = names.size;
      for (const [, name = ""] of errors.matchAll(/resource "(\w+)" of this program/g)) names.add(name);
      if (names.size === before) return false;
      const changed = goal.map((declared) =>
        names.has(declared.name) ? withOtherKeepers(declared) : declared,
      );
      if (await this.#reach(changed, "the up with other keepers")) return true;
    }
    return false;
  }

  /** Whether the program succeeds, at last without a request. */
  async #reach(program: readonly Declared[], title: string): Promise<boolean> {
    let successes = 0;
    for (let round = 0; round < 9 && successes < 4; round += 1) {
      const { outcome, requests } = await this.#take("up", program, { title });
      const errors = outcome.failures.map(({ message }) => message).join("\n");
      if (errors !== "") {
        if (errors.includes("refresh") || round > 0)
          await this.#take("refresh", program, { title: "a refresh" });
        successes = 0;
      } else if (requests.length === 0) return true;
      else successes += 1;
    }
    return successes > 0;
  }

  async #end(goal: readonly Declared[]): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      const { outcome } = await this.#take("destroy", [], { title: "the destroy" });
      if (outcome.failures.length === 0) {
        if (this.#engine.resources.length > 0)
          throw new BrokenInvariant("remedy", "a destroy left resources in the state");
        return;
      }
      const wantsUp = this.#lastErrors().includes("run pulumi up before it");
      await this.#take("refresh", [], { title: "a refresh" });
      if (wantsUp) await this.#upBeforeDestroy(goal);
    }
    throw new BrokenInvariant("remedy", `the destroy doesn't succeed: ${this.#lastErrors()}`);
  }

  async #upBeforeDestroy(goal: readonly Declared[]): Promise<void> {
    const { outcome } = await this.#take("up", goal, { title: "the up before the destroy" });
    if (outcome.failures.length > 0) await this.#recreate(goal);
  }

  #lastErrors(): string {
    const failed = this.#steps.findLast(({ outcome }) => outcome.failures.length > 0);
    return failed?.outcome.failures.map(({ message }) => message).join("; ") ?? "";
  }

  async #take(command: Command, program: readonly Declared[], options: StepOptions): Promise<Step> {
    const { title, conditions = {}, settings = {}, fault } = options;
    this.#settings = settings;
    const { replaces = [] } = conditions;
    const isDeclaredFirst = !this.history.isChained;
    const tainted = this.#engine.resources.filter(({ isTainted }) => isTainted).map(({ name }) => name);
    const aliased = program.filter(({ aliases = [] }) => aliases.some((name) => tainted.includes(name)));
    const preview = command === "up" ? await this.#preview(program, { replaces }) : undefined;
    this.#clear();
    const before = this.#engine.resources;
    const living = new Set(this.service.instances.filter(({ isAlive }) => isAlive));
    const kill = this.#order(fault);
    const outcome = await this.#command(command, program, {
      ...conditions,
      ...(kill && { kill }),
      isDeclaredFirst,
    });
    this.service.emulator.clearFaults();
    this.service.restoreApiToken();
    if (fault) this.#wasHit = this.#requests.length >= fault.request;
    const step: Step = {
      ...{ command, title, before, living, outcome, preview },
      program: command === "destroy" ? [] : program,
      replaced: [...replaces, ...tainted, ...aliased.map(({ name }) => name)],
      after: this.#engine.resources,
      requests: this.#requests,
      printed: this.#printed,
    };
    this.#steps.push(step);
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
  #order(fault: Fault | undefined): Kill | undefined {
    const { service } = this;
    if (!fault) return undefined;
    service.order(fault);
    if (fault.kind !== "killed after") return undefined;
    const kill: Kill = { hasHappened: false, loses: "the operation" };
    const note = service.onRequest;
    service.onRequest = (seen) => {
      if (kill.hasHappened) return;
      note(seen);
      if (this.#requests.length < fault.request) return;
      kill.hasHappened = true;
      // The provider that goes on in this process reaches nothing any more.
      service.emulator.rotateApiToken();
      service.onRequest = note;
    };
    return kill;
  }

  #secrets(): string[] {
    const { differs } = this.history;
    const names = ["A0", "A1", "A2", "A3", "B1", "B2", "C1", "C2"] as const;
    return names.flatMap((name) => {
      const { name: text, mapping, properties } = valuesOf(name, differs);
      return [text, ...Object.values(mapping), ...Object.values(properties)];
    });
  }

  #startProviders(command: EngineCommand) {
    const { service, history } = this;
    const settings = {
      ...{ baseUrl: service.emulator.baseUrl, apiToken: service.emulator.apiToken },
      ...{ changes: history.changes, maxConnections: "1", timeout: "5" },
      ...this.#settings,
    };
    return startProviders({
      settings,
      environment: {},
      clock: jumpingClock(),
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
