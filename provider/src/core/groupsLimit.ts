/** The size of a `groups` whose state survives a partial failure. */
import type { ValidationIssue } from "../validation";
import type { JsonObject } from "../values";

/**
 * A partial failure's state travels in gRPC trailers, which are limited to 16 MiB in base64. In bytes, by the estimate
 * below; the figure was measured with the real engine (test/engine/long/service.size.test.ts).
 */
export const maxGroupsBytes = 8 * 1024 * 1024;

/** Token, keys and encoding of one group, beside its values and its ID. */
const bytesPerGroup = 128;

/** An estimate of the encoded state: JSON of each group, its ID twice, and what comes with each group. */
export function estimatedBytes(groups: JsonObject): number {
  return Object.entries(groups).reduce(
    (sum, [userGroupId, group]) =>
      sum + Buffer.byteLength(JSON.stringify(group)) + 2 * Buffer.byteLength(userGroupId) + bytesPerGroup,
    0,
  );
}

/** Error: groups-too-large. */
export function sizeIssues(groups: JsonObject): ValidationIssue[] {
  const bytes = estimatedBytes(groups);
  if (bytes <= maxGroupsBytes) return [];
  const reason =
    `is too large: about ${inMebibytes(bytes)} MiB of state, and at most ${inMebibytes(maxGroupsBytes)} MiB survive a ` +
    "partial failure. Divide the groups among several UserGroups. [groups-too-large]";
  return [{ path: "groups", reason }];
}

function inMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
