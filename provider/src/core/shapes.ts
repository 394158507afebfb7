/**
 * The two kinds of resources: inputs and states ↔ groups. `UserGroup` is a set of one. All differences between the kinds are here and in
 * the few places that ask for `isOne`. The schemas of states are never stricter than those of responses: a state must be
 * readable if the response that it comes from was accepted.
 */
import * as z from "zod";
import { nameOf, UserGroupError } from "../errors";
import { parse, required } from "../validation";
import { isObject, isUnknown, nonEmpty, own, propertiesOf, withoutNulls, type JsonObject } from "../values";
import { parseArguments, userGroupArguments, userGroupsArguments } from "./arguments";
import {
  lastChanges,
  unknowableFields,
  withoutState,
  type Group,
  type StoredGroup,
  type StoredGroups,
} from "./drift";
import type { WantedGroups } from "./plan";

/** The arguments of a resource that aren't those of a group. */
export interface SharedArguments {
  readonly adopt?: boolean | undefined;
  readonly connection?: string | undefined;
  readonly overlap?: boolean | undefined;
  readonly removed?: string | undefined;
  readonly deletionLimit?: number | undefined;
}

/** The validated arguments of a resource. */
export interface Wanted extends SharedArguments {
  readonly groups: ReadonlyMap<string, Group>;
}

/** The state of a resource. */
export interface State extends SharedArguments {
  readonly groups: StoredGroups;
  /** The address of the service; undefined in a state of version 0.1.0. */
  readonly baseUrl?: string | undefined;
  /** See services.ts. */
  readonly account?: string | undefined;
}

/** The inputs of a preview, of which some may be unknown. `groups` is undefined if it is unknown as a whole. */
export interface PreviewedWanted extends Omit<WantedGroups, "groups"> {
  readonly groups: ReadonlyMap<string, JsonObject> | undefined;
}

/** One kind of resource. */
export interface Shape {
  readonly isOne: boolean;
  readonly arguments: z.ZodType;
  /** The arguments of which a change changes the state only. */
  readonly stateArguments: readonly (keyof SharedArguments)[];
  readonly outputs: readonly string[];
  /** As messages name the resource. */
  subject(id: string): string;
  /** The physical ID. That of `UserGroups` is constant, because the service doesn't know this kind of resource. */
  idOf(wanted: Wanted): string;
  /** Error: argument-invalid, for a value that wasn't known to `check`. */
  parseInputs(inputs: JsonObject): Wanted;
  wantedIn(inputs: JsonObject): PreviewedWanted;
  /** Error: state-invalid, also for a group without a token. */
  parseState(id: string, state: JsonObject): State;
  stateOf(state: State): JsonObject;
  /** The inputs that fit a state. */
  inputsOf(state: State): JsonObject;
}

const jsonObject = z.record(z.string(), z.unknown(), "must be an object");
const text = z.string({ error: required("must be a string") });
const token = text.min(1, "must not be empty");
const former = z.object({ providedId: text, token });
const unknown = z.array(z.enum(unknowableFields));
const lastChange = z.enum(lastChanges);

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
  overlap: z.boolean().optional(),
  baseUrl: z.string().optional(),
  account: z.string().optional(),
};

const sentFields = z.object({ name: z.string().optional(), properties: jsonObject.optional() });
const shownFields = z.object({ name: z.string().optional(), properties: z.string().optional() });

/** A lookup has no token yet. */
export const lookupState = z.object({ ...groupFields, ...sharedFields, unknown: unknown.optional() });

export const userGroupState = lookupState.extend({
  token,
  // A hand-written provider may not have recorded it. Then the group counts as adopted.
  adopted: z.boolean().default(true),
  providedId: z.string().optional(),
  former: former.optional(),
  shown: shownFields.optional(),
  sent: sentFields.optional(),
  unknown: unknown.optional(),
  lastChange: lastChange.optional(),
});

const groupEntry = z.preprocess(
  (value) => (isObject(value) ? withoutNulls(value) : value),
  z.object(groupFields, "must be an object"),
);

