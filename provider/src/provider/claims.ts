/**
 * Which groups the records of this run hold, so that the deletion of one record doesn't take a group from another.
 *
 * Get-or-create gives a group that is there to a second record too: when a resource is renamed without an alias,
 * moved from `UserGroup` to `UserGroups`, or replaced on demand (`--replace`, `state taint`), where the engine doesn't
 * ask diff and creates before it deletes. The first record is deleted at the end of that run, or, if that fails or is
 * killed, at the end of a later one, which creates nothing: hence also diff says what is held.
 */
export class Run {
  #hasProgram = false;
  readonly #wanted = new Set<string>();
  readonly #held = new Set<string>();
  readonly #rewritten = new Set<string>();

  /**
   * The program declares the groups. The engine checks a resource that it is going to replace a second time, without
   * what it was: from then on its groups aren't held, but deleted and created again.
   */
  noteWanted(groups: readonly string[], olds: object): void {
    this.#hasProgram = true;
    const isReplaced = Object.keys(olds).length === 0;
    for (const group of groups) {
      this.#wanted.add(group);
      if (isReplaced && this.#held.delete(group)) this.#rewritten.add(group);
    }
  }

  /**
   * Whether the program has begun to declare resources. A refresh asks diff before that, or without any program, and
   * does nothing of what follows from the difference.
   */
  get hasProgram(): boolean {
    return this.#hasProgram;
  }

  /** A record's own change deletes its groups and creates them again. */
  noteRewritten(groups: readonly string[]): void {
    for (const group of groups) if (this.#wanted.has(group)) this.#rewritten.add(group);
  }

  /** A record keeps its groups, as far as its own change goes. The diffs of a refresh say nothing of the program. */
  noteKept(groups: readonly string[]): void {
    for (const group of groups) if (this.#wanted.has(group)) this.#held.add(group);
  }

  /** A record holds the group, which was created for it or taken over. */
  claim(group: string): void {
    this.#held.add(group);
  }

  /** Whether another record holds the group, so that it must not be deleted. */
  isClaimed(group: string): boolean {
    return this.#held.has(group);
  }

  /** Whether the group is deleted only to be created again. */
  isRewritten(group: string): boolean {
    return this.#rewritten.has(group);
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
