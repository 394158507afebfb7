/** Does something to many groups, `maxConnections` at a time, and lets one that fails not stop the others. */
import pMap from "p-map";
import { say, UserGroupError, type ProblemCode } from "../errors";

export interface Failure {
  readonly userGroupId: string;
  readonly error: UserGroupError;
}

export interface Failures {
  readonly failed: readonly Failure[];
  /** Groups that weren't tried, since the failures before them were the service's, not a group's. */
  readonly untried: readonly string[];
}

interface WithId {
  readonly userGroupId: string;
}

/** Failures that every other group would meet too, at once. */
const hopeless = new Set<ProblemCode>([
  "certificate-untrusted",
  "host-not-found",
  "not-found",
  "redirected",
  "unauthorized",
]);

/** Failures after which others are tried, until `maxConnections` have met the same one after the other. */
const wearing = new Set<ProblemCode>(["connection-failed", "timed-out", "unexpected-status"]);

const secondsBetweenReports = 10;

/** Errors other than UserGroupError are faults of ours, and end everything. */
export async function eachGroup<Item extends WithId>(
  items: readonly Item[],
  maxConnections: number,
  work: (item: Item) => Promise<void>,
): Promise<Failures> {
  const failed: Failure[] = [];
  const untried: string[] = [];
  const progress = reportProgress(items.length);
  let wornOut = 0;
  const attempt = async (item: Item) => {
    if (wornOut >= maxConnections) return untried.push(item.userGroupId);
    try {
      await work(item);
      wornOut = 0;
    } catch (error) {
      if (!(error instanceof UserGroupError)) throw error;
      failed.push({ userGroupId: item.userGroupId, error });
      if (wearing.has(error.code)) wornOut += 1;
      if (hopeless.has(error.code)) wornOut = Infinity;
    }
    return progress.oneMore();
  };
  try {
    await pMap(items, attempt, { concurrency: maxConnections });
  } finally {
    progress.end();
  }
  return { failed, untried };
}

function reportProgress(total: number): { oneMore: () => number; end: () => void } {
  let done = 0;
  const report = () => {
    say(`${done} of ${total} user groups are done.`);
  };
  const timer = setInterval(report, secondsBetweenReports * 1000);
  return {
    oneMore: () => ++done,
    end: () => {
      clearInterval(timer);
    },
  };
}
