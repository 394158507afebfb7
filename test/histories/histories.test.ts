/**
 * The small histories against the invariants. `RELIABILITY=whole`: all of them; otherwise a fixed sample, spread evenly, of 3,000 or `SAMPLE`.
 * `HISTORY=<number>` runs and prints one; several numbers are separated by commas.
 */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { isWhole } from "../support/harness/whole";
import { allHistories, isPromised, sampleOf } from "./history";
import type { Finding, Numbered } from "./worker";

const sampleSize = Number(process.env["SAMPLE"] ?? 3_000);

/** More texts would hide the figures. */
const mostTexts = 3;

describe("small histories", () => {
  const { HISTORY: only } = process.env;

  it(only === undefined ? "break no invariant" : `history ${only} breaks no invariant`, async () => {
    const all = allHistories().map((history, number) => ({ number, history }));
    const sample = sampleOf(all, isWhole ? all.length : sampleSize);
    const chosen =
      only === undefined
        ? sample.filter(({ history }) => isPromised(history))
        : all.filter(({ number }) => only.split(",").map(Number).includes(number));
    assert(chosen.length > 0, `There is no history ${only}, only those up to ${all.length - 1}`);
    const findings = await runAll(chosen);
    assert.equal(findings.length, 0, report(findings, chosen.length, all.length));
  });
});

async function runAll(chosen: readonly Numbered[]): Promise<Finding[]> {
  const stride = availableParallelism();
  const shares = Array.from({ length: stride }, (_, offset) =>
    chosen.filter((_history, index) => index % stride === offset),
  );
  const findings = (await Promise.all(shares.map(runShare))).flat();
  return findings.sort((one, other) => one.number - other.number);
}

function runShare(workerData: readonly Numbered[]): Promise<Finding[]> {
  const file = path.join(__dirname, "worker.ts");
  const worker = new Worker(file, { workerData, execArgv: ["--require", "ts-node/register"] });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
  });
}

function report(findings: readonly Finding[], count: number, total: number): string {
  const invariants = [...new Set(findings.map(({ invariant }) => invariant))];
  const byInvariant = invariants.map((each) => findings.filter(({ invariant }) => invariant === each));
  const figures = byInvariant.map((found, index) => {
    return `  invariant ${invariants[index]}: ${found.map(({ number }) => number).join(", ")}`;
  });
  const texts = byInvariant.flatMap(([first]) => (first ? [`\n${first.text}`] : []));
  const head = `${findings.length} of ${count} histories (of ${total}) break an invariant:`;
  return [head, ...figures, ...texts.slice(0, mostTexts)].join("\n");
}
