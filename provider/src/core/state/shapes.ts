/**
 * The two kinds of resources: inputs and states ↔ groups. `UserGroup` is a set of one. All differences between the kinds are here and in
 * the few places that ask for `isOne`. The schemas of states are never stricter than those of responses: a state must be
 * readable if the response that it comes from was accepted.
 */
import * as z from "zod";
import { nameOf, UserGroupError } from "../../errors";
import { parse, required } from "../../validation";
import {
  isObject,
  isUnknown,
  nonEmpty,
  own,
  propertiesOf,
  withoutNulls,
  type JsonObject,
} from "../../values";
import { parseArguments, userGroupArguments, userGroupsArguments } from "../arguments";
import {
  unknowableFields,
  valuesOf,
  type FormerGroup,
  type Group,
  type ServiceGroup,
  type StoredGroup,
  type StoredGroups,
} from "./storedGroup";

/** The arguments of a resource that aren't those of a group. */
export interface SharedArguments {
  readonly adopt?: boolean | undefined;
  readonly connection?: string | undefined;
  readonly overlap?: boolean | undefined;
  readonly overlapHours?: number | undefined;
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
  /** The digest of the API token with which the state was written (deployment/account.ts). */
  readonly account?: string | undefined;
  /** The last create or update failed in part, so the engine may not know which values are secrets. */
  readonly incomplete?: boolean | undefined;
  /** The state of a lookup: a refresh of it is a lookup again. */
  readonly lookup?: boolean | undefined;
}

/** The arguments that a plan depends on; each may be unknown in a preview. */
export interface PlannedArguments {
  readonly removed?: unknown;
  readonly overlap?: unknown;
  readonly overlapHours?: unknown;
  readonly connection?: unknown;
}

