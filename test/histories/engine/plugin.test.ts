import assert from "node:assert/strict";
import fc from "fast-check";
import { keep } from "../../faults/page";
import { testInLanes } from "../../lanes";
import { allChoices, type Choices } from "../choices";
import { newFigures, type Figures } from "../figures";
import { anyHistory, firstSeed, historiesTitle, isCounted, runHistory } from "../history";

/** Each run of the engine starts a process, so there are fewer than with the dynamic providers. */
const choices = allChoices.filter(({ load }) => load === "light");
/** For each choice. */
const histories = 4;
const mostSteps = 40;
const lanes = 2;

describe("random histories, with the packed plugin", () => {
  const figures = newFigures();
  testInLanes(choices, {
    lanes,
    title: historiesTitle,
    test: (chosen) => runOne(chosen, firstSeed + choices.indexOf(chosen), figures),
  });

  if (isCounted)
    it("are as many as docs/reliability.md says", () => {
      assert(figures.kills > 0, "No run was killed");
      keep(
        "histories with the plugin",
        `${histories * choices.length} histories of up to ${mostSteps} steps, from seed ${firstSeed}, with kills. Nothing was lost.`,
      );
    });
});

async function runOne(chosen: Choices, seed: number, figures: Figures): Promise<void> {
  const property = fc.asyncProperty(anyHistory(mostSteps), (commands) =>
    runHistory(chosen, commands, figures, { isPlugin: true }),
  );
  await fc.assert(property, { numRuns: histories, seed, endOnFailure: true });
}
