/**
 * The groups that records of this run were created for.
 *
 * Get-or-create gives a group that is there to a second record too: when a resource is renamed without an alias,
 * moved to another resource, or replaced on demand (`--replace`, `state taint`), where the engine doesn't ask diff
 * and creates before it deletes. The deletion of the first record would then take the group from the second.
 */
const claimed = new Set<string>();

/** The engine starts this process for one run, in which no record is both created and deleted. */
const isOneRun = /[\\/]dynamic-provider([\\/]|$)/.test(require.main?.filename ?? "");

/** Notes that a record of this run holds the group. */
export function claim(group: string): void {
  if (isOneRun) claimed.add(group);
}

/** Whether another record of this run holds the group, so that it must not be deleted. */
export function isClaimed(group: string): boolean {
  return claimed.has(group);
}
