/** The largest `groups` whose state survives a partial failure. */
import { errorOf, textWithCode } from "../../errors";
import { message } from "../../messages/message";
import type { ValidationIssue } from "../../validation";
import { isObject, type JsonObject } from "../../values";
import { stillValid, type PlannedChange } from "../change/plan";
import type { StoredGroup } from "../state/group";

/**
 * A partial failure's state travels in gRPC trailers of at most 16 MiB in base64. Measured with engine 3.250: 12,581,331
 * bytes survive, 12,582,435 don't (test/release/scale/stateLimit.test.ts). The difference is for other trailers.
 */
export const maxFailureBytes = 12_400_000;

/** The largest `groups`, by `estimatedBytes`. It leaves room for values that the service returns. */
const maxGroupsBytes = 8 * 1024 * 1024;

/** Token, keys and encoding of one group, beside its values and its ID. */
const bytesPerGroup = 128;

/** Keys, token, time and encoding of a former group (`overlap`), beside its values and its IDs. */
const bytesPerFormerGroup = 256;

/** Of the encoded state: the groups, the ID of each twice more (with `overlap` four times), and the constant part of each group. */
export function estimatedBytes(groups: JsonObject, isOverlapping: boolean): number {
  const copies = isOverlapping ? 4 : 2;
  const others = Object.keys(groups).map(
    (userGroupId) => copies * Buffer.byteLength(userGroupId) + bytesPerGroup,
  );
  return others.reduce((sum, bytes) => sum + bytes, structBytes(groups));
}

/** The issue of the inputs of a `UserGroups` that are too large. */
export function sizeIssues({ groups, overlap }: JsonObject): ValidationIssue[] {
  const bytes = estimatedBytes(isObject(groups) ? groups : {}, overlap === true);
  return bytes <= maxGroupsBytes
    ? []
    : [{ path: "groups", reason: textWithCode(message("groups-too-large-inputs", sizes(bytes))) }];
}

/** diff: with the former groups that stay and that the change adds. Error: groups-too-large. */
export function assertStateSize(groups: unknown, plan: readonly PlannedChange<object>[]): void {
  if (!isObject(groups)) return;
  const former: StoredGroup[] = plan.flatMap(stillValid);
  for (const change of plan)
    if (change.is === "request" && change.how === "renew") former.push({ ...change.from, former: undefined });
  if (former.length === 0) return;
  const bytes = former.reduce(
    (sum, each) => sum + structBytes(each) + bytesPerFormerGroup,
    estimatedBytes(groups, true),
  );
  if (bytes <= maxGroupsBytes) return;
  throw errorOf(message("groups-too-large-former", { ...sizes(bytes), count: former.length }));
}

function sizes(bytes: number) {
  return { size: mebibytes(bytes), most: mebibytes(maxGroupsBytes) };
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
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
