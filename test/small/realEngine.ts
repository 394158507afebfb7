/** The real engine, for the runner of the histories. */
import { newStack, ProcessKiller, type Stack } from "../engine/harness";
import { environmentOf, programOf } from "../engine/harness/programs";
import { resourcesIn } from "../engine/harness/state";
import type { UpConditions } from "../model/engine";
import type { Declared, ResourceState } from "../model/resources";
import type { Outcome } from "../model/run";
import type { Engine, Settings } from "./commands";

type Result = Awaited<ReturnType<Stack["up"]>>;

export class RealEngine implements Engine {
  resources: readonly ResourceState[] = [];
  /** What the last command printed. */
  output = "";

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
    return this.#run("preview", await this.#flags({ ...conditions, continuesOnError: false }));
  }

  async up(program: readonly Declared[], conditions: UpConditions): Promise<Outcome> {
    await this.#declare(program, conditions);
    return this.#run("up", await this.#flags(conditions));
  }

  refresh(): Promise<Outcome> {
    return this.#run("refresh");
  }

  destroy({ continuesOnError = false }: UpConditions): Promise<Outcome> {
    return this.#run("destroy", continuesOnError ? ["--continue-on-error"] : []);
  }

  taint(name: string): Promise<void> {
    return this.#changeState("taint", name);
  }

  forget(name: string): Promise<void> {
    return this.#changeState("delete", name);
  }

  /** Kills what runs. */
  kill(): void {
    this.killer.kill();
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }

  async #run(
    command: "preview" | "up" | "refresh" | "destroy",
    flags: readonly string[] = [],
  ): Promise<Outcome> {
    const env = environmentOf(this.settings());
    const result: Result = await this.stack[command]({ env, flags: ["--parallel", "1", ...flags] });
    const wasKilled = result.code === null;
    if (wasKilled) await this.stack.recover();
    this.output = result.output;
    this.resources = resourcesIn(await this.stack.plainState());
    const message = result.output;
    const failures =
      result.code === 0 || wasKilled ? [] : [{ operation: "check" as const, name: "", message }];
    return { changes: {}, steps: [], unknown: new Set(), failures, wasKilled };
  }

  #declare(program: readonly Declared[], { triggers = [] }: UpConditions): Promise<void> {
    // Without `dependsOn`, a program of the harness waits for each resource.
    const resources = program.map((declared) => ({
      dependsOn: [],
      ...declared,
      ...(triggers.includes(declared.name) && { replacementTrigger: "another" }),
    }));
    return this.stack.program(programOf(resources));
  }

  async #flags({ continuesOnError = false, replaces = [] }: UpConditions): Promise<string[]> {
    const urns = (await this.stack.resources()).filter(({ name }) => replaces.includes(name));
    const targets = urns.flatMap(({ urn }) => ["--replace", urn]);
    return [...(continuesOnError ? ["--continue-on-error"] : []), ...targets];
  }

  async #changeState(command: "taint" | "delete", name: string): Promise<void> {
    for (const { urn, name: other } of await this.stack.resources())
      if (other === name) await this.stack.run(["state", command, urn, "--yes", "--stack", "dev"]);
    this.resources = resourcesIn(await this.stack.plainState());
  }
}
