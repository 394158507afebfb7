/** How each operation ends with each fault. outcomes.json has a line for each operation, with the faults of each outcome. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startEmulator } from "../../provider/src/testing";
import type { Elsewhere, Persistence } from "../harness/context";
import { normalizationNames } from "../harness/normalizations";
import { isWhole } from "../harness/whole";
import { testInLanes } from "../lanes";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { outcomeOf, type Case } from "./case";
import { faults } from "./faults";
import { withHostileProxy } from "./proxyFaults";
import { operationsOfMany, operationsOfOne, type OperationCase } from "./operations";

/** `MATRIX_WRITES=true npm run test:faults` stores the outcomes instead of comparing them. */
const isWriting = process.env["MATRIX_WRITES"] === "true";

const file = join(__dirname, "outcomes.json");
/** An outcome is that of one hit, or two with a slash between them: that of one hit, and of a fault that lasts. */
const row = z.object({
  resource: z.string(),
  operation: z.string(),
  outcomes: z.record(z.string(), z.array(z.string())),
});
type Row = z.infer<typeof row>;

const persistences = ["once", "lasting"] as const satisfies Persistence[];

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
  let end: () => void = () => undefined;
  let ended: Promise<void> | undefined;
  before("start other services and a proxy", async () => {
    const untrusted = await startEmulator({ tls: loopbackCertificate });
    elsewhere = { untrusted, stranger: await startEmulator() };
    await new Promise<void>((started, failed) => {
      ended = withHostileProxy(untrusted.baseUrl, () => {
        started();
        return new Promise((resolve) => (end = resolve));
      });
      ended.catch(failed);
    });
  });
  after("stop them", async () => {
    end();
    await ended;
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
  const possible = all.filter(isPossible);
  const sample = possible
    .filter(({ fault }) => !fault.isAlwaysMet)
    .filter(({ operation, persistence }, index) => index % operation.sampling[persistence] === 0);
  return [...sample, ...possible.filter(({ fault }) => fault.isAlwaysMet)];
}

function isPossible({ operation, fault, persistence }: Case): boolean {
  if (fault.canHit && !fault.canHit(operation)) return false;
  if (fault.method && fault.method !== operation.method) return false;
  if (fault.isOfTheWay && operation.aim.skip) return false;
  return !(fault.onlyLasting && persistence === "once");
}

function committedOutcome(resource: string, { operation, fault, persistence }: Case): string | undefined {
  const own = committed().find((each) => each.resource === resource && each.operation === operation.name);
  const [outcome] =
    Object.entries(own?.outcomes ?? {}).find(([, faults]) => faults.includes(fault.name)) ?? [];
  const [once, lasting = once] = outcome?.split(" / ") ?? [];
  return { once, lasting }[persistence];
}

/** Stores all outcomes of a whole run. */
function keep(resource: string, outcomes: ReadonlyMap<Case, string>): void {
  const rows = new Map<string, Row>();
  const cells = new Map<string, [Case, string][]>();
  for (const [tested, outcome] of outcomes) {
    const cell = `${tested.operation.name}\n${tested.fault.name}`;
    cells.set(cell, [...(cells.get(cell) ?? []), [tested, outcome]]);
  }
  for (const [cell, found] of cells) {
    const [operation = "", fault = ""] = cell.split("\n");
    const of = (wanted: Persistence) => found.find(([{ persistence }]) => persistence === wanted)?.[1];
    const words = new Set([of("once"), of("lasting")].filter((word) => word !== undefined));
    const stored = rows.get(operation)?.outcomes ?? {};
    const outcome = [...words].join(" / ");
    const faults = [...(stored[outcome] ?? []), fault].sort();
    rows.set(operation, { resource, operation, outcomes: { ...stored, [outcome]: faults } });
  }
  const others = committed().filter((each) => each.resource !== resource);
  const lines = [...others, ...rows.values()].map((each) => JSON.stringify(each));
  fs.writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}

function committed(): Row[] {
  return z.array(row).parse(JSON.parse(fs.readFileSync(file, "utf8")));
}
