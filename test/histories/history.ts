/** Runs a history: takes its steps with a runner of its own, and then has everything settle and end. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { inContext, type ContextOptions } from "../harness/context";
import { startPlugin } from "../harness/pluginProviders";
import { groupsIn } from "../model/groups";
import { anySteps } from "./anyStep";
import { behaviorOf, type Choices } from "./choices";
import { ModelDriver } from "./driver";
import { checkSettled } from "./invariants";
import type { Step } from "./steps";
import { HistoryRunner } from "./historyRunner";

/** Whole suites, not the short form of `npm test`. */
export const isWhole = process.env["RELIABILITY"] === "whole";
/** Another number gives other histories. */
export const firstSeed = Number(process.env["SEED"] ?? 1);

export type Command = fc.AsyncCommand<object, HistoryRunner, boolean>;

/** Any history of at most so many steps. */
export function anyHistory(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const commands = anySteps().map((steps) => steps.map((step) => new Taken(step)));
  return fc.commands(commands, { maxCommands, size: "max" });
}

/** One step as fast-check takes it; whether it makes sense is seen by the runner, not in a model of it. */
export class Taken implements Command {
  constructor(readonly step: Step) {}

  check(): boolean {
    return true;
  }

  async run(_: object, runner: HistoryRunner): Promise<void> {
    await runner.take(this.step);
  }

  toString(): string {
    return JSON.stringify(this.step);
  }
}

export interface HistoryOptions {
  /** Gets the steps up to one that violated an invariant. */
  readonly failed?: (steps: readonly Step[]) => void;
  /** Whether the packed plugin takes part, instead of the dynamic providers. */
  readonly isPlugin?: boolean;
}

/** Runs it with the model of the engine. */
export async function runHistory(
  choices: Choices,
  commands: Iterable<Command>,
  { failed = () => undefined, isPlugin = false }: HistoryOptions = {},
): Promise<void> {
  const plugin: Pick<ContextOptions, "start"> = {
    start: ({ settings, printed }) => startPlugin(settings, (line) => printed.push(line)),
  };
  await inContext({ ...behaviorOf(choices), ...(isPlugin && plugin) }, async (context) => {
    const { emulator, tokens, clock } = context;
    clock.attempts = 3;
    const driver = new ModelDriver(context, isPlugin);
    const other = choices.hasOtherAccount && !isPlugin ? emulator.addAccount() : undefined;
    const runner = new HistoryRunner(choices, emulator, tokens, driver, isPlugin ? 2 : 60, other);
    try {
      await runIn(runner, commands, () => {
        if (other) driver.checkApart(other);
      });
      assert.equal(other?.groups.size ?? 0, 0);
    } catch (error) {
      if (!fc.PreconditionFailure.isFailure(error)) failed(runner.taken);
      throw error;
    }
  });
}

/** `check`: called when everything has settled. */
export async function runIn(runner: HistoryRunner, commands: Iterable<Command>, check?: () => void) {
  await fc.asyncModelRun(() => ({ model: {}, real: runner }), commands);
  await settle(runner);
  check?.();
  await end(runner);
}

const none = { kind: "none" } as const;
const refresh: Step = { do: "refresh", disturbance: none };
const up: Step = {
  do: "up",
  disturbance: none,
  continuesOnError: false,
  isParallel: false,
  replaces: "none",
};

/**
 * A program without mistakes settles, whatever happened before: a group that was adopted with other values is replaced by
 * the update after that, and a conflict is reported twice before its author does something about it.
 */
async function settle(runner: HistoryRunner): Promise<void> {
  runner.program.simplify();
  await runner.take(refresh);
  let errors: readonly string[] = [];
  let successes = 0;
  for (let updates = 0; updates < 8 && successes < 2; updates += 1) {
    errors = (await runner.take(up))?.errors ?? [];
    if (errors.some((error) => error.includes("Run pulumi refresh"))) await runner.take(refresh);
    successes = errors.length === 0 ? successes + 1 : 0;
  }
  assert.equal(successes, 2, `The program doesn't settle: ${errors.join("\n")}`);
  await checkSettled(runner);
  await runner.take(up);
  assert.deepEqual(runner.emulator.requests.map(String), [], "An up that should be empty made requests");
}

async function end(runner: HistoryRunner): Promise<void> {
  const { driver, emulator, provenance } = runner;
  await runner.take({ do: "destroy", disturbance: none, isRefreshing: true });
  assert.deepEqual(groupsIn(await driver.resources()), []);
  const others = [...provenance.foreign, ...provenance.loose].sort();
  assert.deepEqual([...emulator.groups.keys()].sort(), others);
}
