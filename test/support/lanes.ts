import pLimit from "p-limit";

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
    const lane = pLimit(lanes);
    outcomes = new Map(items.map((item) => [item, lane(() => test(item))]));
    // A failure waits for its test.
    for (const outcome of outcomes.values()) outcome.catch(() => undefined);
  });
  after("the end of the work", () => Promise.allSettled(outcomes.values()));
  for (const item of items) it(title(item), () => outcomes.get(item));
}
