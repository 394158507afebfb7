/** Works on many groups, `maxConnections` at a time. A failure of one doesn't stop the others. */
import pLimit from "p-limit";
import { toUserGroupError, type ErrorCode, type GroupName, type UserGroupError } from "../errors";
import type { Settings } from "../settings/readSettings";
import type { Deployment } from "./deployment";
import { NotRecreatedError } from "./messages";

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
  { logger, clock, signal, settings }: EachGroupContext,
  work: (item: Item) => Promise<void>,
): Promise<Failures> {
  const failed: Failures["failed"][number][] = [];
  const untried: Failures["untried"][number][] = [];
  let done = 0;
  let failuresInARow = 0;
  const attempt = async ({ item }: { readonly item: Item }) => {
    const isStopped = failuresInARow >= maxServiceFailures || signal.aborted;
    if (isStopped) {
      untried.push({ userGroupId: item.userGroupId });
      return;
    }
    const error = await work(item).then(
      () => undefined,
      (thrown: unknown) => toUserGroupError(thrown),
    );
    const isUntried = error?.code === "cancelled" && !(error instanceof NotRecreatedError);
    if (isUntried) {
      untried.push({ userGroupId: item.userGroupId, error });
      return;
    }
    failuresInARow = error && serviceFailures.has(error.code) ? failuresInARow + 1 : 0;
    if (error) failed.push({ userGroupId: item.userGroupId, error });
    done += 1;
  };
  const report = () => {
    const failures = failed.length > 0 ? `, ${failed.length} failed` : "";
    logger.info(`${done} of ${items.length} user groups are done${failures}.`, true);
  };
  const timer = setInterval(report, secondsBetweenReports * 1000);
  try {
    // A different order in each run. Otherwise groups that always fail could stop the others in every run.
    const drawn = items.map((item) => ({ item, rank: clock.random() }));
    drawn.sort((one, other) => one.rank - other.rank);
    await pLimit(settings.maxConnections).map(drawn, attempt);
  } finally {
    clearInterval(timer);
  }
  return { failed, untried };
}
