import fc from "fast-check";
import { testInLanes } from "../../lanes";
import { anyChoices } from "../choices";
import { anyHistory, firstSeed, runHistory } from "../history";

/** Each run of the engine starts a process, so there are fewer than with the dynamic providers. */
const seeds = Array.from({ length: 16 }, (_, index) => firstSeed + index);

describe("random histories, with the packed plugin", () => {
  testInLanes(seeds, { lanes: 2, title: (seed) => `violate no invariant from seed ${seed}`, test: runFew });
});

async function runFew(seed: number): Promise<void> {
  const property = fc.asyncProperty(anyChoices, anyHistory(40), (chosen, commands) =>
    runHistory(chosen, commands, { isPlugin: true }),
  );
  await fc.assert(property, { numRuns: 4, seed, endOnFailure: true });
}
