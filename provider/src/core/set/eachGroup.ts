/** Works on many groups, `maxConnections` at a time. A failure of one doesn't stop the others. */
import pLimit from "p-limit";
import { toUserGroupError, type ErrorCode, type GroupName, type UserGroupError } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import type { Deployment } from "../deployment/context";
import { NotRecreatedError } from "../messages/groupErrors";

export interface Failures {
  readonly failed: readonly (GroupName & { readonly error: UserGroupError })[];
  /** The groups that weren't tried: after too many failures of the service in a row, or after a cancel, which is their error. */
  readonly untried: readonly (GroupName & { readonly error?: UserGroupError | undefined })[];
}

interface EachGroupContext extends Pick<Deployment, "logger" | "clock" | "signal"> {
  readonly settings: Pick<Settings, "maxConnections">;
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

export async function eachGroup<Item extends GroupName>(
  items: readonly Item[],
  context: EachGroupContext,
  work: (item: Item) => Promise<void>,
): Promise<Failures> {
  const { logger, clock, settings } = context;
  const progress: Progress = { failed: [], untried: [], done: 0, failuresInARow: 0 };
  const report = () => {
    const failures = progress.failed.length > 0 ? `, ${progress.failed.length} failed` : "";
    logger.info(`${progress.done} of ${items.length} user groups are done${failures}.`, true);
  };
  const timer = setInterval(report, secondsBetweenReports * 1000);
  try {
    // A different order in each run. Otherwise groups that always fail could stop the others in every run.
    const drawn = items.map((item) => ({ item, rank: clock.random() }));
    drawn.sort((one, other) => one.rank - other.rank);
    await pLimit(settings.maxConnections).map(drawn, ({ item }) => attempt(item, progress, context, work));
  } finally {
    clearInterval(timer);
  }
  return { failed: progress.failed, untried: progress.untried };
}

interface Progress {
  readonly failed: Failures["failed"][number][];
  readonly untried: Failures["untried"][number][];
  done: number;
  failuresInARow: number;
}

async function attempt<Item extends GroupName>(
  item: Item,
  progress: Progress,
  { signal }: EachGroupContext,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const { userGroupId } = item;
  if (progress.failuresInARow >= maxServiceFailures || signal.aborted) {
    progress.untried.push({ userGroupId });
    return;
  }
  const error = await work(item).then(
    () => undefined,
    (thrown: unknown) => toUserGroupError(thrown),
  );
  if (error?.code === "cancelled" && !(error instanceof NotRecreatedError)) {
    progress.untried.push({ userGroupId, error });
    return;
  }
  progress.failuresInARow = error && serviceFailures.has(error.code) ? progress.failuresInARow + 1 : 0;
  if (error) progress.failed.push({ userGroupId, error });
  progress.done += 1;
}
