import fc from "fast-check";
import { canKill, newStack, ProcessKiller, type Result as Run, type Stack } from "../../engine/harness";
import { environmentOf, programOf } from "../../engine/harness/programs";
import { resourcesIn } from "../../engine/harness/state";
import { inContext } from "../../harness/context";
import { testInLanes } from "../../lanes";
import type { Declared, ResourceState } from "../../model/resources";
import { anyChoices, behaviorOf, type Choices } from "../choices";
import type { Driver, Result, Settings } from "../driver";
import { anyHistory, firstSeed, runHistory as runWithModel, runIn, type Command } from "../history";
import { HistoryRunner } from "../historyRunner";
import type { EngineStep } from "../steps";

/** Engines at a time. Each run of an engine starts a process, so there are fewer than with the dynamic providers. */
const lanes = 2;
const seedsOf = (count: number) => Array.from({ length: count }, (_, index) => firstSeed + index);

describe("random histories, with the packed plugin", () => {
  const property = fc.asyncProperty(anyChoices, anyHistory(40), (chosen, commands) =>
    runWithModel(chosen, commands, { isPlugin: true }),
  );
  testInLanes(seedsOf(16), {
    lanes,
    title: (seed) => `violate no invariant from seed ${seed}`,
    test: (seed) => fc.assert(property, { numRuns: 4, seed, endOnFailure: true }),
  });
});

describe("random histories, with the real engine", () => {
  testInLanes(seedsOf(4), {
    lanes,
    title: (seed) => `violate no invariant from seed ${seed}`,
    test: runOne,
    isSkipped: !canKill,
  });
});

/** One that fails isn't made shorter, which would take hours; its seed and its steps are printed. */
async function runOne(seed: number): Promise<void> {
  const property = fc.asyncProperty(anyChoices, anyHistory(60), runHistory);
  await fc.assert(property, { numRuns: 1, seed, endOnFailure: true });
}

async function runHistory(choices: Choices, commands: Iterable<Command>): Promise<void> {
  await inContext(behaviorOf(choices), async (context) => {
    const { emulator, tokens } = context;
    const killer = new ProcessKiller();
    context.onRequest = () => {
      killer.onRequest();
    };
    const stack = await newStack({ emulator, program: programOf([]), env: killer.env });
    const driver = new RealDriver(stack, killer);
    try {
      await runIn(new HistoryRunner(choices, emulator, tokens, driver, 9), commands);
    } finally {
      await stack.remove();
    }
  });
}

/** Has the real engine take the steps of a history, and kills it with all its processes. */
class RealDriver implements Driver {
  #resources: readonly ResourceState[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly killer: ProcessKiller,
  ) {}

  resources(): Promise<readonly ResourceState[]> {
    return Promise.resolve(this.#resources);
  }

  async taint(name: string): Promise<void> {
    const urn = await this.#urnOf(name);
    if (urn === undefined) return;
    await this.stack.run(["state", "taint", urn, "--yes", "--stack", "dev"]);
    await this.#readState();
  }

  async run(step: EngineStep, declared: readonly Declared[], settings: Settings): Promise<Result> {
    const isParallel = step.do === "up" && step.isParallel;
    await this.stack.program(programOf(declared, { isParallel }));
    const requests = step.disturbance.kind === "kill" ? step.disturbance.after : Infinity;
    const flags = await this.#flagsOf(step);
    const run = await this.killer.during({ requests }, () => this.#start(step, flags, settings));
    const wasKilled = run.code === null;
    if (wasKilled) await this.stack.recover();
    await this.#readState();
    return { errors: errorsOf(run), wasKilled };
  }

  #start({ disturbance, ...step }: EngineStep, flags: readonly string[], settings: Settings): Promise<Run> {
    const skipsCheckpoints = disturbance.kind === "kill" && disturbance.loses === "the run";
    const checkpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
    const env = { ...environmentOf(settings), ...(skipsCheckpoints && checkpoints) };
    return this.stack[step.do]({ env, flags });
  }

  async #flagsOf(step: EngineStep): Promise<string[]> {
    const isParallel = step.do === "up" && step.isParallel;
    const flags = ["--parallel", isParallel ? "16" : "1"];
    if (step.do === "destroy" && step.isRefreshing) flags.push("--refresh");
    if (step.do !== "up") return flags;
    if (step.continuesOnError) flags.push("--continue-on-error");
    const urn = step.replaces === "none" ? undefined : await this.#urnOf(step.replaces);
    return urn === undefined ? flags : [...flags, "--replace", urn];
  }

  async #urnOf(resource: string): Promise<string | undefined> {
    const named = (await this.stack.resources()).filter(({ name }) => name === resource);
    const isLive = this.#resources.some(({ name, status }) => name === resource && status === "live");
    return isLive ? named[0]?.urn : undefined;
  }

  async #readState(): Promise<void> {
    this.#resources = resourcesIn(await this.stack.plainState());
  }
}

/** What the providers say, each in a line that ends in its code; or everything, if something else failed. */
function errorsOf({ code, diagnostics, output }: Run): string[] {
  if (code === null || code === 0) return [];
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const ours = errors.filter((message) => /\[[a-z-]+\]/.test(message));
  return ours.length > 0 ? ours : [output];
}
