/** A thread that runs its share of the histories, one after the other, against a service of its own. */
import { parentPort, workerData } from "node:worker_threads";
import type { History } from "./history";
import { printRun } from "./print";
import { runHistory } from "./runner";
import { Service } from "./service";

export interface Numbered {
  readonly number: number;
  readonly history: History;
}

/** The outcome of a history that broke an invariant, as a text and by the number of the history. */
export interface Finding {
  readonly number: number;
  readonly invariant: string;
  readonly text: string;
}

async function runShare(share: readonly Numbered[]): Promise<void> {
  const service = await Service.start();
  const findings: Finding[] = [];
  for (const { number, history } of share) {
    const run = await runHistory(history, service);
    const { broken } = run;
    if (broken) findings.push({ number, invariant: String(broken.invariant), text: printRun(number, run) });
    else if (process.env["HISTORY"] !== undefined) console.log(printRun(number, run));
  }
  await service.emulator.stop();
  parentPort?.postMessage(findings);
}

void runShare(workerData as readonly Numbered[]);
