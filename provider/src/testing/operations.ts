import type { GroupValues, StoredGroup } from "./group";
import type { DeleteField } from "./options";
import type { Effect } from "./requestLog";
import { type DeleteRequest, parseDelete, parseGetOrCreate, userGroupIdIn } from "./requestBody";
import type { Settings } from "./settings";
import type { GroupStore } from "./store";

/** What came of a request: its effect, and the response of a healthy service. */
export interface Outcome {
  readonly effect: Effect;
  readonly refusal?: string;
  readonly status: number;
  readonly responseBody: Readonly<Record<string, unknown>>;
}

/** Nothing done, `success` 0 (interface, section "Errors"; the status isn't shown there). */
export function refused(refusal: string, status = 200): Outcome {
  return { effect: "refused", refusal, status, responseBody: { success: 0 } };
}

/** Interface, section "Get or create a user group". */
export function getOrCreate(store: GroupStore, settings: Settings, body: unknown): Outcome {
  const parsed = parseGetOrCreate(body);
  if ("refusal" in parsed) return refused(parsed.refusal);
  const values = parsed.request;
  const existing = store.groups.get(values.userGroupId);
  const group = existing && settings.existing === "keep" ? existing : store.put(settings.normalize(values));
  return {
    effect: existing ? (settings.existing === "keep" ? "returned" : "updated") : "created",
    status: 200,
    responseBody: { success: 1, new_user_group: !existing, user_group: shown(group, values, settings) },
  };
}

/** Interface, section "Delete a user group". */
export function deleteGroup(store: GroupStore, settings: Settings, body: unknown): Outcome {
  const parsed = parseDelete(body);
  if ("refusal" in parsed) return refused(parsed.refusal);
  const missing = settings.deleteNeeds.filter((field) => !isSent(parsed.request, field));
  if (missing.length > 0) return refused(`${missing.join(", ")} missing`);
  const group = groupOf(store, settings, parsed.request);
  if (!group) return refused("no such user group");
  const misfit = misfitOf(group, settings, parsed.request);
  if (misfit) return refused(`${misfit} does not fit`);
  store.remove(group.userGroupId);
  return { effect: "deleted", status: 200, responseBody: { success: 1 } };
}

/** The group that a body is about, understood or not: by `user_group_id`, else by `current_token`. */
export function subjectOf(store: GroupStore, settings: Settings, body: unknown): string | undefined {
  const named = userGroupIdIn(body);
  if (named !== undefined) return named;
  const parsed = parseDelete(body);
  return "request" in parsed ? groupOf(store, settings, parsed.request)?.userGroupId : undefined;
}

/** The `user_group` object of a response. */
function shown(group: StoredGroup, requested: GroupValues, settings: Settings): Record<string, unknown> {
  const { name, properties } = settings.response === "stored" ? group : requested;
  return {
    team_id: group.teamId,
    token: group.token,
    name,
    provided_id: group.userGroupId,
    ...(properties ? { properties } : settings.emptyProperties === "null" && { properties: null }),
  };
}

function groupOf(store: GroupStore, settings: Settings, request: DeleteRequest): StoredGroup | undefined {
  if (request.userGroupId !== undefined) return store.groups.get(request.userGroupId);
  if (request.currentToken === undefined) return undefined;
  const named = settings.deleteTokenMayBeId ? store.groups.get(request.currentToken) : undefined;
  return store.withToken(request.currentToken) ?? named;
}

function isSent(request: DeleteRequest, field: DeleteField): boolean {
  return sentAs[field](request) !== undefined;
}

const sentAs: Record<DeleteField, (request: DeleteRequest) => string | undefined> = {
  current_token: (request) => request.currentToken,
  user_group_id: (request) => request.userGroupId,
  data_source_provided_id: (request) => request.dataSourceProvidedId,
};

function misfitOf(group: StoredGroup, settings: Settings, request: DeleteRequest): DeleteField | undefined {
  const { currentToken, dataSourceProvidedId } = request;
  const idInstead = settings.deleteTokenMayBeId && currentToken === group.userGroupId;
  if (currentToken !== undefined && currentToken !== group.token && !idInstead) return "current_token";
  const counts = settings.deleteNeeds.includes("data_source_provided_id") && group.mapping !== undefined;
  const sources = Object.values(group.mapping ?? {}).map(String);
  if (counts && !sources.includes(String(dataSourceProvidedId))) return "data_source_provided_id";
  return undefined;
}
