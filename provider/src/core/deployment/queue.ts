/** The operations on one group run one after the other. */

export class GroupQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs the operations on groups with one ID one after the other. Otherwise a resource could adopt a group while the deletion
   * by another resource is under way, and its state would have a group that is gone.
   */
  run<Result>(userGroupId: string, operation: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(userGroupId) ?? Promise.resolve()).then(operation);
    this.#last.set(
      userGroupId,
      result.catch(() => undefined),
    );
    return result;
  }
}
