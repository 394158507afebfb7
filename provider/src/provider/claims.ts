/**
 * Which groups the program of this run declares, so that the deletion of a record takes none of them.
 *
 * Get-or-create gives a group that is there to a second record too: when a resource is renamed without an alias, moved
 * from `UserGroup` to `UserGroups`, or replaced on demand (`--replace`, `state taint`), where the engine doesn't ask
 * diff and creates before it deletes. The first record is deleted at the end of that run, even if the creation of the
 * second failed (`--continue-on-error`), or, if the run fails or is killed, at the end of a later one.
 */
export class Run {
  #hasProgram = false;
  readonly #declared = new Set<string>();
  readonly #compared = new Set<string>();
  readonly #rewritten = new Set<string>();
  readonly #leaving = new Set<string>();

  /**
   * Check: the program declares the groups. The engine checks a resource that it is going to replace once more after
   * diff, without what it was: if it is deleted first, then only for its groups to be created again.
   */
  noteDeclared(groups: readonly string[], olds: object): void {
    this.#hasProgram = true;
    const isNew = Object.keys(olds).length === 0;
    for (const group of groups) {
      if (isNew && this.#compared.has(group)) this.#rewritten.add(group);
      this.#declared.add(group);
    }
  }

  /**
   * Whether the program has begun to declare resources. A refresh asks diff before that, or without any program, and
   * does nothing of what follows from the difference.
   */
  get hasProgram(): boolean {
    return this.#hasProgram;
  }

  /** Diff: a record keeps its groups, as far as its own change goes. */
  noteKept(groups: readonly string[]): void {
    for (const group of groups) if (this.#declared.has(group)) this.#compared.add(group);
  }

  /** Diff: a record's own change deletes its groups and creates them again. */
  noteRewritten(groups: readonly string[]): void {
    for (const group of groups) if (this.#declared.has(group)) this.#rewritten.add(group);
  }

  /** Diff: an update of a record deletes the groups, unless another one has declared them. */
  noteLeaving(groups: readonly string[]): void {
    for (const group of groups) if (!this.#declared.has(group)) this.#leaving.add(group);
  }

  /** Whether an update deletes the group, which came before any other declaration of it. */
  isLeaving(group: string): boolean {
    return this.#leaving.has(group);
  }

  /** A record has got the group, new or as it was. */
  noteCreated(group: string): void {
    this.#declared.add(group);
    this.#rewritten.delete(group);
  }

  /** Whether the group is deleted only to be created again. */
  isRewritten(group: string): boolean {
    return this.#rewritten.has(group);
  }

  /** Whether another record than the one that is deleted holds the group, or is going to. */
  isDeclaredElsewhere(group: string): boolean {
    return this.#declared.has(group) && !this.#rewritten.has(group);
  }
}

/** The engine starts this process for one run. Elsewhere, say in a test, nothing tells where a run ends. */
const isOneRun = /[\\/]dynamic-provider([\\/]|$)/.test(require.main?.filename ?? "");
const runOfProcess = isOneRun ? new Run() : undefined;

let find = (): Run | undefined => runOfProcess;

export function currentRun(): Run | undefined {
  return find();
}

/** Whether the changes that a diff finds are going to be made, so that it should say what they do. */
export function isForecast(): boolean {
  return currentRun()?.hasProgram ?? true;
}

/** For whoever drives the providers as the engine does, run by run. */
export function findRunBy(finder: () => Run | undefined): void {
  find = finder;
}
