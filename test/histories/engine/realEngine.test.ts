import fc from "fast-check";
import { startEmulator } from "../../../provider/src/testing";
import { canKill } from "../../engine/harness";
import { keep } from "../../faults/page";
import { newGate } from "../../harness/gate";
import { testInLanes } from "../../lanes";
import { Tokens } from "../../model/tokens";
import { behaviorOf, type Choices } from "../choices";
import { newFigures, type Figures } from "../figures";
import { anyHistory, basePath, firstSeed, historiesTitle, isCounted, runIn, type Command } from "../history";
import { HistoryRunner } from "../historyRunner";
import { RealDriver } from "./engineDriver";

/** Each option of each choice is among them, but for bursts, which take long enough. */
const choices: readonly Choices[] = [
  {
    existing: "keep",
    response: "stored",
    emptyProperties: "absent",
    deleteNeeds: "token and ID",
    changes: "replace",
    normalization: "trimmed name",
    load: "light",
  },
  {
    existing: "update",
    response: "requested",
    emptyProperties: "null",
    deleteNeeds: "token",
    changes: "update",
    normalization: "none",
    load: "light",
  },
  {
    existing: "keep",
    response: "requested",
    emptyProperties: "null",
    deleteNeeds: "ID",
    changes: "replace",
    normalization: "added property",
    load: "light",
  },
  {
    existing: "update",
    response: "stored",
    emptyProperties: "absent",
    deleteNeeds: "all",
    changes: "update",
    normalization: "both",
    load: "light",
  },
];
const mostSteps = 60;
/** Engines at a time. */
const lanes = 2;

describe("random histories, with the real engine", () => {
  const figures = newFigures();
  testInLanes(choices, {
    lanes,
    title: historiesTitle,
    test: (chosen) => runOne(chosen, firstSeed + choices.indexOf(chosen), figures),
    isSkipped: !canKill,
  });

  if (isCounted)
    it("are as many as docs/reliability.md says", () => {
      keep(
        "histories with the real engine",
        `${choices.length} histories of up to ${mostSteps} steps, from seed ${firstSeed}, with kills of the engine and its processes. Nothing was lost.`,
      );
    });
});

/** One that fails isn't made shorter, which would take hours; its seed and its steps are printed. */
async function runOne(chosen: Choices, seed: number, figures: Figures): Promise<void> {
  const property = fc.asyncProperty(anyHistory(mostSteps), (commands) =>
    runHistory(chosen, commands, figures),
  );
  await fc.assert(property, { numRuns: 1, seed, endOnFailure: true });
}

async function runHistory(chosen: Choices, commands: Iterable<Command>, figures: Figures): Promise<void> {
  const tokens = new Tokens();
  let driver: RealDriver | undefined;
  const emulator = await startEmulator({
    ...behaviorOf(chosen),
    basePath,
    log: () => {
      tokens.note(emulator);
      driver?.onRequest();
    },
  });
  const other = await startEmulator({ basePath, apiToken: emulator.apiToken });
  const gate = await newGate(emulator.baseUrl);
  try {
    driver = await RealDriver.start(emulator, [other]);
    const addresses = [gate.url, emulator.baseUrl] as const;
    const runner = new HistoryRunner({
      ...{ choices: chosen, emulator, addresses, other, tokens, driver, figures },
      timeout: 9,
    });
    await runIn(runner, commands);
  } finally {
    await driver?.end();
    await gate.stop();
    await other.stop();
    await emulator.stop();
  }
}
