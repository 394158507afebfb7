/** The ways to the product, each of which must behave as the contract suite says. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../provider/src/testing";
import { newStack, stepsOf, succeeds, warningsOf, type Stack as EngineStack } from "../engine/harness";
import { environmentOf, pluginProgramOf, programOf, type ProgramOptions } from "../engine/harness/programs";
import { resourcesIn } from "../engine/harness/state";
import { startPlugin } from "../harness/pluginProviders";
import { startProviders, type Providers } from "../harness/product";
import { TestClock } from "../harness/clock";
import { ModelEngine } from "../model/engine";
import type { Declared, ResourceState } from "../model/resources";
import type { Change, Command, Operation, Outcome } from "../model/run";

export type Settings = Record<string, string>;

/** The outcome of one command of the engine. */
export interface Run {
  /** What the product printed of failures; empty if there was none. */
  readonly errors: string;
  readonly warnings: readonly string[];
  /** Other lines. */
  readonly infos: readonly string[];
  /** Of a preview: what would happen to each resource. */
  readonly changes: Readonly<Record<string, Change>>;
}

export interface UpOptions {
  /** The program declares the next resource so many seconds later, whether or not the former one is done. Default: it waits. */
  readonly secondsBetween?: number | undefined;
  /** `--replace` */
  readonly replaces?: readonly string[];
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
}

/** A stack of one program. */
export interface Stack {
  preview(program: readonly Declared[], settings: Settings): Promise<Run>;
  up(program: readonly Declared[], settings: Settings, options?: UpOptions): Promise<Run>;
  refresh(settings: Settings): Promise<Run>;
  destroy(settings: Settings): Promise<Run>;
  taint(name: string): void | Promise<void>;
  /** `pulumi state delete` */
  forget(name: string): void | Promise<void>;
  /** The former groups (`overlap`) in the state become so many hours older. */
  age(hours: number): void | Promise<void>;
  /** Cancels the running command once. Not on the engine, which doesn't pass it on to dynamic providers. */
  cancel(): Promise<void>;
  /** The state, with its secrets in plain text. */
  resources(): readonly ResourceState[] | Promise<readonly ResourceState[]>;
  remove(): void | Promise<void>;
}

export interface Driver {
  readonly name: "provider" | "plugin" | "engine" | "engine with plugin";
  /** The driver's clock: a pause of a second takes so many milliseconds. */
  readonly second: number;
  start(emulator: Emulator, services: readonly Emulator[]): Stack | Promise<Stack>;
}

/** The dynamic providers, in the test's process. */
const providerDriver: Driver = {
  name: "provider",
  second: 50,
  start() {
    const clock = new TestClock();
    const start: StartProviders = (settings, onLine, command) => {
      const cancellation = new AbortController();
      const { signal } = cancellation;
      const isDestroy = () => command === "destroy";
      const providers = startProviders({ settings, clock, signal, isDestroy, onLine });
      const cancel = () => {
        cancellation.abort();
      };
      return { ...providers, cancel };
    };
    return new ModelStack(start, providerDriver.second);
  },
};

/** The packed plugin, over gRPC. */
const pluginDriver: Driver = {
  name: "plugin",
  second: 1_000,
  start: () => new ModelStack((settings, onLine) => startPlugin(settings, onLine), pluginDriver.second),
};

/** A program on the real engine, with dynamic resources or with the plugin. */
function engineDriver(name: Driver["name"], programFor: ProgramFor): Driver {
  return {
    name,
    second: 1_000,
    async start(emulator, services) {
      return new RealStack(await newStack({ emulator, services, program: programFor([]) }), programFor);
    },
  };
}

type ProgramFor = (program: readonly Declared[], options?: ProgramOptions) => Record<string, string>;

const engineDrivers = {
  engine: engineDriver("engine", programOf),
  "engine with plugin": engineDriver("engine with plugin", pluginProgramOf),
};

/** CONTRACT selects a driver on the real engine. */
const selected = Object.values(engineDrivers).filter(({ name }) => name === process.env["CONTRACT"]);
export const isOnEngine = selected.length > 0;
export const drivers: readonly Driver[] = isOnEngine ? selected : [providerDriver, pluginDriver];

type StartProviders = (
  settings: Settings,
  onLine: (line: string) => void,
  command: Command,
) => Providers | Promise<Providers>;

/** The model of the engine. Each command starts the providers anew. */
class ModelStack implements Stack {
  #settings: Settings = {};
  #lines: string[] = [];
  #providers: Providers | undefined;
  readonly #engine: ModelEngine;

