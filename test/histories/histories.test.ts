import fc from "fast-check";
import { isWhole, keep } from "../faults/page";
import { playScenes } from "../faults/scene";
import { inLanes } from "../lanes";
import { allChoices, type Choices } from "./choices";
import { anyHistory, firstSeed, isCounted, Taken, tell } from "./history";
import { keepRegression, readRegressions } from "./kept";
import type { Step } from "./steps";
import { newFigures, type Figures } from "./world";

/** For each choice; the environment can ask for more. */
const histories = Number(process.env["HISTORIES"] ?? (isWhole ? 25 : 2));
const mostSteps = 40;
/** Choices at a time. */
const crowd = 12;

describe("random histories, with the model of the engine", () => {
  playScenes();
  const figures = newFigures();
  let told: ReadonlyMap<Choices, Promise<void>> = new Map();
  before("the histories begin", () => {
    told = inLanes(allChoices, crowd, (chosen) =>
      tellMany(chosen, firstSeed * allChoices.length + allChoices.indexOf(chosen), figures),
    );
  });
  after("the histories' end", () => Promise.allSettled(told.values()));

  for (const chosen of allChoices)
    it(`break no law where the choices are: ${Object.values(chosen).join(", ")}`, () => told.get(chosen));

  if (isCounted)
    it("are as many as docs/reliability.md says", () => {
      const { steps, runs, operations, requests, faults, kills } = figures;
      keep(
        "histories",
        `${histories * allChoices.length} histories over ${allChoices.length} choices, from seed ${firstSeed}: ` +
          `${steps} steps, among them ${runs} runs of the engine with ${operations} operations and ${requests} ` +
          `requests, of which ${faults} met a fault; ${kills} kills. Nothing lost.`,
      );
    });
});

describe("histories that broke a law once", () => {
  playScenes();
  for (const { broke, choices, steps } of readRegressions())
    it(`don't any more: ${broke}`, () =>
      tell(
        choices,
        steps.map((step) => new Taken(step)),
        newFigures(),
      ));
});

async function tellMany(chosen: Choices, seed: number, figures: Figures): Promise<void> {
  let failing: readonly Step[] = [];
  const property = fc.asyncProperty(anyHistory(mostSteps), (commands) =>
    tell(chosen, commands, figures, (steps) => (failing = steps)),
  );
  const details = await fc.check(property, { numRuns: histories, seed });
  if (!details.failed) return;
  const broke = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  keepRegression(chosen, failing, broke.split("\n")[0] ?? "");
  throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}
