import fc from "fast-check";
import { canKill } from "../../engine/harness";
import { inContext } from "../../harness/context";
import { testInLanes } from "../../lanes";
import { anyChoices, behaviorOf, type Choices } from "../choices";
import { anyHistory, firstSeed, runHistory as runWithModel, runIn, type Command } from "../history";
import { HistoryRunner } from "../historyRunner";
import { RealDriver } from "./engineDriver";

/** Engines at a time. Each run of an engine starts a process, so there are fewer than with the dynamic providers. */
const lanes = 2;
const seedsOf = (count: number) => Array.from({ length: count }, (_, index) => firstSeed + index);

describe("random histories, with the packed plugin", () => {
  const property = fc.asyncProperty(anyChoices, anyHistory(40), (chosen, commands) =>
    runWithModel(chosen, commands, { isPlugin: true }),
  );
  testInLanes(seedsOf(16), {
    lanes,
    title: (seed) => `violate no invariant from seed ${seed}`,
    test: (seed) => fc.assert(property, { numRuns: 4, seed, endOnFailure: true }),
  });
});

describe("random histories, with the real engine", () => {
  testInLanes(seedsOf(4), {
    lanes,
    title: (seed) => `violate no invariant from seed ${seed}`,
    test: runOne,
    isSkipped: !canKill,
  });
});

/** One that fails isn't made shorter, which would take hours; its seed and its steps are printed. */
async function runOne(seed: number): Promise<void> {
  const property = fc.asyncProperty(anyChoices, anyHistory(60), runHistory);
  await fc.assert(property, { numRuns: 1, seed, endOnFailure: true });
}

async function runHistory(choices: Choices, commands: Iterable<Command>): Promise<void> {
  await inContext(behaviorOf(choices), async (context) => {
    const { emulator, tokens } = context;
    const driver = await RealDriver.start(emulator);
    context.onRequest = () => {
      driver.onRequest();
    };
    try {
      await runIn(new HistoryRunner({ choices, emulator, tokens, driver, timeout: 9 }), commands);
    } finally {
      await driver.end();
    }
  });
}
