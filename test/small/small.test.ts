/**
 * The small histories against the invariants. `RELIABILITY=whole`: all of them; otherwise a fixed sample, spread evenly.
 * `HISTORY=<number>` runs and prints one.
 */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { isWhole } from "../harness/whole";
import { allHistories, isPromised } from "./history";
import { printRun } from "./print";
import { runHistory } from "./runner";
import { Service } from "./service";
import type { Finding } from "./worker";

const sampleSize = 3_000;

/** More texts would hide the figures. */
const mostTexts = 3;

describe("small histories", () => {
  const { HISTORY: only } = process.env;

  if (only !== undefined) it(`history ${only} breaks no invariant`, () => runOne(Number(only)));
  else
    it("break no invariant", async () => {
      const histories = allHistories();
      const total = histories.length;
      const count = isWhole ? total : sampleSize;
      const drawn = Array.from({ length: count }, (_, index) => Math.floor((index * total) / count));
      const numbers = drawn.filter((number) => histories.slice(number, number + 1).some(isPromised));
      const findings = await runAll(numbers);
      assert.equal(findings.length, 0, report(findings, numbers.length, total));
    });
});

async function runOne(number: number): Promise<void> {
  const history = allHistories()[number];
  assert(history, `There is no history ${number}`);
  const service = await Service.start();
  try {
    const run = await runHistory(history, service);
    const text = printRun(number, run);
    if (run.broken) assert.fail(text);
    console.log(text);
  } finally {
    await service.emulator.stop();
  }
}

async function runAll(numbers: readonly number[]): Promise<Finding[]> {
  const stride = availableParallelism();
  const shares = Array.from({ length: stride }, (_, offset) =>
    numbers.filter((_number, index) => index % stride === offset),
  );
  const findings = (await Promise.all(shares.map(runShare))).flat();
  return findings.sort((one, other) => one.number - other.number);
}

function runShare(workerData: readonly number[]): Promise<Finding[]> {
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
