/** Begins all work, so much of it at a time, and gives what comes of each item without anybody having to wait for it. */
function inLanes<Item, Result>(
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

export interface LaneTests<Item> {
  /** Items at a time. */
  readonly lanes: number;
  readonly title: (item: Item) => string;
  readonly test: (item: Item) => Promise<void>;
  /** Whether the tests are skipped. Default: false. */
  readonly isSkipped?: boolean;
}

/** Declares a test for each item. The work on all begins before the first test. */
export function testInLanes<Item>(
  items: readonly Item[],
  { lanes, title, test, isSkipped = false }: LaneTests<Item>,
): void {
  let outcomes: ReadonlyMap<Item, Promise<void>> = new Map();
  before("the work begins", function () {
    if (isSkipped) return this.skip();
    outcomes = inLanes(items, lanes, test);
  });
  after("the end of the work", () => Promise.allSettled(outcomes.values()));
  for (const item of items) it(title(item), () => outcomes.get(item));
}
