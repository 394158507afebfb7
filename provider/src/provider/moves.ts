/** Groups that move from one resource of a program to another in one update, where the first may delete them too early. */
import { namesOf, warn } from "../errors";
import { currentRun } from "./claims";
import { addressesOf } from "./configuration";

/**
 * An update deletes what leaves a `UserGroups` as soon as it runs, and not at the end, as the engine does with
 * resources: a resource that declares such a group only after that would create it again. One that has declared it
 * before that keeps it (see claims.ts).
 */
export function warnOfLateMoves(connection: string | undefined, userGroupIds: readonly string[]): void {
  const addresses = addressesOf(connection, userGroupIds);
  const late = userGroupIds.filter((_, n) => currentRun()?.isLeaving(addresses[n] ?? ""));
  if (late.length === 0) return;
  const moved = namesOf(late.map((userGroupId) => ({ userGroupId, connection })));
  const [leave, it, get] =
    late.length > 1 ? ["leave", "them", "they get new tokens"] : ["leaves", "it", "it gets a new token"];
  warn(
    `${moved} ${leave} another resource of this program in this update, which deletes ${it} before this one takes ` +
      `${it} over, so that ${get}. Let that resource depend on this one (option dependsOn), or set its removed to "retain".`,
  );
}
