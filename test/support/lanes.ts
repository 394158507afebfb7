import pLimit from "p-limit";

export interface LaneTests<Item> {
  /** Items at a time. */
  readonly lanes: number;
  readonly title: (item: Item) => string;
  readonly test: (item: Item) => Promise<void>;
  /** Whether the tests are skipped. Default: false. */
  readonly isSkipped?: boolean;
}

/** Declares a test for each item. The work on all begins with the first of them that runs. */
export function testInLanes<Item>(
  items: readonly Item[],
  { lanes, title, test, isSkipped = false }: LaneTests<Item>,
): void {
  const outcomes = new Map<Item, Promise<void>>();
  const outcomeOf = (item: Item) => {
    if (outcomes.size === 0) {
      const lane = pLimit(lanes);
      for (const each of items) {
        const outcome = lane(() => test(each));
        // A failure waits for its test.
        outcome.catch(() => undefined);
        outcomes.set(each, outcome);
      }
    }
    return outcomes.get(item);
  };
  after("the end of the work", () => Promise.allSettled(outcomes.values()));
  for (const item of items) (isSkipped ? it.skip : it)(title(item), () => outcomeOf(item));
}
