/** A thread that runs its share of the histories, one after the other, against a service of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { allHistories } from "./history";
import { printRun } from "./print";
import { runHistory } from "./runner";
import { Service } from "./service";

/** The outcome of a history that broke an invariant. */
export interface Finding {
  readonly number: number;
  readonly invariant: string;
  readonly text: string;
}

async function runShare(numbers: readonly number[]): Promise<Finding[]> {
  const histories = allHistories();
  const service = await Service.start();
  const findings: Finding[] = [];
  try {
    for (const number of numbers) {
      const history = histories[number];
      if (!history)
        throw new Error(`There is no history ${number}, only those up to ${histories.length - 1}`);
      const run = await runHistory(history, service);
      if (run.broken)
        findings.push({ number, invariant: String(run.broken.invariant), text: printRun(number, run) });
    }
    return findings;
  } finally {
    await service.emulator.stop();
  }
}

if (parentPort)
  runShare(z.array(z.int()).parse(workerData)).then(
    (findings) => parentPort?.postMessage(findings),
    (error: unknown) => {
      throw error;
    },
  );
