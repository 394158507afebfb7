/** All cases of a resource, some at a time while the tests wait for them one after the other. */
import { startEmulator, type RequestLogEntry } from "../../provider/src/testing";
import type { Elsewhere, Persistence } from "../harness/context";
import { normalizationNames, type Normalization } from "../harness/normalizations";
import { inLanes } from "../lanes";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { outcomeOf, type Case } from "./case";
import { faults, type FaultCase } from "./faults";
import type { OperationCase } from "./operations";
import { committedTable, table } from "./page";

export interface Matrix {
  readonly outcome: (tested: Case) => Promise<string>;
  /** What reached hosts that nothing may reach. */
  readonly requestsElsewhere: () => readonly RequestLogEntry[];
}

const persistences = ["once", "lasting"] as const satisfies Persistence[];

/** Contexts at a time. */
const lanes = 24;

/** Each has one normalization, so that each operation and each fault meets them all. */
export function casesOf(operations: readonly OperationCase[]): Case[] {
  const all = operations.flatMap((operation, row) =>
    faults.flatMap((fault, column) =>
      persistences.map((persistence, n) => {
        return { operation, fault, persistence, normalization: normalizationOf(row + column + 2 * n) };
      }),
    ),
  );
  return all.filter(isCase).filter(({ operation, persistence }, index) => {
    const { once, lasting } = operation.sampling;
    return index % (persistence === "once" ? once : lasting) === 0;
  });
}

function normalizationOf(index: number): Normalization {
  return normalizationNames[index % normalizationNames.length] ?? "none";
}

/** For the `describe` around it. */
export function runMatrix(cases: readonly Case[]): Matrix {
  let outcomes: ReadonlyMap<Case, Promise<string>> = new Map();
  let elsewhere: Elsewhere | undefined;
  before("the cases begin", async () => {
    const untrusted = await startEmulator({ tls: loopbackCertificate });
    const services = { untrusted, stranger: await startEmulator() };
    elsewhere = services;
    outcomes = inLanes(cases, lanes, (tested) => outcomeOf(tested, services));
  });
  after("the cases' end", async () => {
    await Promise.allSettled(outcomes.values());
    await elsewhere?.stranger.stop();
    await elsewhere?.untrusted.stop();
  });
  return {
    outcome: (tested) => outcomes.get(tested) ?? Promise.reject(new Error("It isn't one of the cases")),
    requestsElsewhere: () =>
      [elsewhere?.stranger, elsewhere?.untrusted].flatMap((other) => other?.requests ?? []),
  };
}

/** The outcome of a case in docs/fault-matrix.md. */
export function committedOutcome(part: string, { operation, fault, persistence }: Case): string | undefined {
  const cell = committedTable(part).get(fault.name)?.get(operation.name);
  const [once, lasting = once] = cell?.split(" / ") ?? [];
  return { once, lasting }[persistence];
}

/** The part of docs/fault-matrix.md that all cases together make. */
export async function partOf(
  operations: readonly OperationCase[],
  cases: readonly Case[],
  { outcome }: Matrix,
): Promise<string> {
  const cellOf = async (operation: OperationCase, fault: FaultCase) => {
    const found = cases.filter((tested) => tested.operation === operation && tested.fault === fault);
    const words = new Set(await Promise.all(found.map(outcome)));
    return [...words].join(" / ") || "–";
  };
  const rows = faults.map(async (fault) => {
    const cells = operations.map((operation) => cellOf(operation, fault));
    return [fault.name, ...(await Promise.all(cells))];
  });
  const columns = ["fault", ...operations.map(({ name }) => name)];
  const figures = `${cases.length} cases of ${faults.length} faults and ${operations.length} operations, each run twice. Nothing was lost.`;
  return `${figures}\n\n${table(columns, await Promise.all(rows))}`;
}

function isCase({ operation, fault, persistence }: Case): boolean {
  if (fault.canHit && !fault.canHit(operation)) return false;
  if (fault.method && fault.method !== operation.method) return false;
  if (fault.isOfTheWay && operation.aim.skip) return false;
  return !(fault.onlyLasting && persistence === "once");
}
