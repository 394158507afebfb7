/** Runs the commands of a history one after the other, an hour apart, and has the oracle check each. */
import { jumpingClock } from "../support/harness/clock";
import { startProviders, type Providers } from "../support/harness/product";
import { ModelEngine, type UpConditions } from "../support/model/engine";
import type { Declared } from "../support/model/resources";
import type { Kill, Outcome } from "../support/model/run";
import type { History } from "./history";
import { foreignTexts } from "./meanwhile";
import { Oracle } from "./oracle/oracle";
import type { Preview, Step, StepRequest } from "./oracle/step";
import { valuesOf, type Command } from "./program";
import type { Fault, Service } from "./service";

export interface StepOptions extends Partial<Pick<Step, "findsAgain">> {
  readonly title: string;
  readonly conditions?: UpConditions;
  /** Of another account. */
  readonly apiToken?: string;
  readonly fault?: Fault | undefined;
  readonly skipsPreview?: boolean;
}

export class Commands {
  readonly steps: Step[] = [];
  readonly oracle: Oracle;
  readonly engine = new ModelEngine(() => this.#startProviders());
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
    this.oracle = new Oracle(service, {
      showsStored: history.response === "stored",
      updates: history.changes === "update",
      values: new Set([...ownTexts(history), ...foreignTexts]),
      areSecret: history.isSecret,
    });
    service.onRequest = (request) => {
      this.#requests.push({ ...request, ...this.#current, states: this.engine.resources });
    };
  }

  /** The user waits, as a message says. */
  waitUntil(time: number): void {
    this.#time = Math.max(this.#time, time);
  }

  async take(command: Command, program: readonly Declared[], options: StepOptions): Promise<Step> {
    const { title, conditions = {}, skipsPreview = false, apiToken, findsAgain = false } = options;
    this.#time += 3_600_000;
    this.#apiToken = apiToken;
    const replaced = this.#replacedBy(program, conditions);
    const preview = command === "up" ? await this.#preview(program, conditions) : undefined;
    this.#clear();
    const before = this.engine.resources;
    const living = new Set(this.service.instances.filter(({ isAlive }) => isAlive));
    const begins = skipsPreview || !preview || preview.outcome.failures.length === 0;
    const outcome = begins ? await this.#run(command, program, options) : preview.outcome;
    const step: Step = {
      ...{ command, title, before, living, replaced, outcome, preview, findsAgain, time: this.#time },
      program: command === "destroy" ? [] : program,
      isElsewhere: apiToken !== undefined,
      pauses: this.history.order !== "at once",
      after: this.engine.resources,
      requests: this.#requests,
      printed: this.#printed,
    };
    this.steps.push(step);
    this.oracle.check(step);
    return step;
  }

  /** Names of resources that the engine replaces by itself. */
  #replacedBy(program: readonly Declared[], { replaces = [], triggers = [] }: UpConditions): string[] {
    return program.map(({ name }) => name).filter((name) => [...replaces, ...triggers].includes(name));
  }

  async #preview(program: readonly Declared[], conditions: UpConditions): Promise<Preview> {
    this.#clear();
    const outcome = await this.engine.preview(program, conditions);
    return { outcome, printed: this.#printed, requests: this.#requests.length };
  }

  #clear(): void {
    this.#requests = [];
    this.#printed = [];
  }

  async #run(command: Command, program: readonly Declared[], options: StepOptions): Promise<Outcome> {
    const conditions: UpConditions = {
      ...options.conditions,
      isDeclaredFirst: this.history.order === "at once",
      before: (operation, resource) => {
        this.#current = { operation, resource };
      },
      ...this.#order(options.fault),
    };
    const run = {
      up: () => this.engine.up(program, conditions),
      refresh: () => this.engine.refresh(conditions),
      destroy: () => this.engine.destroy(conditions),
    };
    const outcome = await run[command]();
    this.service.emulator.clearFaults();
    this.service.acceptApiToken();
    return outcome;
  }

  /** Orders a fault of the service. A kill loses the operation that made the request. */
  #order(fault: Fault | undefined): { readonly kill?: Kill } {
    const { service } = this;
    if (!fault) return {};
    service.order(fault);
    if (fault.kind !== "killed after") return {};
    const kill: Kill = { hasHappened: false };
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

  #startProviders(): Providers {
    const time = this.#time;
    const { baseUrl, apiToken } = this.service.emulator;
    const { changes } = this.history;
    return startProviders({
      settings: { baseUrl, apiToken: this.#apiToken ?? apiToken, changes, maxConnections: "1", timeout: "5" },
      clock: Object.assign(jumpingClock(), { date: () => time }),
      onLine: (line) => this.#printed.push(line),
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
