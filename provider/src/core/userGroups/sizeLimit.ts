/** The largest `groups` whose state survives a partial failure. */
import { withCode } from "../../errors";
import type { ValidationIssue } from "../../validation";
import type { JsonObject } from "../../values";

/**
 * A partial failure's state travels in gRPC trailers of at most 16 MiB in base64. Measured with engine 3.250: 12,581,331
 * bytes survive, 12,582,435 don't (test/engine/long/stateLimit.test.ts). The difference is for other trailers.
 */
export const maxFailureBytes = 12_400_000;

/** The largest `groups`, by `estimatedBytes`. It leaves room for values that the service returns. */
const maxGroupsBytes = 8 * 1024 * 1024;

/** Token, keys and encoding of one group, beside its values and its ID. */
const bytesPerGroup = 128;

/** Of the encoded state: the groups, the ID of each twice more, and the constant part of each group. */
export function estimatedBytes(groups: JsonObject): number {
  const others = Object.keys(groups).map((userGroupId) => 2 * Buffer.byteLength(userGroupId) + bytesPerGroup);
  return others.reduce((sum, bytes) => sum + bytes, structBytes(groups));
}

export function sizeIssues(groups: JsonObject): ValidationIssue[] {
  const bytes = estimatedBytes(groups);
  if (bytes <= maxGroupsBytes) return [];
  const [size, limit] = [bytes, maxGroupsBytes].map((each) => (each / 1024 / 1024).toFixed(1));
  const reason =
    `is too large: its state would have ${size} MiB. Above ${limit} MiB, a partial ` +
    "failure could lose the state. Divide the groups among several UserGroups.";
  return [{ path: "groups", reason: withCode("groups-too-large", reason) }];
}

/** Bytes of a JSON value as a `google.protobuf.Value` (struct.proto), the format between engine and provider. */
export function structBytes(value: unknown): number {
  if (typeof value === "number") return 9;
  if (typeof value === "string") return field(Buffer.byteLength(value));
  if (typeof value !== "object" || value === null) return 2;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  const sizes = parts.map(([key, part]) => {
    const bytes = field(structBytes(part));
    return Array.isArray(value) ? bytes : field(field(Buffer.byteLength(key)) + bytes);
  });
  return field(sizes.reduce((sum, bytes) => sum + bytes, 0));
}

function field(length: number): number {
  const varint = Math.max(1, Math.ceil((32 - Math.clz32(length)) / 7));
  return 1 + varint + length;
}
