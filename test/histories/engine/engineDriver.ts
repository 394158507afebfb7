/** Has the real engine take the steps of a history, and kills it with all its processes. */
import type { Emulator } from "../../../provider/src/testing";
import { ProcessKiller, newStack, type Result as Run, type Stack } from "../../engine/harness";
import type { Declared, ResourceState } from "../../model/resources";
import type { Driver, Result, Settings } from "../driver";
import type { EngineStep } from "../steps";
import { environmentOf, programOf } from "../../engine/harness/programs";
import { resourcesIn } from "../../engine/harness/state";

export class RealDriver implements Driver {
  readonly #stack: Stack;
  readonly #killer: ProcessKiller;
  #resources: readonly ResourceState[] = [];

  static async start(emulator: Emulator): Promise<RealDriver> {
    const killer = new ProcessKiller();
    return new RealDriver(await newStack({ emulator, program: programOf([]), env: killer.env }), killer);
  }

  private constructor(stack: Stack, killer: ProcessKiller) {
    this.#stack = stack;
    this.#killer = killer;
  }

  /** To be called when the service has applied a request, and not responded yet. */
  onRequest(): void {
    this.#killer.onRequest();
  }

  resources(): Promise<readonly ResourceState[]> {
    return Promise.resolve(this.#resources);
  }

  async taint(name: string): Promise<void> {
    const urn = await this.#urnOf(name);
    if (urn === undefined) return;
    await this.#stack.run(["state", "taint", urn, "--yes", "--stack", "dev"]);
    await this.#readState();
  }

  async run(step: EngineStep, declared: readonly Declared[], settings: Settings): Promise<Result> {
    const isParallel = step.do === "up" && step.isParallel;
    await this.#stack.program(programOf(declared, { isParallel }));
    const requests = step.disturbance.kind === "kill" ? step.disturbance.after : Infinity;
    const flags = await this.#flagsOf(step);
    const run = await this.#killer.during({ requests }, () => this.#start(step, flags, settings));
    const wasKilled = run.code === null;
    if (wasKilled) await this.#stack.recover();
    await this.#readState();
    return { errors: errorsOf(run), wasKilled };
  }

  end(): Promise<void> {
    return this.#stack.remove();
  }

  #start({ disturbance, ...step }: EngineStep, flags: readonly string[], settings: Settings): Promise<Run> {
    const skipsCheckpoints = disturbance.kind === "kill" && disturbance.loses === "the run";
    const checkpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
    const env = { ...environmentOf(settings), ...(skipsCheckpoints && checkpoints) };
    if (step.do === "refresh") return this.#stack.refresh({ env, flags });
    if (step.do === "destroy") return this.#stack.destroy({ env, flags });
    return this.#stack.up({ env, flags });
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
    const named = (await this.#stack.resources()).filter(({ name }) => name === resource);
    const isLive = this.#resources.some(({ name, status }) => name === resource && status === "live");
    return isLive ? named[0]?.urn : undefined;
  }

  async #readState(): Promise<void> {
    this.#resources = resourcesIn(await this.#stack.plainState());
  }
}

/** What the providers say, each in a line that ends in its code; or everything, if something else failed. */
function errorsOf({ code, diagnostics, output }: Run): string[] {
  if (code === null || code === 0) return [];
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const ours = errors.filter((message) => /\[[a-z-]+\]/.test(message));
  return ours.length > 0 ? ours : [output];
}
