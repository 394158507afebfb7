import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { testInLanes } from "../lanes";
import { anyChoices, choices, type Choices } from "./choices";
import { anyHistory, firstSeed, isWhole, runHistory, Taken } from "./history";
import { step, type Step } from "./steps";

/** Of each seed; the environment can ask for more. */
const histories = Number(process.env["HISTORIES"] ?? (isWhole ? 64 : 4));
const seeds = Array.from({ length: 20 }, (_, index) => firstSeed * 20 + index);
const mostSteps = 40;

/** Histories that violated an invariant once, and must never do so again. */
const regression = z.object({
  /** The first line of the failure, for people. */
  violated: z.string(),
  choices,
  steps: z.array(step),
});
const file = join(__dirname, "regressions.json");

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

function readRegressions(): z.infer<typeof regression>[] {
  return z.array(regression).parse(JSON.parse(fs.readFileSync(file, "utf8")));
}

/** Stores a history, to be committed with what fixes it. In CI, where nobody would, it is only printed. */
function addRegression(chosen: Choices, steps: readonly Step[], violated: string): void {
  const added = { violated, choices: chosen, steps };
  console.error(`A history for test/histories/regressions.json:\n${JSON.stringify(added)}`);
  if (process.env["CI"] === "true") return;
  const lines = [...readRegressions(), added].map((regression) => JSON.stringify(regression));
  fs.writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}
