import fc from "fast-check";
import { anyChoices, type Choices } from "./choices";
import { anyHistory, firstSeed, isWhole, runHistory, Taken } from "./history";
import { addRegression, readRegressions } from "./knownRegressions";
import type { Step } from "./steps";
import { testInLanes } from "../lanes";

/** Of each seed; the environment can ask for more. */
const histories = Number(process.env["HISTORIES"] ?? (isWhole ? 64 : 4));
const seeds = Array.from({ length: 20 }, (_, index) => firstSeed * 20 + index);
const mostSteps = 40;

describe("random histories, with the model of the engine", () => {
  testInLanes(seeds, { lanes: 12, title: (seed) => `violate no invariant from seed ${seed}`, test: runMany });
});

describe("histories that violated an invariant once", () => {
  for (const { violated, choices, steps } of readRegressions())
    it(`don't any more: ${violated}`, () =>
      runHistory(
        choices,
        steps.map((step) => new Taken(step)),
      ));
});

async function runMany(seed: number): Promise<void> {
  let failing: { chosen: Choices; steps: readonly Step[] } | undefined;
  const property = fc.asyncProperty(anyChoices, anyHistory(mostSteps), (chosen, commands) =>
    runHistory(chosen, commands, { failed: (steps) => (failing = { chosen, steps }) }),
  );
  const details = await fc.check(property, { numRuns: histories, seed });
  if (!details.failed) return;
  const message = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  if (failing) addRegression(failing.chosen, failing.steps, message.split("\n")[0] ?? "");
  throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}
