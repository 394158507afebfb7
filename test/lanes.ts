/** Begins all work, so much of it at a time, and gives what comes of each item without anybody having to wait for it. */
export function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): ReadonlyMap<Item, Promise<Result>> {
  const ends = Array.from({ length: lanes }, () => Promise.resolve());
  return new Map(
    items.map((item, index) => {
      const result = (ends[index % lanes] ?? Promise.resolve()).then(() => work(item));
      ends[index % lanes] = result.then(
        () => undefined,
        () => undefined,
      );
      return [item, result];
    }),
  );
}
