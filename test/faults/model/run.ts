/** One command of the model engine: what it did, what failed, and whether it was killed. */
import { AsyncLocalStorage } from "node:async_hooks";
import { findRunBy, Run } from "../../../provider/src/provider/claims";
import { partOf, type Declared } from "./records";

/** A kill -9 that comes when it comes; whoever brings it about sets `hasCome`. */
export interface Death {
  hasCome: boolean;
  /** What wasn't written down when it came: the operation, or (PULUMI_SKIP_CHECKPOINTS) everything of the run. */
  readonly forgets: "the operation" | "the run";
}

export interface Conditions {
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
  readonly death?: Death;
  /** Called before each operation of the provider. */
  readonly before?: (operation: Operation) => Promise<void> | void;
}

export interface Failure {
  readonly operation: Operation;
  readonly name: string;
  /** What the engine prints. */
  readonly message: string;
}

export interface Outcome {
  /** Such as "create acme", without the checks and diffs. */
  readonly steps: readonly string[];
  readonly failures: readonly Failure[];
  readonly wasKilled: boolean;
}

export type Operation = "check" | "diff" | "create" | "read" | "update" | "delete";

export class ModelRun implements Outcome {
  readonly steps: string[] = [];
  readonly failures: Failure[] = [];
  wasKilled = false;
  readonly #conditions: Conditions;

  /** The engine starts a process of providers for each of its commands. */
  static async start(conditions: Conditions, work: (run: ModelRun) => Promise<void>): Promise<Outcome> {
    const run = new ModelRun(conditions);
    try {
      await inRun(() => work(run));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      run.wasKilled = true;
    }
    return run;
  }

  private constructor(conditions: Conditions) {
    this.#conditions = conditions;
  }

  get goesOn(): boolean {
    return this.failures.length === 0 || this.#conditions.continuesOnError === true;
  }

  /** Calls an operation; undefined where it failed, unless `rescue` finds something in the error to record. */
  async call<Result, Part = never>(
    operation: Operation,
    { name }: Pick<Declared, "name">,
    work: () => Promise<Result>,
    rescue: (error: unknown) => Part | undefined = () => undefined,
  ): Promise<Result | Part | undefined> {
    if (operation !== "check" && operation !== "diff") this.steps.push(`${operation} ${name}`);
    await this.#conditions.before?.(operation);
    let error: unknown;
    try {
      const result = await work();
      if (!this.#conditions.death?.hasCome) return result;
    } catch (thrown) {
      error = thrown;
    }
    if (this.#conditions.death?.hasCome) throw new Killed();
    this.fail(operation, { name }, error);
    return rescue(error);
  }

  fail(operation: Operation, { name }: Pick<Declared, "name">, error: unknown): void {
    this.failures.push({ operation, name, message: printed(error) });
  }
}

function printed(error: unknown): string {
  const { reasons } = partOf(error) ?? {};
  return reasons?.join("\n") ?? (error instanceof Error ? error.message : String(error));
}

class Killed extends Error {}

/** Calls providers as one process of the engine's does. */
export function inRun(work: () => Promise<void>): Promise<void> {
  return runs.run(new Run(), work);
}

const runs = new AsyncLocalStorage<Run>();
findRunBy(() => runs.getStore());
