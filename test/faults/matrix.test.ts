import assert from "node:assert/strict";
import { startEmulator } from "../../provider/src/testing";
import type { Elsewhere, Persistence } from "../harness/context";
import { normalizationNames } from "../harness/normalizations";
import { testInLanes } from "../lanes";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { outcomeOf, type Case } from "./case";
import { faults } from "./faults";
import { serveNames } from "./names";
import { operationsOfMany, operationsOfOne, type OperationCase } from "./operations";
import { committedTable, isWhole, keep, table } from "./page";

const persistences = ["once", "lasting"] as const satisfies Persistence[];

/** The short form has one case of 11. The number divides no number of faults, so each operation has some. */
const sampling = 11;

for (const [resource, operations] of [
  ["UserGroup", operationsOfOne],
  ["UserGroups", operationsOfMany],
] as const) {
  describe(`a fault during an operation on a ${resource}`, () => {
    serveNames();
    const elsewhere = serveElsewhere();
    const cases = casesOf(operations).filter((_, index) => isWhole || index % sampling === 0);
    const outcomes = new Map<Case, string>();

    testInLanes(cases, {
      lanes: 24,
      title: ({ operation, fault, persistence }) => `${operation.name}: ${fault.name}, ${persistence}`,
      async test(tested) {
        const outcome = await outcomeOf(tested, elsewhere());
        outcomes.set(tested, outcome);
        if (!isWhole) assert.equal(outcome, committedOutcome(resource, tested));
      },
    });

    it("causes no request to the target of a redirect, or to a host without a trusted certificate", () => {
      const { stranger, untrusted } = elsewhere();
      assert.deepEqual([...stranger.requests, ...untrusted.requests], []);
    });

    if (isWhole)
      it("ends as test/faults/matrix.md says", () => {
        keep(resource, partOf(operations, outcomes));
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

/** The outcome of a case in test/faults/matrix.md. */
function committedOutcome(part: string, { operation, fault, persistence }: Case): string | undefined {
  const cell = committedTable(part).get(fault.name)?.get(operation.name);
  const [once, lasting = once] = cell?.split(" / ") ?? [];
  return { once, lasting }[persistence];
}

/** The part of test/faults/matrix.md that all outcomes together make. */
function partOf(operations: readonly OperationCase[], outcomes: ReadonlyMap<Case, string>): string {
  const rows = faults.map((fault) => {
    const cells = operations.map((operation) => {
      const found = [...outcomes].filter(([each]) => each.operation === operation && each.fault === fault);
      // Once comes before lasting, whichever ended first.
      const words = persistences.flatMap((persistence) =>
        found.filter(([each]) => each.persistence === persistence).map(([, outcome]) => outcome),
      );
      return [...new Set(words)].join(" / ") || "–";
    });
    return [fault.name, ...cells];
  });
  const columns = ["fault", ...operations.map(({ name }) => name)];
  const figures = `${outcomes.size} cases of ${faults.length} faults and ${operations.length} operations, each run twice. Nothing was lost.`;
  return `${figures}\n\n${table(columns, rows)}`;
}
