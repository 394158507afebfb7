/** One command of the model engine: what it did, what failed, and whether it was killed. */
import type { Kind, Providers } from "../harness/product";
import { partOf, type Declared } from "./resources";

/** A kill -9 at any moment; what brings it about sets `hasHappened`. The operation that is under way isn't written down. */
export interface Kill {
  hasHappened: boolean;
}

export interface Conditions {
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
  readonly kill?: Kill;
  /** Called before each operation of the provider. */
  readonly before?: (operation: Operation, name: string) => Promise<void> | void;
}

export interface Failure {
  readonly operation: Operation;
  readonly name: string;
  /** What the engine prints. */
  readonly message: string;
}

/** What the engine's preview says of a resource. */
export type Change = "create" | "same" | "update" | "replace" | "delete";

export type Command = "preview" | "up" | "refresh" | "destroy";

export interface Outcome {
  /** By the names of the resources. */
  readonly changes: Readonly<Record<string, Change>>;
  /** Such as "create acme", without checks and diffs. */
  readonly steps: readonly string[];
  readonly failures: readonly Failure[];
  /** Names of resources of whose values a preview didn't know all. */
  readonly unknown: ReadonlySet<string>;
  readonly wasKilled: boolean;
}

export type Operation = "check" | "diff" | "create" | "read" | "update" | "delete";

export class ModelRun implements Outcome {
  readonly changes: Record<string, Change> = {};
  readonly steps: string[] = [];
  readonly failures: Failure[] = [];
  readonly unknown = new Set<string>();
  /** Names of resources that weren't created, updated or replaced, because one that they depend on wasn't. */
  readonly skipped = new Set<string>();
  /** Names of resources that a preview creates or replaces, so that their IDs aren't known. */
  readonly renewed = new Set<string>();
  /** URNs of the states of declared resources, which may be those of their aliases. */
  readonly aliased = new Set<string>();
  /** Names of resources that were deleted because they depend on one that is replaced, and aren't declared yet. */
  readonly deletedEarly = new Set<string>();
  /**
   * Whether the program waits for a creation that never begins, until the user interrupts the command: with --continue-on-error,
   * engine 3.259 doesn't answer it after the deletion that comes first has failed.
   */
  isStuck = false;
  wasKilled = false;

  /** The engine starts a process of providers for each of its commands. */
  static async start(
    command: Command,
    conditions: Conditions,
    providers: Providers,
    work: (run: ModelRun) => Promise<void>,
  ): Promise<Outcome> {
    const run = new ModelRun(command, conditions, providers);
    try {
      await work(run);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      run.wasKilled = true;
    }
    return run;
  }

  private constructor(
    private readonly command: Command,
    private readonly conditions: Conditions,
    private readonly providers: Providers,
  ) {}

  get isPreview(): boolean {
    return this.command === "preview";
  }

  get continuesOnError(): boolean {
    return this.conditions.continuesOnError === true;
  }

  /** A failure of check or diff stops a deployment, also with `--continue-on-error`. */
  get goesOn(): boolean {
    if (this.isStuck) return false;
    return this.failures.every(
      ({ operation }) => this.continuesOnError && operation !== "check" && operation !== "diff",
    );
  }

  /** What had begun before a check or a diff failed goes on. */
  get finishes(): boolean {
    const isOfPlan = ({ operation }: Failure) => operation === "check" || operation === "diff";
    return !this.isStuck && this.failures.every((failure) => this.continuesOnError || isOfPlan(failure));
  }

  providerOf({ provider }: Pick<Declared, "provider">): Providers[Kind] {
    return this.providers[provider];
  }

  /** Names of resources whose step failed or was skipped. */
  get undone(): ReadonlySet<string> {
    return new Set([...this.skipped, ...this.failures.map(({ name }) => name)]);
  }

  /** Calls an operation; undefined if it failed, unless `rescue` finds something in the error to record. */
  async call<Result, Part = never>(
    operation: Operation,
    { name }: Pick<Declared, "name">,
    work: () => Promise<Result>,
    rescue: (error: unknown) => Part | undefined = () => undefined,
  ): Promise<Result | Part | undefined> {
    if (operation !== "check" && operation !== "diff") this.steps.push(`${operation} ${name}`);
    await this.conditions.before?.(operation, name);
    let error: unknown;
    try {
      const result = await work();
      if (!this.conditions.kill?.hasHappened) return result;
    } catch (thrown) {
      error = thrown;
    }
    if (this.conditions.kill?.hasHappened) throw new Killed();
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