/** The inputs of a preview. `groups` is undefined if it is unknown as a whole. */
export interface PreviewedWanted extends PlannedArguments {
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
const unknown = z.array(z.enum(unknowableFields));

const groupFields = {
  name: text,
  mapping: jsonObject.optional(),
  properties: jsonObject.optional(),
  dataSourceProvidedId: z.string().optional(),
  keepers: jsonObject.optional(),
};

const formerGroup = z.object({
  ...groupFields,
  providedId: text,
  token,
  since: z.string().optional(),
  adopted: z.boolean().optional(),
  unknown: unknown.optional(),
});
/** Until 0.1.0 there was one former group, without its values. */
const former = z.union([z.array(formerGroup), z.object({ providedId: text, token })]);

/** Until 0.1.0, `unknown` stood for a doubt. */
const lastChange = z.enum(["failed", "unknown", "completed"]);

const sharedFields = {
  adopt: z.boolean().optional(),
  connection: z.string().optional(),
  overlap: z.boolean().optional(),
  overlapHours: z.number().optional(),
  baseUrl: z.string().optional(),
  account: z.string().optional(),
  incomplete: z.boolean().optional(),
  lookup: z.boolean().optional(),
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
  doubt: z.boolean().optional(),
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
  doubt: z.record(z.string(), z.boolean()).default({}),
  lastChange: z.record(z.string(), lastChange).default({}),
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

export type UserGroupRecord = z.infer<typeof userGroupState>;
export type UserGroupsRecord = z.infer<typeof userGroupsState>;

/** The arguments of a resource, or of its state, that aren't those of a group. */
function sharedIn(values: Omit<State, "groups">): Omit<State, "groups"> {
  const { adopt, connection, overlap, overlapHours, removed, deletionLimit } = values;
  const { baseUrl, account, incomplete, lookup } = values;
  const given = { adopt, connection, overlap, overlapHours, removed, deletionLimit };
  return { ...given, baseUrl, account, incomplete, lookup };
}

export const userGroupShape: Shape = {
  isOne: true,
  arguments: userGroupArguments,
  stateArguments: ["adopt", "overlap", "overlapHours", "connection"],
  outputs: ["token", "adopted", "baseUrl", "providedId", "former"],
  subject: (userGroupId) => nameOf({ userGroupId }),
  idOf: ({ groups }) => firstOf(groups).userGroupId,

  parseInputs(inputs) {
    const values = parseArguments(userGroupArguments, inputs);
    return { ...sharedIn(values), groups: new Map([[values.userGroupId, valuesOf(values)]]) };
  },

  wantedIn(inputs) {
    const { userGroupId } = inputs;
    const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
    return { ...inputs, groups: isKnown ? new Map([[userGroupId, inputs]]) : undefined };
  },

  parseState(userGroupId, properties) {
    assertKind(properties, "tokens", nameOf({ userGroupId }));
    const state = parseState(userGroupState, nameOf({ userGroupId }), properties);
    const { token, adopted, shown, sent, unknown, lastChange: last } = state;
    const stored: StoredGroup = {
      ...valuesOf({ ...state, userGroupId }),
      ...{ token, adopted, shown, sent, unknown },
      providedId: state.providedId ?? userGroupId,
      former: parseFormer(state.former, state),
      doubt: state.doubt ?? (last === "unknown" || undefined),
    };
    const incomplete = state.incomplete ?? (last !== undefined || undefined);
    return { ...sharedIn({ ...state, incomplete }), groups: new Map([[userGroupId, stored]]) };
  },

  stateOf(state) {
    return { ...firstOf(state.groups), ...sharedIn(state) };
  },

  inputsOf(state) {
    const { adopt, connection, overlap, overlapHours } = state;
    return { ...valuesOf(firstOf(state.groups)), adopt, connection, overlap, overlapHours };
  },
};

/** An alias between `UserGroup` and `UserGroups` gives one of them a state of the other kind. Error: state-invalid. */
function assertKind(state: JsonObject, foreign: "token" | "tokens", subject: string): void {
  if (!(foreign in state)) return;
  const other = foreign === "token" ? "a UserGroup" : "a UserGroups";
  throw new UserGroupError(
    "state-invalid",
    `The state of ${subject} is that of ${other}: an alias can't lead from one kind of resource to the other. Remove the alias. Declared ` +
      "without it, the groups are adopted with their tokens; or move them by npx pulumi-user-groups import-file.",
  );
}

/** A former group of an earlier version has no values. Those of the current one are the nearest that are known. */
function parseFormer(
  former: FormerGroup[] | ServiceGroup | undefined,
  current: Omit<Group, "userGroupId">,
): readonly FormerGroup[] | undefined {
  if (former === undefined || Array.isArray(former)) return former;
  const { name, mapping, properties, keepers, dataSourceProvidedId } = current;
  const unknown = [...unknowableFields];
  return [{ ...former, name, mapping, properties, keepers, dataSourceProvidedId, unknown }];
}

function firstOf<Entry extends Group>(groups: ReadonlyMap<string, Entry>): Entry {
  const [first] = groups.values();
  if (!first) throw new Error("A UserGroup has no group.");
  return first;
}

export const userGroupsShape: Shape = {
  isOne: false,
  arguments: userGroupsArguments,
  stateArguments: ["connection", "adopt", "removed", "deletionLimit", "overlap", "overlapHours"],
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

  wantedIn(inputs) {
    const entries = isObject(inputs["groups"]) ? Object.entries(inputs["groups"]) : undefined;
    const known = entries?.map(([userGroupId, group]): [string, JsonObject] => [
      userGroupId,
      isUnknown(group) && !isObject(group) ? { name: group } : propertiesOf(group),
    ]);
    return { ...inputs, groups: known && new Map(known) };
  },

  parseState(_id, properties) {
    assertKind(properties, "token", "these user groups");
    const state = parseState(userGroupsState, "these user groups", properties);
    const adopted = new Set(state.adopted);
    const stored = Object.entries(state.groups).map(([userGroupId, values]): [string, StoredGroup] => {
      const token = own(state.tokens, userGroupId);
      if (token === undefined) throw stateError(nameOf({ userGroupId }), "it has no token");
      const group: StoredGroup = {
        ...values,
        userGroupId,
        token,
        providedId: own(state.providedIds, userGroupId) ?? userGroupId,
        adopted: adopted.has(userGroupId),
        former: parseFormer(own(state.former, userGroupId), values),
        shown: own(state.shown, userGroupId),
        sent: own(state.sent, userGroupId),
        unknown: own(state.unknown, userGroupId),
        doubt:
          own(state.doubt, userGroupId) ?? (own(state.lastChange, userGroupId) === "unknown" || undefined),
      };
      return [userGroupId, group];
    });
    const incomplete = state.incomplete ?? (Object.keys(state.lastChange).length > 0 || undefined);
    return { ...sharedIn({ ...state, incomplete }), groups: new Map(stored) };
  },

  stateOf(state) {
    const sorted = sortedGroups(state.groups);
    const hasOwnId = ({ userGroupId, providedId }: StoredGroup) => providedId !== userGroupId;
    return {
      ...userGroupsShape.inputsOf(state),
      tokens: byId(sorted, (group) => group.token),
      adopted: sorted.filter((group) => group.adopted).map(({ userGroupId }) => userGroupId),
      baseUrl: state.baseUrl,
      account: state.account,
      incomplete: state.incomplete,
      providedIds: byId(sorted.filter(hasOwnId), (group) => group.providedId),
      former: nonEmpty(byId(sorted, (group) => group.former)),
      shown: nonEmpty(byId(sorted, ({ shown }) => shown)),
      sent: nonEmpty(byId(sorted, ({ sent }) => sent)),
      unknown: nonEmpty(byId(sorted, (group) => group.unknown)),
      doubt: nonEmpty(byId(sorted, ({ doubt }) => doubt)),
    };
  },

  inputsOf({ groups, adopt, connection, overlap, overlapHours, removed, deletionLimit }) {
    const values = byId(sortedGroups(groups), (stored) =>
      withoutNulls({ ...valuesOf(stored), userGroupId: undefined }),
    );
    return { adopt, removed, deletionLimit, connection, overlap, overlapHours, groups: values };
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
