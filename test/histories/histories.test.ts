import fc from "fast-check";
import { isWhole, keep } from "../faults/page";
import { testInLanes } from "../lanes";
import { allChoices, type Choices } from "./choices";
import { moreThan, newFigures, type Figures } from "./figures";
import { anyHistory, firstSeed, historiesTitle, isCounted, runHistory, Taken } from "./history";
import { addRegression, readRegressions } from "./knownRegressions";
import type { Step } from "./steps";

/** For each choice; the environment can ask for more. */
const histories = Number(process.env["HISTORIES"] ?? (isWhole ? 64 : 4));
const mostSteps = 40;
/** Choices at a time. */
const lanes = 12;

describe("random histories, with the model of the engine", () => {
  const figures = newFigures();
  testInLanes(allChoices, {
    lanes,
    title: historiesTitle,
    test: (chosen) => runMany(chosen, firstSeed * allChoices.length + allChoices.indexOf(chosen), figures),
  });

  if (isCounted)
    it("are as many as docs/reliability.md says", () => {
      const { runs, operations, requests, faults, kills, defects } = figures;
      keep(
        "histories",
        `${histories * allChoices.length} histories over ${allChoices.length} combinations of settings and service behavior, ` +
          `from seed ${firstSeed}. The engine ran ${moreThan(runs)} times, with ${moreThan(operations)} operations and ` +
          `${moreThan(requests)} requests. ${capitalized(moreThan(faults))} requests met a fault. ${capitalized(moreThan(kills))} runs ` +
          `were killed. In ${moreThan(defects)} runs an injected defect of the package was hit. Nothing was lost.`,
      );
    });
});

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

describe("histories that violated an invariant once", () => {
  for (const { violated, choices, steps } of readRegressions())
    it(`don't any more: ${violated}`, () =>
      runHistory(
        choices,
        steps.map((step) => new Taken(step)),
        newFigures(),
      ));
});

async function runMany(chosen: Choices, seed: number, figures: Figures): Promise<void> {
  let failing: readonly Step[] = [];
  const property = fc.asyncProperty(anyHistory(mostSteps), (commands) =>
    runHistory(chosen, commands, figures, { failed: (steps) => (failing = steps) }),
  );
  const details = await fc.check(property, { numRuns: histories, seed });
  if (!details.failed) return;
  const message = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  addRegression(chosen, failing, message.split("\n")[0] ?? "");
  throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}
