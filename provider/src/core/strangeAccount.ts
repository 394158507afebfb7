/**
 * A refresh with the API token of another account would create every group there, or record the tokens of other customers' groups. So
 * the first reads of a service stop the refresh if none of them finds what its state has.
 */
import pLimit, { type LimitFunction } from "p-limit";
import { getOrAdd } from "../values";

/** So many first reads decide. If there are fewer, all of them do. */
const deciding = 3;

/** Rounds of a pause without another read, after which no more reads are to be expected. */
const quietRounds = 3;

/** What a read found. */
export type Finding = "as stored" | "none" | "another token";

interface Reads {
  readonly findings: Finding[];
  verdict: "undecided" | "known" | "strange";
  started: number;
  /** Reads whose response isn't there yet. */
  pending: number;
  /** One at a time for each of the deciding reads, so that no fourth group is created in another account. */
  readonly queue: LimitFunction;
}

export interface FirstRead<Result> {
  /** Identifies the service and the API token. */
  readonly service: string;
  /** Whether the state was written with this API token. Then another token, or few missing groups, aren't the sign of another account. */
  readonly isKnownAccount: boolean;
  readonly read: () => Promise<Result>;
  readonly findingOf: (result: Result) => Finding;
}

export class StrangeAccounts {
  readonly #services = new Map<string, Reads>();

  constructor(private readonly pause: (signal: AbortSignal) => Promise<void>) {}

  /**
   * Runs a read of a service. Returns undefined if the account is strange: `result` is what was read, undefined if no request was
   * sent.
   */
  async run<Result>(
    { service, isKnownAccount, read, findingOf }: FirstRead<Result>,
    signal: AbortSignal,
  ): Promise<{ isStrange: boolean; result?: Result }> {
    const reads = getOrAdd(this.#services, service, newReads);
    reads.started += 1;
    reads.pending += 1;
    const isRead = () => {
      reads.pending -= 1;
    };
    return reads.queue(async () => {
      if (isStrange(reads)) {
        isRead();
        return { isStrange: true };
      }
      const result = await read().finally(isRead);
      note(reads, findingOf(result), isKnownAccount);
      if (reads.verdict === "undecided") await this.#untilDecided(reads, isKnownAccount, signal);
      return { isStrange: isStrange(reads), result };
    });
  }

  /** Without further reads, those so far decide: in a known account, one or two groups may really be gone. */
  async #untilDecided(reads: Reads, isKnownAccount: boolean, signal: AbortSignal): Promise<void> {
    let quiet = 0;
    while (reads.verdict === "undecided" && quiet < quietRounds && !signal.aborted) {
      const before = reads.started;
      await this.pause(signal);
      if (isEnough(reads, isKnownAccount)) decide(reads, "strange");
      quiet = before === reads.started && reads.pending === 0 ? quiet + 1 : 0;
    }
    if (reads.verdict === "undecided") decide(reads, isKnownAccount ? "known" : "strange");
  }
}

function isStrange({ verdict }: Reads): boolean {
  return verdict === "strange";
}

function newReads(): Reads {
  return { findings: [], verdict: "undecided", started: 0, pending: 0, queue: pLimit(deciding) };
}

function note(reads: Reads, finding: Finding, isKnownAccount: boolean): void {
  if (reads.verdict !== "undecided") return;
  const isNormal = finding === "as stored" || (isKnownAccount && finding === "another token");
  if (isNormal) {
    decide(reads, "known");
    return;
  }
  reads.findings.push(finding);
  if (isEnough(reads, isKnownAccount)) decide(reads, "strange");
}

/** In a known account, all of three groups may really be gone, for example after a destroy that failed in part. */
function isEnough({ findings, started }: Reads, isKnownAccount: boolean): boolean {
  return findings.length >= deciding && (!isKnownAccount || started > deciding);
}

function decide(reads: Reads, verdict: "known" | "strange"): void {
  reads.verdict = verdict;
  if (verdict === "known") reads.queue.concurrency = Infinity;
}
