/** Works on many groups, `maxConnections` at a time. A failure of one doesn't stop the others. */
import pMap from "p-map";
import { toUserGroupError, type ErrorCode, type UserGroupError } from "../../errors";
import { NotRecreatedError } from "../group/errors";
import type { Deployment } from "../lifecycle";

export interface Failure {
  readonly userGroupId: string;
  readonly error: UserGroupError;
}

export interface Failures {
  readonly failed: readonly Failure[];
  /** The groups that weren't tried: after too many failures of the service in a row, or after a cancel. */
  readonly untried: readonly string[];
}

interface WithId {
  readonly userGroupId: string;
}

export interface EachGroupContext extends Pick<Deployment, "logger" | "clock" | "signal"> {
  readonly maxConnections: number;
}

/** Failures that may concern the whole service, not one group. */
const serviceFailures = new Set<ErrorCode>([
  "certificate-untrusted",
  "connection-failed",
  "host-not-found",
  "not-found",
  "redirected",
  "response-invalid",
  "response-too-large",
  "timed-out",
  "unauthorized",
  "unexpected-status",
]);

/** After this many in a row, the other groups would probably fail, too. */
const maxServiceFailures = 20;

const secondsBetweenReports = 10;

/** Calls `work` for each item. It never rejects because of `work`. */
export async function eachGroup<Item extends WithId>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { maxConnections, logger, clock, signal }: EachGroupContext,
): Promise<Failures> {
  const failed: Failure[] = [];
  const untried: string[] = [];
  const progress = reportProgress(items.length, failed, logger);
  let failuresInARow = 0;
  const attempt = async (item: Item) => {
    const isStopped = failuresInARow >= maxServiceFailures || signal.aborted;
    if (isStopped) return void untried.push(item.userGroupId);
    const error = await errorOf(() => work(item));
    if (error?.code === "cancelled" && !(error instanceof NotRecreatedError))
      return void untried.push(item.userGroupId);
    failuresInARow = error && serviceFailures.has(error.code) ? failuresInARow + 1 : 0;
    if (error) failed.push({ userGroupId: item.userGroupId, error });
    progress.countOne();
  };
  try {
    await pMap(
      shuffled(items, () => clock.random()),
      attempt,
      { concurrency: maxConnections },
    );
  } finally {
    progress.end();
  }
  return { failed, untried };
}

/** A different order in each run. Otherwise groups that always fail could stop the others in every run. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const drawn = items.map((item) => ({ item, rank: random() }));
  return drawn.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}

async function errorOf(work: () => Promise<void>): Promise<UserGroupError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return toUserGroupError(error);
  }
}

function reportProgress(
  total: number,
  failed: readonly Failure[],
  logger: EachGroupContext["logger"],
): { countOne: () => void; end: () => void } {
  let done = 0;
  const report = () => {
    const failures = failed.length > 0 ? `, ${failed.length} failed` : "";
    logger.info(`${done} of ${total} user groups are done${failures}.`, true);
  };
  const timer = setInterval(report, secondsBetweenReports * 1000);
  return {
    countOne: () => {
      done += 1;
    },
    end: () => {
      clearInterval(timer);
    },
  };
}
