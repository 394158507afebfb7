/** The model of the engine against the real one, on small histories: the same requests, and the same states, after each command. */
import assert from "node:assert/strict";
import { canKill, newStack, ProcessKiller, type Stack } from "../engine/harness";
import { environmentOf, programOf } from "../engine/harness/programs";
import { resourcesIn } from "../engine/harness/state";
import { testInLanes } from "../lanes";
import type { UpConditions } from "../model/engine";
import type { Declared, ResourceState } from "../model/resources";
import type { Command, Outcome } from "../model/run";
import { isSecret, markedOf } from "../model/secrets";
import type { Engine, Settings } from "./commands";
import { allHistories, sampleOf, type History } from "./history";
import { isSuccess, type Step } from "./oracle/step";
import { traitsOf } from "./program";
import { runHistory } from "./runner";
import { Service } from "./service";

const { HISTORY: only, ENGINE_HISTORIES: wanted = "200" } = process.env;

/** The first `up`, the step, and what the user does next. */
const mostCommands = 3;

describe("the model of the engine", () => {
  const numbered = allHistories().map((history, number) => ({ history, number }));
  const comparable = numbered.filter(({ history }) => isComparable(history));
  const chosen =
    only === undefined
      ? sampleOf(comparable, Number(wanted))
      : comparable.filter(({ number }) => number === Number(only));
  testInLanes(chosen, {
    lanes: 2,
    title: ({ history: { shape }, number }) => `does what the real one does: history ${number}, ${shape}`,
    test: ({ history }) => compare(history),
    isSkipped: !canKill,
  });
});

/**
 * One resource after the other, and no fault whose end depends on time or on the order of the groups of a UserGroups, which is random.
 * Dynamic resources don't know `replaceOnChanges`.
 */
function isComparable({ shape, order, fault, overlapHours, flag, lookup }: History): boolean {
  const { hasMany, hasTwo } = traitsOf(shape);
  const isOrdered = fault === undefined || !hasMany || (fault.kind === "all refused" && fault.request === 1);
  const isTimed = fault?.kind === "all lost after" || overlapHours > 0 || order === "pausing";
  const isOneByOne = order === "chained" || !hasTwo;
  return isOneByOne && isOrdered && !isTimed && flag !== "replaceOnChanges" && lookup === "none";
}

async function compare(history: History): Promise<void> {
  const [modelService, realService] = [await Service.start(), await Service.start()];
  let engine: RealEngine | undefined;
  try {
    const { steps } = await runHistory(history, modelService, { mostCommands });
    const real = await runHistory(history, realService, {
      mostCommands,
      isChecked: false,
      start: async (settings) => (engine = await RealEngine.start(settings)),
    });
    // A history that broke an invariant ends.
    for (const [index, expected] of steps.entries()) {
      // Which of two deletions comes first is random, and so is what a failure leaves undone.
      if (expected.command === "destroy" && expected.outcome.failures.length > 0) return;
      const actual = real.steps[index] ?? assert.fail(`The real engine doesn't run command ${index + 1}`);
      assert.deepEqual(
        comparableStep(actual),
        comparableStep(expected),
        `command ${index + 1}\n${engine?.output}`,
      );
    }
  } finally {
    await Promise.all([modelService.emulator.stop(), realService.emulator.stop(), engine?.remove()]);
  }
}

function comparableStep(step: Step): object {
  const key = ({ name, status }: ResourceState) => `${name} ${status}`;
  return {
    command: step.command,
    isSuccess: isSuccess(step),
    // The provider of the model goes on after a kill, and reaches nothing.
    requests: step.requests
      .filter(({ entry }) => entry.status !== 401)
      .map(({ entry }) => `${entry.method} ${entry.userGroupId} ${entry.effect}`)
      .sort(),
    states: [...step.after].sort((one, other) => key(one).localeCompare(key(other))).map(comparableState),
  };
}

/** A state with nothing that differs between two services. */
function comparableState({ dependencies, initErrors, inputs, outputs, ...others }: ResourceState): object {
  return {
    ...others,
    dependencies: [...dependencies].sort(),
    isComplete: initErrors.length === 0,
    inputs: visible(markedOf(inputs)),
    outputs: visible(markedOf(outputs)),
  };
}

function visible(value: unknown): unknown {
  if (isSecret(value)) return "[secret]";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !name.startsWith("__") && name !== "baseUrl");
  return Object.fromEntries(shown.map(([name, each]): [string, unknown] => [name, visible(each)]));
}

/** The real engine, for the runner of the histories. */
class RealEngine implements Engine {
  resources: readonly ResourceState[] = [];
  /** What the last command printed. */
  output = "";
  /** Names of resources whose option `replacementTrigger` has got another value. */
  readonly #triggered = new Set<string>();

  static async start(settings: () => Settings): Promise<RealEngine> {
    const killer = new ProcessKiller();
    return new RealEngine(await newStack({ program: programOf([]), env: killer.env }), killer, settings);
  }

  private constructor(
    private readonly stack: Stack,
    private readonly killer: ProcessKiller,
    private readonly settings: () => Settings,
  ) {}

  async preview(program: readonly Declared[], conditions: UpConditions): Promise<Outcome> {
    await this.#declare(program, conditions);
    // `pulumi preview` has no --continue-on-error.
    return this.#run("preview", { ...conditions, continuesOnError: false });
  }

  async up(program: readonly Declared[], conditions: UpConditions): Promise<Outcome> {
    await this.#declare(program, conditions);
    return this.#run("up", conditions);
  }

  refresh(): Promise<Outcome> {
    return this.#run("refresh");
  }

  destroy(conditions: UpConditions): Promise<Outcome> {
    return this.#run("destroy", conditions);
  }

  taint(name: string): Promise<void> {
    return this.#changeState("taint", name);
  }

  forget(name: string): Promise<void> {
    return this.#changeState("delete", name);
  }

  kill(): void {
    this.killer.kill();
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }

  #declare(program: readonly Declared[], { triggers = [] }: UpConditions): Promise<void> {
    for (const name of triggers) this.#triggered.add(name);
    // Without `dependsOn`, a program of the harness waits for each resource. The engine compares a trigger with a former one only.
    const resources = program.map((declared) => ({
      dependsOn: [],
      replacementTrigger: this.#triggered.has(declared.name) ? "another" : "the first",
      ...declared,
    }));
    return this.stack.program(programOf(resources));
  }

  async #run(command: Command, { continuesOnError, replaces = [] }: UpConditions = {}): Promise<Outcome> {
    const replaced = (await this.stack.resources()).filter(({ name }) => replaces.includes(name));
    const flags = ["--parallel", "1", ...replaced.flatMap(({ urn }) => ["--replace", urn])];
    if (continuesOnError) flags.push("--continue-on-error");
    const { code, output } = await this.stack[command]({ env: environmentOf(this.settings()), flags });
    const wasKilled = code === null;
    if (wasKilled) await this.stack.recover();
    this.output = output;
    this.resources = resourcesIn(await this.stack.plainState());
    const failure = { operation: "check", name: "", message: output } as const;
    const failures = code === 0 || wasKilled ? [] : [failure];
    return { changes: {}, steps: [], unknown: new Set(), failures, wasKilled };
  }

  async #changeState(command: "taint" | "delete", name: string): Promise<void> {
    for (const { urn, name: other } of await this.stack.resources())
      if (other === name) await this.stack.run(["state", command, urn, "--yes", "--stack", "dev"]);
    this.resources = resourcesIn(await this.stack.plainState());
  }
}
