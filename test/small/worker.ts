/** A thread that runs its share of the histories, one after the other, against a service of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { allHistories } from "./history";
import { printRun } from "./print";
import { runHistory } from "./runner";
import { Service } from "./service";

/** What a thread is to run: every `stride`th of the numbers, from `offset` on. */
const shareSchema = z.object({
  numbers: z.array(z.int()),
  offset: z.int(),
  stride: z.int(),
});

/** The outcome of a history that broke an invariant. */
export interface Finding {
  readonly number: number;
  readonly invariant: string;
  readonly text: string;
}

export interface ShareResult {
  readonly count: number;
  readonly findings: readonly Finding[];
}

async function runShare(): Promise<ShareResult> {
  const { numbers, offset, stride } = shareSchema.parse(workerData);
  const histories = allHistories();
  const service = await Service.start();
  const findings: Finding[] = [];
  let count = 0;
  try {
    for (let index = offset; index < numbers.length; index += stride) {
      const number = numbers[index] ?? 0;
      const history = histories[number];
      if (!history)
        throw new Error(`There is no history ${number}, only those up to ${histories.length - 1}`);
      const run = await runHistory(history, service);
      count += 1;
      if (run.broken)
        findings.push({ number, invariant: String(run.broken.invariant), text: printRun(number, run) });
    }
    return { count, findings };
  } finally {
    await service.emulator.stop();
  }
}

if (parentPort)
  runShare().then(
    (result) => parentPort?.postMessage(result),
    (error: unknown) => {
      throw error;
    },
  );
