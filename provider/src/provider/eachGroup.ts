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

/** Failures that may well be the service's: when so many groups meet one in a row, the rest would too. */
const failuresOfService = new Set<ProblemCode>([
  "answer-invalid",
  "answer-too-large",
  "certificate-untrusted",
  "connection-failed",
  "host-not-found",
  "not-found",
  "redirected",
  "timed-out",
  "unauthorized",
  "unexpected-status",
]);

const secondsBetweenReports = 10;

/**
 * Calls `work`, which must ask the service, for each item; `maxConnections` failures of the service in a row end it.
 * Errors other than UserGroupError are faults of ours, and end everything.
 */
export async function eachGroup<Item extends WithId>(
  items: readonly Item[],
  maxConnections: number,
  work: (item: Item) => Promise<void>,
): Promise<Failures> {
  const failed: Failure[] = [];
  const untried: string[] = [];
  const progress = reportProgress(items.length, failed);
  let failuresInARow = 0;
  const attempt = async (item: Item) => {
    if (failuresInARow >= maxConnections) return void untried.push(item.userGroupId);
    const error = await errorOf(work(item));
    failuresInARow = error && failuresOfService.has(error.code) ? failuresInARow + 1 : 0;
    if (error) failed.push({ userGroupId: item.userGroupId, error });
    progress.oneMore();
  };
  try {
    await pMap(shuffled(items), attempt, { concurrency: maxConnections });
  } finally {
    progress.end();
  }
  return { failed, untried };
}

/** Another order each time: neighbours that always fail must not keep the others from their turn in every run. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const drawn = items.map((item) => ({ item, lot: Math.random() }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ item }) => item);
}

async function errorOf(work: Promise<void>): Promise<UserGroupError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof UserGroupError) return error;
    throw error;
  }
}

function reportProgress(total: number, failed: readonly Failure[]): { oneMore: () => void; end: () => void } {
  let done = 0;
  const report = () => {
    const failures = failed.length > 0 ? `, ${failed.length} failed` : "";
    say(`${done} of ${total} user groups are done${failures}.`);
  };
  const timer = setInterval(report, secondsBetweenReports * 1000);
  return {
    oneMore: () => {
      done += 1;
    },
    end: () => {
      clearInterval(timer);
    },
  };
}
