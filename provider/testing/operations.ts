/** The two operations of the service on the groups of an account. */
import * as z from "zod";
import type { Account, GroupValues, ServiceGroup } from "./account";
import type { ServiceResponse } from "./faults";
import type { DeleteField, Options } from "./options";
import type { Effect } from "./requestLog";
import { isDeeperThan } from "../values";

/** The response of a healthy service, and the effect of the request. A refusal names fields, never their values. */
export interface Outcome extends ServiceResponse {
  readonly effect: Effect;
  readonly refusal?: string;
}

export function outcome(effect: Effect, body: object): Outcome {
  return { effect, status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Interface, section "Errors". */
export function refused(refusal: string, status = 200): Outcome {
  return { ...outcome("refused", { success: 0 }), refusal, status };
}

/** A request body: any JSON, its fields if all are valid, and otherwise a refusal. A large one isn't read. */
export interface Body {
  readonly json: unknown;
  readonly fields: Fields;
  readonly refusal?: Outcome;
  readonly isUnread?: true;
}

/** Deeper values end in a stack overflow, here or in what reads the log. */
const deepest = 500;

/** `text`: undefined for a body that is too large. */
export function parseBody(text: string | undefined): Body {
  if (text === undefined)
    return { json: undefined, fields: {}, refusal: refused("more than 2 MiB", 413), isUnread: true };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { json, fields: {}, refusal: refused("not JSON") };
  }
  if (isDeeperThan(deepest, json))
    return { json: undefined, fields: {}, refusal: refused(`more than ${deepest} levels`, 400) };
  const { data, error } = fieldsSchema.safeParse(json);
  if (data) return { json, fields: data };
  const issues = error.issues.map(({ path, message }) => [...path, message].join(": "));
  return { json, fields: {}, refusal: refused(issues.join("; ")) };
}

/** Interface, section "Get or create a user group". */
export function getOrCreate(account: Account, settings: Options, fields: Fields): Outcome {
  const { user_group_id: userGroupId, name, mapping, properties } = fields;
  if (userGroupId === undefined || name === undefined) return refused("user_group_id or name missing");
  const values = { userGroupId, name, ...(mapping && { mapping }), ...(properties && { properties }) };
  const existing = account.groups.get(userGroupId);
  const isKept = existing !== undefined && settings.existing === "keep";
  if (existing && settings.existingToken === "replace") account.rotateToken(userGroupId);
  if (existing && settings.existingToken === "add") account.addToken(userGroupId);
  const group = isKept
    ? (account.groups.get(userGroupId) ?? existing)
    : account.putGroup(settings.normalize(values), () => settings.newToken(userGroupId, account));
  const user_group = shown(settings.response === "stored" ? group : values, group, settings);
  const change = existing ? "updated" : "created";
  const effect = isKept ? "returned" : change;
  return outcome(effect, { success: 1, new_user_group: !existing, user_group });
}

function shown({ name, properties }: GroupValues, group: ServiceGroup, { emptyProperties }: Options): object {
  const { teamId: team_id, token, userGroupId: provided_id } = group;
  const none = emptyProperties === "null" ? { properties: null } : {};
  return { team_id, token, name, provided_id, ...(properties ? { properties } : none) };
}

/** Interface, section "Delete a user group". */
export function deleteGroup(account: Account, settings: Options, fields: Fields): Outcome {
  const missing = settings.deleteNeeds.filter((field) => fields[field] === undefined);
  if (missing.length > 0) return refused(`${missing.join(", ")} missing`);
  const group = account.groups.get(subjectOf(account, settings, fields) ?? "");
  if (!group) return refused("no such user group");
  const misfit = misfitOf(group, settings, fields);
  if (misfit) return refused(`${misfit} does not fit`);
  account.removeGroup(group.userGroupId);
  return outcome("deleted", { success: 1 });
}

/** The ID of the group that the `user_group_id` or, without one, the `current_token` names. */
export function subjectOf(account: Account, settings: Options, fields: Fields): string | undefined {
  const { user_group_id: id, current_token: token } = fields;
  if (id !== undefined || token === undefined) return id;
  const byToken = [...account.groups.values()].find((group) => group.token === token);
  return byToken?.userGroupId ?? (settings.deleteTokenMayBeId ? token : undefined);
}

function misfitOf(group: ServiceGroup, settings: Options, fields: Fields): DeleteField | undefined {
  const tokens = [
    undefined,
    group.token,
    ...(group.formerTokens ?? []),
    ...(settings.deleteTokenMayBeId ? [group.userGroupId] : []),
  ];
  if (!tokens.includes(fields.current_token)) return "current_token";
  if (!settings.deleteNeeds.includes("data_source_provided_id") || !group.mapping) return undefined;
  const sources = Object.values(group.mapping).map(String);
  return sources.includes(String(fields.data_source_provided_id)) ? undefined : "data_source_provided_id";
}

type Fields = z.infer<typeof fieldsSchema>;

const text = z.string().min(1).optional();
// Not z.record, which drops the key "__proto__": the emulator stores exactly what was sent.
const mapping = z.custom<Readonly<Record<string, string | number>>>(
  (value) => isObject(value) && Object.values(value).every((id) => /string|number/.test(typeof id)),
  "must be an object of strings and numbers",
);
const properties = z.custom<Readonly<Record<string, unknown>>>(isObject, "must be an object");
const fieldsSchema = z.object({
  user_group_id: text,
  current_token: text,
  data_source_provided_id: text,
  name: text,
  mapping: mapping.optional(),
  properties: properties.optional(),
});

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
