import assert from "node:assert/strict";
import { startEmulator } from "../../provider/src/testing";
import type { Elsewhere, Persistence } from "../harness/context";
import { normalizationNames } from "../harness/normalizations";
import { testInLanes } from "../lanes";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { outcomeOf, type Case } from "./case";
import { faults } from "./faults";
import { operationsOfMany, operationsOfOne, type OperationCase } from "./operations";
import { committedOutcome, isWriting, keep } from "./matrix";

const persistences = ["once", "lasting"] as const satisfies Persistence[];

/** Whole suites, not the short form of `npm test`. */
const isWhole = process.env["RELIABILITY"] === "whole";
/** The short form has one case of 11. The number divides no number of faults, so each operation has some. */
const sampling = 11;

for (const [resource, operations] of [
  ["UserGroup", operationsOfOne],
  ["UserGroups", operationsOfMany],
] as const) {
  describe(`a fault during an operation on a ${resource}`, () => {
    const elsewhere = serveElsewhere();
    const cases = casesOf(operations).filter((_, index) => isWhole || index % sampling === 0);
    const outcomes = new Map<Case, string>();

    testInLanes(cases, {
      lanes: 24,
      title: ({ operation, fault, persistence }) => `${operation.name}: ${fault.name}, ${persistence}`,
      async test(tested) {
        const outcome = await outcomeOf(tested, elsewhere());
        outcomes.set(tested, outcome);
        if (!isWriting) assert.equal(outcome, committedOutcome(resource, tested));
      },
    });

    it("causes no request to the target of a redirect, or to a host without a trusted certificate", () => {
      const { stranger, untrusted } = elsewhere();
      assert.deepEqual([...stranger.requests, ...untrusted.requests], []);
    });

    if (isWriting)
      after("write the matrix", () => {
        keep(resource, outcomes);
      });
  });
}

function serveElsewhere(): () => Elsewhere {
  let elsewhere: Elsewhere | undefined;
  before("start other services", async () => {
    const untrusted = await startEmulator({ tls: loopbackCertificate });
    elsewhere = { untrusted, stranger: await startEmulator() };
  });
  after("stop the other services", async () => {
    await elsewhere?.stranger.stop();
    await elsewhere?.untrusted.stop();
  });
  return () => elsewhere ?? assert.fail("The services don't run");
}

/** Each case has one normalization, so that each operation and each fault has all of them. */
function casesOf(operations: readonly OperationCase[]): Case[] {
  const all = operations.flatMap((operation, row) =>
    faults.flatMap((fault, column) =>
      persistences.map((persistence, n): Case => {
        const index = (row + column + 2 * n) % normalizationNames.length;
        return { operation, fault, persistence, normalization: normalizationNames[index] ?? "none" };
      }),
    ),
  );
  return all
    .filter(isPossible)
    .filter(({ operation, persistence }, index) => index % operation.sampling[persistence] === 0);
}

function isPossible({ operation, fault, persistence }: Case): boolean {
  if (fault.canHit && !fault.canHit(operation)) return false;
  if (fault.method && fault.method !== operation.method) return false;
  if (fault.isOfTheWay && operation.aim.skip) return false;
  return !(fault.onlyLasting && persistence === "once");
}
