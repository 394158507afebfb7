/** The IDs that changes with `overlap` give the groups of a customer in the service: `acme`, then `acme~2`, `acme~3`, … */
import type { StoredGroup } from "./drift";

export function withSuffix(userGroupId: string, number: number): string {
  return `${userGroupId}~${number}`;
}

/** `acme` for `acme~2`, which may also be the ID of a customer. */
export function withoutSuffix(id: string): string {
  return id.replace(/~\d+$/, "");
}

/** 2 for `acme~2`, 1 for `acme`. */
export function suffixNumber({
  userGroupId,
  providedId,
}: Pick<StoredGroup, "userGroupId" | "providedId">): number {
  const suffix = providedId.startsWith(`${userGroupId}~`) ? providedId.slice(userGroupId.length + 1) : "";
  return /^[1-9]\d{0,8}$/.test(suffix) ? Number(suffix) : 1;
}
