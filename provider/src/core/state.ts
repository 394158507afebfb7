/**
 * The states of both resources. These schemas are never stricter than those of responses: a state must be readable if
 * the response that it comes from was accepted.
 */
import * as z from "zod";
import { UserGroupError } from "../errors";
import { parse, required } from "../validation";
import { isObject, propertiesOf, withoutNulls, type JsonObject } from "../values";
import type { HeldGroup } from "./deployment/facts";
import type { StoredGroup } from "./group/storedGroup";

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

const lookupState = z.object({ ...groupFields, ...sharedFields });

export const userGroupState = lookupState.extend({
  token,
  // A hand-written provider may not have recorded it. Then the group counts as adopted.
  adopted: z.boolean().default(true),
  shown: shownFields.optional(),
  sent: sentFields.optional(),
});

const storedGroupEntry = z.preprocess(
  (value) => (isObject(value) ? withoutNulls(value) : value),
  z.object(groupFields, "must be an object"),
);

export const userGroupsState = z.object({
  groups: z.record(z.string(), storedGroupEntry, "must be an object"),
  tokens: z.record(z.string(), token, "must be an object"),
  adopted: z.array(z.string()).default([]),
  shown: z.record(z.string(), shownFields).default({}),
  sent: z.record(z.string(), sentFields).default({}),
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

export type LookupState = z.infer<typeof lookupState>;
export type UserGroupState = z.infer<typeof userGroupState>;
export type UserGroupsState = z.infer<typeof userGroupsState>;

/** Error: state-invalid. */
export function parseUserGroupState(subject: string, state: JsonObject): UserGroupState {
  return parseState(userGroupState, subject, state);
}

/** The state of a lookup, which has no token yet. Error: state-invalid. */
export function parseLookupState(subject: string, state: JsonObject): LookupState {
  return parseState(lookupState, subject, state);
}

/** Error: state-invalid. */
export function parseUserGroupsState(state: JsonObject): UserGroupsState {
  return parseState(userGroupsState, "these user groups", state);
}

/** The group in a state of `UserGroup`; undefined if the state is invalid. */
export function storedGroupIn(userGroupId: string, state: JsonObject): StoredGroup | undefined {
  const { data } = userGroupState.safeParse(propertiesOf(state));
  return data && toStoredGroup(userGroupId, data);
}

/** The groups with a token in a state of `UserGroups`. It isn't validated, because diff needs no valid state. */
export function heldGroupsIn({
  groups,
  tokens,
  adopted,
  shown,
}: JsonObject): [userGroupId: string, HeldGroup][] {
  const wasAdopted = new Set(Array.isArray(adopted) ? adopted : []);
  const storedAs = z.record(z.string(), shownFields).safeParse(shown).data ?? {};
  return Object.entries(isObject(groups) ? groups : {}).flatMap(([userGroupId, group]) => {
    const token = isObject(tokens) && Object.hasOwn(tokens, userGroupId) ? tokens[userGroupId] : undefined;
    if (typeof token !== "string") return [];
    const isAdopted = wasAdopted.has(userGroupId);
    const held = { values: propertiesOf(group), token, adopted: isAdopted, storedAs: storedAs[userGroupId] };
    return [[userGroupId, held]];
  });
}

export function toStoredGroup(userGroupId: string, state: UserGroupState): StoredGroup {
  const { adopt, connection, baseUrl, shown, sent, ...stored } = state;
  return { ...stored, userGroupId, ...(shown && { storedAs: shown }), ...(sent && { lastSent: sent }) };
}

/** The group as the state of a `UserGroup` stores it. */
export function toState({ storedAs, lastSent, ...stored }: StoredGroup): JsonObject {
  return { ...stored, shown: storedAs, sent: lastSent };
}

export function stateError(subject: string, issue: string): UserGroupError {
  return new UserGroupError(
    "state-invalid",
    `The state of ${subject} is invalid: ${issue}. Import an earlier export of the state (pulumi stack import); or ` +
      "remove the resource from the state (pulumi state delete) and run pulumi up, which adopts the existing groups.",
  );
}

function parseState<State>(schema: z.ZodType<State>, subject: string, state: JsonObject): State {
  return parse(schema, propertiesOf(state), ({ path, reason }) =>
    stateError(subject, `its ${path} ${reason}`),
  );
}
