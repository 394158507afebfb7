import fc from "fast-check";
import { canKill, type Moment } from "../engine/harness";
import { testInLanes } from "../lanes";
import { play, requestsOf, type Round } from "./round";

/** Another number gives other rounds. */
const firstSeed = Number(process.env["SEED"] ?? 1);

/** Of three kills each. */
const rounds = 10;
/** Engines at a time. */
const lanes = 2;

const anyMoment = (requests: number): fc.Arbitrary<Moment> =>
  fc.record({ requests: fc.integer({ min: 1, max: requests - 1 }), ms: fc.nat(40) });

const anyRound = fc.record({
  create: anyMoment(requestsOf.create),
  replace: anyMoment(requestsOf.replace),
  destroy: anyMoment(requestsOf.destroy),
});

describe("kill -9 of engine and provider, at random moments of create, replace and destroy", () => {
  const drawn: readonly Round[] = fc
    .sample(anyRound, { numRuns: rounds, seed: firstSeed })
    .map((round, index) => ({ ...round, skipsCheckpoints: index % 2 === 1, usesPlugin: index % 5 > 2 }));
  testInLanes(drawn, {
    lanes,
    title: (round) => `lose nothing where they are ${JSON.stringify(round)} (seed ${firstSeed})`,
    test: play,
    isSkipped: !canKill,
  });
});
