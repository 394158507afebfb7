/**
 * The states of both resources. These schemas are never stricter than those of responses: a state must be readable if
 * the response that it comes from was accepted.
 */
import * as z from "zod";
import { nameOf, UserGroupError } from "../errors";
import { parse, required } from "../validation";
import { isObject, nonEmpty, own, propertiesOf, withoutNulls, type JsonObject } from "../values";
import { withoutState, type RecordedGroup, type RecordedGroups } from "./group/recordedGroup";
import type { ReadState } from "./lifecycle";

const jsonObject = z.record(z.string(), z.unknown(), "must be an object");
const text = z.string({ error: required("must be a string") });
const token = text.min(1, "must not be empty");

const groupFields = {
  name: text,
  mapping: jsonObject.optional(),
  properties: jsonObject.optional(),
  dataSourceProvidedId: z.string().optional(),
  keepers: jsonObject.optional(),
};

const sharedFields = {
  adopt: z.boolean().optional(),
  connection: z.string().optional(),
  baseUrl: z.string().optional(),
};

const sentFields = z.object({ name: z.string().optional(), properties: jsonObject.optional() });
const shownFields = z.object({ name: z.string().optional(), properties: z.string().optional() });

/** A lookup has no token yet. */
export const lookupState = z.object({ ...groupFields, ...sharedFields });

export const userGroupState = lookupState.extend({
  token,
  // A hand-written provider may not have recorded it. Then the group counts as adopted.
  adopted: z.boolean().default(true),
  shown: shownFields.optional(),
  sent: sentFields.optional(),
});

const groupEntry = z.preprocess(
  (value) => (isObject(value) ? withoutNulls(value) : value),
  z.object(groupFields, "must be an object"),
);

export const userGroupsState = z.object({
  groups: z.record(z.string(), groupEntry, "must be an object"),
  tokens: z.record(z.string(), token, "must be an object"),
  adopted: z.array(z.string()).default([]),
  shown: z.record(z.string(), shownFields).default({}),
  sent: z.record(z.string(), sentFields).default({}),
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

export type UserGroupRecord = z.infer<typeof userGroupState>;
export type UserGroupsRecord = z.infer<typeof userGroupsState>;

/** `subject`: for messages. Error: state-invalid. */
export function parseState<State>(schema: z.ZodType<State>, subject: string, state: JsonObject): State {
  return parse(schema, propertiesOf(state), ({ path, reason }) =>
    stateError(subject, `its ${path} ${reason}`),
  );
}

/** Error: state-invalid. */
export function parseUserGroup(userGroupId: string, properties: JsonObject) {
  const state = parseState(userGroupState, nameOf({ userGroupId }), properties);
  const { adopt, connection, baseUrl, shown, sent, ...stored } = state;
  const others = { ...(shown && { storedAs: shown }), ...(sent && { lastSent: sent }) };
  const group: RecordedGroup = { ...stored, userGroupId, ...others };
  return { adopt, connection, baseUrl, group };
}

type Shared = Pick<UserGroupRecord, "adopt" | "connection">;

/** The state of a `UserGroup`, and the inputs that fit it. */
export function userGroupResult(stored: RecordedGroup, shared: Shared, baseUrl?: string): ReadState {
  const { adopt, connection } = shared;
  const { storedAs, lastSent, ...outputs } = stored;
  return {
    id: stored.userGroupId,
    state: { ...outputs, shown: storedAs, sent: lastSent, adopt, connection, baseUrl },
    inputs: { ...withoutState(stored), adopt, connection },
  };
}

/** Error: state-invalid, also for a group without a token. */
export function parseUserGroups(properties: JsonObject) {
  const state = parseState(userGroupsState, "these user groups", properties);
  const { groups, tokens, adopted, shown, sent, ...others } = state;
  const wasAdopted = new Set(adopted);
  const recorded = Object.entries(groups).map(([userGroupId, values]): [string, RecordedGroup] => {
    const token = own(tokens, userGroupId);
    if (token === undefined) throw stateError(nameOf({ userGroupId }), "it has no token");
    const [storedAs, lastSent] = [own(shown, userGroupId), own(sent, userGroupId)];
    const stored = { userGroupId, token, adopted: wasAdopted.has(userGroupId), storedAs, lastSent };
    return [userGroupId, { ...values, ...stored }];
  });
  return { ...others, groups: new Map(recorded) };
}

/** The state of a `UserGroups`, and the inputs that fit it. By ID, independent of the order in which responses arrived. */
export function userGroupsResult(groups: RecordedGroups, shared: JsonObject, baseUrl: string) {
  const { adopt, removed, deletionLimit, connection } = shared;
  const sorted = [...groups.values()].sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
  const byId = (valueOf: (group: RecordedGroup) => unknown) => {
    const entries = sorted.map((group) => [group.userGroupId, valueOf(group)] as const);
    return withoutNulls(Object.fromEntries(entries));
  };
  const values = byId((stored) => withoutNulls({ ...withoutState(stored), userGroupId: undefined }));
  const inputs = { adopt, removed, deletionLimit, connection, groups: values };
  const state = {
    ...inputs,
    tokens: byId(({ token }) => token),
    adopted: sorted.filter(({ adopted }) => adopted).map(({ userGroupId }) => userGroupId),
    baseUrl,
    shown: nonEmpty(byId(({ storedAs }) => storedAs)),
    sent: nonEmpty(byId(({ lastSent }) => lastSent)),
  };
  return { state, inputs };
}

function stateError(subject: string, issue: string): UserGroupError {
  return new UserGroupError(
    "state-invalid",
    `The state of ${subject} is invalid: ${issue}. Import an earlier export of the state (pulumi stack import); or ` +
      "remove the resource from the state (pulumi state delete) and run pulumi up, which adopts the existing groups.",
  );
}
