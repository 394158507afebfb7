/**
 * The ID in the service that `overlap` gives a group: `acme~1a2b3c4d`, the customer's ID and a digest of the values whose change makes a
 * new group. So the program says which group it is: a run that was killed, a lost state or a move finds it again.
 */
import { createHash } from "node:crypto";
import type { Settings } from "../../settings/readSettings";
import { isObject, nonEmpty } from "../../values";
import type { Group } from "./storedGroup";

type Changes = Settings["changes"];

/** `besides`: the current token, if the ID without it is that of the current group. IDs of existing groups depend on each detail. */
export function derivedId(group: Group, changes: Changes, besides: readonly string[] = []): string {
  const { userGroupId, name } = group;
  const mapping = nonEmpty(group.mapping) ?? null;
  const properties = nonEmpty(group.properties) ?? null;
  const keepers = nonEmpty(group.keepers) ?? null;
  const values = changes === "update" ? [keepers] : [name, mapping, properties, keepers];
  const digest = createHash("sha256")
    .update(canonicalJson([...values, ...besides]))
    .digest("hex");
  return `${userGroupId}~${digest.slice(0, 8)}`;
}

/** JSON as in RFC 8785: no white space, keys in the order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(",")}}`;
}
