import fc from "fast-check";
import { startEmulator } from "../../../provider/src/testing";
import { canKill } from "../../engine/harness";
import { Tokens } from "../../faults/model/tokens";
import { keep } from "../../faults/page";
import { inLanes } from "../../lanes";
import { behaviourOf, type Choices } from "../choices";
import { anyHistory, firstSeed, isCounted, tellIn, type Command } from "../history";
import { newFigures, World, type Figures } from "../world";
import { RealDriver } from "./driver";

/** Each option of each choice is among them. */
const choices: readonly Choices[] = [
  {
    existing: "keep",
    answer: "stored",
    emptyProperties: "absent",
    deleteNeeds: "token and ID",
    changes: "replace",
  },
  {
    existing: "update",
    answer: "requested",
    emptyProperties: "null",
    deleteNeeds: "token",
    changes: "update",
  },
  { existing: "keep", answer: "requested", emptyProperties: "null", deleteNeeds: "ID", changes: "replace" },
  { existing: "update", answer: "stored", emptyProperties: "absent", deleteNeeds: "all", changes: "update" },
];
const mostSteps = 60;
/** Engines at a time. */
const crowd = 2;

describe("random histories, with the real engine", () => {
  const figures = newFigures();
  let told: ReadonlyMap<Choices, Promise<void>> = new Map();
  before("the histories begin", function () {
    if (!canKill) return this.skip();
    told = inLanes(choices, crowd, (chosen) => tellOne(chosen, firstSeed + choices.indexOf(chosen), figures));
  });
  after("the histories' end", () => Promise.allSettled(told.values()));

  for (const chosen of choices)
    it(`break no law where the choices are: ${Object.values(chosen).join(", ")}`, () => told.get(chosen));

  if (isCounted)
    it("are as many as docs/reliability.md says", () => {
      const { steps, runs, kills } = figures;
      keep(
        "histories with the real engine",
        `${choices.length} histories, from seed ${firstSeed}: ${steps} steps, among them ${runs} runs of the engine, ` +
          `of which ${kills} were killed. Nothing lost.`,
      );
    });
});

/** One that fails isn't made shorter, which would take hours; its seed and its steps are told. */
async function tellOne(chosen: Choices, seed: number, figures: Figures): Promise<void> {
  const told = fc.asyncProperty(anyHistory(mostSteps), (commands) => tell(chosen, commands, figures));
  await fc.assert(told, { numRuns: 1, seed, endOnFailure: true });
}

async function tell(chosen: Choices, commands: Iterable<Command>, figures: Figures): Promise<void> {
  const tokens = new Tokens();
  let driver: RealDriver | undefined;
  const emulator = await startEmulator({
    ...behaviourOf(chosen),
    log: () => {
      tokens.note(emulator);
      driver?.onRequest();
    },
  });
  try {
    driver = await RealDriver.start(emulator, {
      USER_GROUPS_CHANGES: chosen.changes,
      USER_GROUPS_MAX_CONNECTIONS: "1",
      USER_GROUPS_TIMEOUT: "9",
    });
    await tellIn(new World(chosen, emulator, tokens, driver, figures), commands);
  } finally {
    await driver?.end();
    await emulator.stop();
  }
}
