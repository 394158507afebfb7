/** Has the real engine take the steps of a history, and kills it with all its processes. */
import type { Emulator } from "../../../provider/src/testing";
import { Doom, newStack, type Result as Run, type Stack } from "../../engine/harness";
import type { Declared, Recorded } from "../../faults/model/records";
import type { Driver, EngineStep, Result } from "../driver";
import { recordsIn } from "./state";

export class RealDriver implements Driver {
  readonly #stack: Stack;
  readonly #doom: Doom;
  #records: readonly Recorded[] = [];

  static async start(emulator: Emulator, settings: Readonly<Record<string, string>>): Promise<RealDriver> {
    const doom = new Doom();
    return new RealDriver(await newStack({ emulator, program, env: { ...settings, ...doom.env } }), doom);
  }

  private constructor(stack: Stack, doom: Doom) {
    this.#stack = stack;
    this.#doom = doom;
  }

  /** To be called when the service has carried a request out, and not answered yet. */
  onRequest(): void {
    this.#doom.onRequest();
  }

  records(): Promise<readonly Recorded[]> {
    return Promise.resolve(this.#records);
  }

  async run(step: EngineStep, declared: readonly Declared[]): Promise<Result> {
    await this.#stack.program({ "program.json": JSON.stringify(declared) });
    const requests = step.disturbance.kind === "kill" ? step.disturbance.after : Infinity;
    const run = await this.#doom.during({ requests }, () => this.#start(step));
    const wasKilled = run.code === null;
    if (wasKilled) await this.#stack.recover();
    this.#records = recordsIn(await this.#stack.plainState());
    const operations = run.steps.filter(({ op, name }) => op !== "same" && name !== "tests-dev").length;
    return { errors: errorsOf(run), wasKilled, operations, printed: run.output };
  }

  end(): Promise<void> {
    return this.#stack.remove();
  }

  #start({ disturbance, ...step }: EngineStep): Promise<Run> {
    const forgets = disturbance.kind === "kill" && disturbance.forgets === "the run";
    const env = forgets ? { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" } : {};
    const flags = ["--parallel", "1"];
    if (step.do === "refresh") return this.#stack.refresh({ env, flags });
    if (step.do === "destroy")
      return this.#stack.destroy({ env, flags: [...flags, ...(step.isRefreshing ? ["--refresh"] : [])] });
    return this.#stack.up({
      env,
      flags: [...flags, ...(step.continuesOnError ? ["--continue-on-error"] : [])],
    });
  }
}

/** What the providers say, each in a line that ends in its code; or, where something else failed, everything. */
function errorsOf({ code, diagnostics, output }: Run): string[] {
  if (code === null || code === 0) return [];
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const told = errors.filter((message) => /\[[a-z-]+\]/.test(message));
  return told.length > 0 ? told : [output];
}

/** A group that moves is declared anew before the resource that it leaves is updated, as the warnings ask for. */
const program = {
  "program.json": "[]",
  "index.js": `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const types = { userGroup: UserGroup, userGroups: UserGroups };
    const dependsOn = [];
    for (const { name, provider, args } of require("./program.json"))
      dependsOn.push(new types[provider](name, args, { dependsOn: [...dependsOn] }));
  `,
};