export const userGroupsState = z.object({
  groups: z.record(z.string(), groupEntry, "must be an object"),
  tokens: z.record(z.string(), token, "must be an object"),
  adopted: z.array(z.string()).default([]),
  providedIds: z.record(z.string(), text).default({}),
  former: z.record(z.string(), former).default({}),
  shown: z.record(z.string(), shownFields).default({}),
  sent: z.record(z.string(), sentFields).default({}),
  unknown: z.record(z.string(), unknown).default({}),
  lastChange: z.record(z.string(), lastChange).default({}),
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

export type UserGroupRecord = z.infer<typeof userGroupState>;
export type UserGroupsRecord = z.infer<typeof userGroupsState>;

export const userGroupShape: Shape = {
  isOne: true,
  arguments: userGroupArguments,
  stateArguments: ["adopt", "overlap", "connection"],
  outputs: ["token", "adopted", "baseUrl", "providedId", "former"],
  subject: (userGroupId) => nameOf({ userGroupId }),
  idOf: ({ groups }) => firstOf(groups).userGroupId,

  parseInputs(inputs) {
    const { adopt, connection, overlap, ...group } = parseArguments(userGroupArguments, inputs);
    return { adopt, connection, overlap, groups: new Map([[group.userGroupId, group]]) };
  },

  wantedIn(inputs) {
    const { userGroupId, connection, overlap } = inputs;
    const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
    return { groups: isKnown ? new Map([[userGroupId, inputs]]) : undefined, connection, overlap };
  },

  parseState(userGroupId, properties) {
    const state = parseState(userGroupState, nameOf({ userGroupId }), properties);
    const { adopt, connection, overlap, baseUrl, account, shown, sent, ...values } = state;
    const stored: StoredGroup = {
      ...values,
      userGroupId,
      providedId: values.providedId ?? userGroupId,
      storedAs: shown,
      lastSent: sent,
    };
    return { adopt, connection, overlap, baseUrl, account, groups: new Map([[userGroupId, stored]]) };
  },

  stateOf({ groups, adopt, connection, overlap, baseUrl, account }) {
    const { storedAs, lastSent, ...outputs } = firstOf(groups);
    const shared = { adopt, connection, overlap, baseUrl, account };
    return { ...outputs, shown: storedAs, sent: lastSent, ...shared };
  },

  inputsOf({ groups, adopt, connection, overlap }) {
    return { ...withoutState(firstOf(groups)), adopt, connection, overlap };
  },
};

function firstOf<Entry extends Group>(groups: ReadonlyMap<string, Entry>): Entry {
  const [first] = groups.values();
  if (!first) throw new Error("A UserGroup has no group.");
  return first;
}

export const userGroupsShape: Shape = {
  isOne: false,
  arguments: userGroupsArguments,
  stateArguments: ["connection", "adopt", "removed", "deletionLimit", "overlap"],
  outputs: ["tokens", "adopted", "baseUrl", "providedIds", "former"],
  subject: () => "these user groups",
  idOf: () => "user-groups",

  parseInputs(inputs) {
    const { groups, ...shared } = parseArguments(userGroupsArguments, inputs);
    const entries = Object.entries(groups).map(([userGroupId, group]): [string, Group] => [
      userGroupId,
      { ...group, userGroupId },
    ]);
    return { ...shared, groups: new Map(entries) };
  },

  wantedIn({ groups, removed, connection, overlap }) {
    const entries = isObject(groups) ? Object.entries(groups) : undefined;
    const known = entries?.map(([userGroupId, group]): [string, JsonObject] => [
      userGroupId,
      isUnknown(group) && !isObject(group) ? { name: group } : propertiesOf(group),
    ]);
    return { groups: known && new Map(known), removed, connection, overlap };
  },

  parseState(_id, properties) {
    const state = parseState(userGroupsState, "these user groups", properties);
    const { groups, tokens, adopted, providedIds, former: formers, shown, sent, ...others } = state;
    const { unknown: unknowns, lastChange: lastChanges, ...shared } = others;
    const wasAdopted = new Set(adopted);
    const stored = Object.entries(groups).map(([userGroupId, values]): [string, StoredGroup] => {
      const ownToken = own(tokens, userGroupId);
      if (ownToken === undefined) throw stateError(nameOf({ userGroupId }), "it has no token");
      const group: StoredGroup = {
        ...values,
        userGroupId,
        token: ownToken,
        providedId: own(providedIds, userGroupId) ?? userGroupId,
        adopted: wasAdopted.has(userGroupId),
        former: own(formers, userGroupId),
        storedAs: own(shown, userGroupId),
        lastSent: own(sent, userGroupId),
        unknown: own(unknowns, userGroupId),
        lastChange: own(lastChanges, userGroupId),
      };
      return [userGroupId, group];
    });
    return { ...shared, groups: new Map(stored) };
  },

  stateOf(state) {
    const sorted = sortedGroups(state.groups);
    const isSuffixed = ({ userGroupId, providedId }: StoredGroup) => providedId !== userGroupId;
    return {
      ...userGroupsShape.inputsOf(state),
      tokens: byId(sorted, (group) => group.token),
      adopted: sorted.filter((group) => group.adopted).map(({ userGroupId }) => userGroupId),
      baseUrl: state.baseUrl,
      account: state.account,
      providedIds: byId(sorted.filter(isSuffixed), (group) => group.providedId),
      former: nonEmpty(byId(sorted, (group) => group.former)),
      shown: nonEmpty(byId(sorted, ({ storedAs }) => storedAs)),
      sent: nonEmpty(byId(sorted, ({ lastSent }) => lastSent)),
      unknown: nonEmpty(byId(sorted, (group) => group.unknown)),
      lastChange: nonEmpty(byId(sorted, (group) => group.lastChange)),
    };
  },

  inputsOf({ groups, adopt, connection, overlap, removed, deletionLimit }) {
    const values = byId(sortedGroups(groups), (stored) =>
      withoutNulls({ ...withoutState(stored), userGroupId: undefined }),
    );
    return { adopt, removed, deletionLimit, connection, overlap, groups: values };
  },
};

/** By ID, independent of the order in which responses arrived. */
function sortedGroups(groups: StoredGroups): StoredGroup[] {
  return [...groups.values()].sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}

function byId(groups: readonly StoredGroup[], valueOf: (group: StoredGroup) => unknown): JsonObject {
  const entries = groups.map((group) => [group.userGroupId, valueOf(group)] as const);
  return withoutNulls(Object.fromEntries(entries));
}

/** `subject`: for messages. Error: state-invalid. */
export function parseState<Parsed>(schema: z.ZodType<Parsed>, subject: string, state: JsonObject): Parsed {
  return parse(schema, propertiesOf(state), ({ path, reason }) =>
    stateError(subject, `its ${path} ${reason}`),
  );
}

function stateError(subject: string, issue: string): UserGroupError {
  return new UserGroupError(
    "state-invalid",
    `The state of ${subject} is invalid: ${issue}. Import an earlier export of the state (pulumi stack import); or ` +
      "remove the resource from the state (pulumi state delete) and run pulumi up, which adopts the existing groups.",
  );
}