  constructor(
    start: StartProviders,
    private readonly second: number,
  ) {
    this.#engine = new ModelEngine(async (command) => {
      return (this.#providers = await start(this.#settings, (line) => this.#lines.push(line), command));
    });
  }

  async cancel(): Promise<void> {
    await this.#providers?.cancel?.();
  }

  preview(program: readonly Declared[], settings: Settings): Promise<Run> {
    return this.#run(settings, () => this.#engine.preview(program));
  }

  up(
    program: readonly Declared[],
    settings: Settings,
    { secondsBetween, ...options }: UpOptions = {},
  ): Promise<Run> {
    const isParallel = secondsBetween !== undefined;
    const before = async (operation: Operation) => {
      if (operation === "check" && isParallel) await sleep(secondsBetween * this.second);
    };
    return this.#run(settings, () => this.#engine.up(program, { ...options, isParallel, before }));
  }

  refresh(settings: Settings): Promise<Run> {
    return this.#run(settings, () => this.#engine.refresh());
  }

  destroy(settings: Settings): Promise<Run> {
    return this.#run(settings, () => this.#engine.destroy());
  }

  forget(name: string): void {
    this.#engine.forget(name);
  }

  taint(name: string): void {
    this.#engine.taint(name);
  }

  age(hours: number): void {
    this.#engine.rewrite((state) => aged(state, hours));
  }

  resources(): readonly ResourceState[] {
    return this.#engine.resources;
  }

  remove(): void {
    // Nothing is left of it.
  }

  async #run(settings: Settings, start: () => Promise<Outcome>): Promise<Run> {
    this.#settings = settings;
    this.#lines = [];
    const { failures, changes } = await start();
    const mark = "warning: ";
    const warnings = this.#lines
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(mark.length));
    const infos = this.#lines.filter((line) => !line.startsWith(mark));
    return { errors: failures.map(({ message }) => message).join("\n"), warnings, infos, changes };
  }
}

class RealStack implements Stack {
  constructor(
    private readonly stack: EngineStack,
    private readonly programFor: ProgramFor,
  ) {}

  cancel(): Promise<void> {
    throw new Error("test/engine cancels commands of the engine");
  }

  async preview(program: readonly Declared[], settings: Settings): Promise<Run> {
    await this.stack.program(this.programFor(program));
    return runOf(await this.stack.preview({ env: environmentOf(settings) }));
  }

  async up(
    program: readonly Declared[],
    settings: Settings,
    { replaces = [], continuesOnError = false, secondsBetween }: UpOptions = {},
  ): Promise<Run> {
    const isParallel = secondsBetween !== undefined;
    await this.stack.program(this.programFor(program, isParallel ? { isParallel, secondsBetween } : {}));
    const flags = [
      ...(isParallel ? [] : ["--parallel", "1"]),
      ...(continuesOnError ? ["--continue-on-error"] : []),
    ];
    for (const name of replaces) flags.push("--replace", (await this.stack.resource(name)).urn);
    return runOf(await this.stack.up({ env: environmentOf(settings), flags }));
  }

  async refresh(settings: Settings): Promise<Run> {
    return runOf(await this.stack.refresh({ env: environmentOf(settings) }));
  }

  async destroy(settings: Settings): Promise<Run> {
    return runOf(await this.stack.destroy({ env: environmentOf(settings) }));
  }

  async forget(name: string): Promise<void> {
    const { urn } = await this.stack.resource(name);
    await this.stack.run(["state", "delete", urn, "--yes", "--stack", "dev"]);
  }

  async taint(name: string): Promise<void> {
    const { urn } = await this.stack.resource(name);
    await this.stack.run(["state", "taint", urn, "--yes", "--stack", "dev"]);
  }

  async age(hours: number): Promise<void> {
    const file = join(this.stack.folder, "state.json");
    await writeFile(file, aged(JSON.stringify(await this.stack.plainState()), hours));
    succeeds(await this.stack.run(["stack", "import", "--file", file, "--stack", "dev"]));
    await rm(file);
  }

  async resources(): Promise<readonly ResourceState[]> {
    return resourcesIn(await this.stack.plainState());
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }
}

/** A state in JSON in which each former group became one so many hours earlier. */
function aged(state: string, hours: number): string {
  return state.replaceAll(/(since\W+)([\d-]+T[\d:.]+Z)/g, (_, before: string, since: string) => {
    return before + new Date(Date.parse(since) - hours * 3_600_000).toISOString();
  });
}

type EngineRun = Awaited<ReturnType<EngineStack["up"]>>;

function runOf(run: EngineRun): Run {
  const errors = run.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const failed = run.code === 0 ? "" : [...errors, run.code === null ? run.output : ""].join("\n");
  const names = new Set(run.steps.map(({ name }) => name));
  const changes = [...names].map((name): [string, Change] => [name, changeOf(stepsOf(run, name))]);
  const infos = run.diagnostics.filter(({ severity }) => severity === "info").map(({ message }) => message);
  return { errors: failed, warnings: warningsOf(run), infos, changes: Object.fromEntries(changes) };
}

function changeOf(steps: readonly string[]): Change {
  if (steps.includes("replace")) return "replace";
  return (["create", "update", "delete"] as const).find((change) => steps.includes(change)) ?? "same";
}
