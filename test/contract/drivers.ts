/** The ways to the product, each of which must behave as the contract suite says. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "../../provider/testing";
import { newStack, stepsOf, succeeds, warningsOf, type Stack as EngineStack } from "../support/engine";
import { environmentOf, pluginProgramOf, programOf } from "../support/engine/programs";
import { resourcesIn } from "../support/engine/state";
import { startPlugin } from "../support/harness/pluginProviders";
import { startProviders, type Providers } from "../support/harness/product";
import { TestClock } from "../support/harness/clock";
import { ModelEngine } from "../support/model/engine";
import type { Declared, ResourceState } from "../support/model/resources";
import type { Change, Command } from "../support/model/run";

export type Settings = Record<string, string>;
export type Program = readonly Declared[];

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

export interface RunOptions {
  readonly settings: Settings;
  /** Of a preview or an up. */
  readonly program?: Program;
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
  /** `--replace`: of an up, names of resources that the state has. */
  readonly replaces?: readonly string[];
  /** Only in the model: whether the program declares all resources before the first begins. */
  readonly isDeclaredFirst?: boolean;
}

/** A stack of one program. */
export interface Stack {
  run(command: Command, options: RunOptions): Promise<Run>;
  /** `pulumi state delete` */
  forget(name: string): void | Promise<void>;
  /** A change of the state in JSON. */
  rewrite(change: (state: string) => string): void | Promise<void>;
  /** The state, with its secrets in plain text. */
  resources(): readonly ResourceState[] | Promise<readonly ResourceState[]>;
  remove(): void | Promise<void>;
}

export interface Driver {
  readonly name: "provider" | "plugin" | "engine" | "engine with plugin";
  start(emulator: Emulator, services: readonly Emulator[]): Stack | Promise<Stack>;
}

/** The dynamic providers, in the test's process. */
const providerDriver: Driver = {
  name: "provider",
  start() {
    const clock = new TestClock();
    return new ModelStack((settings, onLine) => startProviders({ settings, clock, onLine }));
  },
};

/** The packed plugin, over gRPC. */
const pluginDriver: Driver = {
  name: "plugin",
  start: () => new ModelStack((settings, onLine) => startPlugin(settings, onLine)),
};

/** Programs on the real engine, with dynamic resources or with the plugin. CONTRACT selects one of these drivers. */
const engineDrivers = [
  engineDriver("engine", programOf),
  engineDriver("engine with plugin", pluginProgramOf),
].filter(({ name }) => name === process.env["CONTRACT"]);

export const isOnEngine = engineDrivers.length > 0;
export const drivers: readonly Driver[] = isOnEngine ? engineDrivers : [providerDriver, pluginDriver];

type FilesOf = (program: Program) => Record<string, string>;

function engineDriver(name: Driver["name"], filesOf: FilesOf): Driver {
  return {
    name,
    start: async (emulator, services) =>
      new RealStack(await newStack({ emulator, services, program: filesOf([]) }), filesOf),
  };
}

/** The model of the engine. Each command starts the providers anew. */
class ModelStack implements Stack {
  #settings: Settings = {};
  #lines: string[] = [];
  readonly #engine: ModelEngine;

  constructor(start: (settings: Settings, onLine: (line: string) => void) => Providers | Promise<Providers>) {
    const onLine = (line: string) => this.#lines.push(line);
    this.#engine = new ModelEngine(() => start(this.#settings, onLine));
  }

  async run(command: Command, { settings, program = [], ...conditions }: RunOptions): Promise<Run> {
    this.#settings = settings;
    this.#lines = [];
    const { failures, changes } = await (command === "preview" || command === "up"
      ? this.#engine[command](program, conditions)
      : this.#engine[command](conditions));
    const mark = "warning: ";
    const isWarning = (line: string) => line.startsWith(mark);
    return {
      errors: failures.map(({ message }) => message).join("\n"),
      warnings: this.#lines.filter(isWarning).map((line) => line.slice(mark.length)),
      infos: this.#lines.filter((line) => !isWarning(line)),
      changes,
    };
  }

  forget(name: string): void {
    this.#engine.forget(name);
  }

  rewrite(change: (state: string) => string): void {
    this.#engine.rewrite(change);
  }

  resources(): readonly ResourceState[] {
    return this.#engine.resources;
  }

  remove(): void {
    // Nothing is left of it.
  }
}

class RealStack implements Stack {
  constructor(
    private readonly stack: EngineStack,
    private readonly filesOf: FilesOf,
  ) {}

  async run(command: Command, options: RunOptions): Promise<Run> {
    const { settings, program, continuesOnError = false, replaces = [] } = options;
    if (program) await this.stack.program(this.filesOf(program));
    const flags = ["--parallel", "1", ...(continuesOnError ? ["--continue-on-error"] : [])];
    for (const name of replaces) flags.push("--replace", (await this.stack.resource(name)).urn);
    const run = await this.stack[command]({ env: environmentOf(settings), flags });
    const messages = (wanted: string) =>
      run.diagnostics.filter(({ severity }) => severity.startsWith(wanted)).map(({ message }) => message);
    const errors = run.code === null ? [...messages("error"), run.output] : messages("error");
    const names = new Set(run.steps.map(({ name }) => name));
    return {
      errors: run.code === 0 ? "" : errors.join("\n"),
      warnings: warningsOf(run),
      infos: messages("info"),
      changes: Object.fromEntries([...names].map((name) => [name, changeOf(stepsOf(run, name))])),
    };
  }

  async forget(name: string): Promise<void> {
    const { urn } = await this.stack.resource(name);
    await this.stack.run(["state", "delete", urn, "--yes", "--stack", "dev"]);
  }

  async rewrite(change: (state: string) => string): Promise<void> {
    const file = join(this.stack.folder, "state.json");
    await writeFile(file, change(JSON.stringify(await this.stack.plainState())));
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

function changeOf(steps: readonly string[]): Change {
  if (steps.includes("replace")) return "replace";
  return (["create", "update", "delete"] as const).find((change) => steps.includes(change)) ?? "same";
}

/** Each former group (`overlap`) becomes so many hours older. */
export const aged = (hours: number) => (state: string) =>
  state.replaceAll(/(until\W+)([\d-]+T[\d:.]+Z)/g, (_, before: string, until: string) => {
    return before + new Date(Date.parse(until) - hours * 3_600_000).toISOString();
  });
