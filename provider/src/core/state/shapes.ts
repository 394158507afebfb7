/**
 * The two kinds of resources: inputs and states ↔ groups. `UserGroup` is a set of one. All differences between the kinds are here and in
 * the few places that ask for `isOne`. The schemas of states are never stricter than those of responses: a state must be
 * readable if the response that it comes from was accepted.
 */
import * as z from "zod";
import { nameOf, UserGroupError } from "../../errors";
import { normalizedAddress } from "../../settings/serviceAddress";
import type { ReturnedField } from "../../service/client";
import { fromIsoTime } from "../../service/http/clock";
import { parse, required, type ValidationIssue } from "../../validation";
import {
  isObject,
  isUnknown,
  nonEmpty,
  own,
  propertiesOf,
  withoutNulls,
  type JsonObject,
} from "../../values";
import { userGroupArguments, userGroupsArguments } from "../arguments";
import { unknowableFields, valuesOf, type FormerGroup, type Group } from "./group";
import type { StoredGroup, StoredGroups } from "./group";

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
  /** The physical ID. That of `UserGroups` is constant, because the service doesn't know this kind of resource. */
  readonly id: string;
  readonly groups: ReadonlyMap<string, Group>;
}

/** The state of a resource. */
export interface State extends SharedArguments {
  readonly groups: StoredGroups;
  /** The address of the service; undefined in a state of a hand-written provider. */
  readonly baseUrl?: string | undefined;
  /** The digest of the API token with which the state was written (deployment/account.ts). */
  readonly account?: string | undefined;
  /** The last create or update failed in part, so the engine may not know which values are secrets. */
  readonly incomplete?: boolean | undefined;
  /** The state of a lookup: a refresh of it is a lookup again. */
  readonly lookup?: boolean | undefined;
}

/** The arguments in a preview, each of which may be unknown. `groups` is undefined if it is unknown as a whole. */
export interface PreviewedWanted {
  readonly groups: ReadonlyMap<string, JsonObject> | undefined;
  readonly adopt?: unknown;
  readonly connection?: unknown;
  readonly removed?: unknown;
  readonly deletionLimit?: unknown;
  readonly overlap?: unknown;
  readonly overlapHours?: unknown;
}

/** One kind of resource. */
export interface Shape {
  readonly isOne: boolean;
  readonly arguments: z.ZodType;
  /** The arguments of which a change changes the state only. */
  readonly stateArguments: readonly (keyof SharedArguments)[];
  /** The output that shows a field of a stored group, or the address, to the program. The other fields are the package's own. */
  readonly outputs: Readonly<
    Record<
      "baseUrl" | Exclude<keyof StoredGroup, keyof Group | "shown" | "sent" | "unknown" | "doubt">,
      string
    >
  >;
  /** As messages name the resource. */
  subject(id: string): string;
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

const values = {
  name: text,
  mapping: jsonObject.optional(),
  properties: jsonObject.optional(),
  dataSourceProvidedId: z.string().optional(),
  keepers: jsonObject.optional(),
};

const former = z.array(
  z.object({
    ...values,
    providedId: text,
    token,
    since: text.refine((time) => !Number.isNaN(fromIsoTime(time)), "must be a time in ISO 8601"),
    hours: z.number({ error: required("must be a number") }),
    adopted: z.boolean().default(false),
    unknown: unknown.optional(),
  }),
);

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

const sentFields = z.object({
  name: z.string().optional(),
  properties: jsonObject.optional(),
} satisfies Record<ReturnedField, z.ZodType>);
const shownFields = z.object({
  name: z.string().optional(),
  properties: z.string().optional(),
} satisfies Record<ReturnedField, z.ZodType>);

/** A lookup has no token yet. */
export const lookupState = z.object({ ...values, ...sharedFields, unknown: unknown.optional() });

export const userGroupState = lookupState.extend({
  token,
  // A hand-written provider may not have recorded it. Then the group counts as adopted.
  adopted: z.boolean().default(true),
  providedId: z.string().optional(),
  former: former.optional(),
  shown: shownFields.optional(),
  sent: sentFields.optional(),
  doubt: z.boolean().optional(),
});

const groupEntry = z.preprocess(
  (value) => (isObject(value) ? withoutNulls(value) : value),
  z.object({ ...values, overlapHours: z.number().optional() }, "must be an object"),
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
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

/** The part of a state, or of arguments, that isn't about single groups. */
function sharedIn(all: Omit<State, "groups">) {
  const { adopt, connection, overlap, overlapHours, removed, deletionLimit } = all;
  const { account, incomplete, lookup } = all;
  const baseUrl = all.baseUrl === undefined ? undefined : normalizedAddress(all.baseUrl);
  const given = { adopt, connection, overlap, overlapHours, removed, deletionLimit };
  const shared = { ...given, baseUrl, account, incomplete, lookup };
  return shared satisfies Record<Exclude<keyof State, "groups">, unknown>;
}

/** The arguments of `UserGroup` include those of its group, but the hours are the resource's. */
export const userGroupShape: Shape = {
  isOne: true,
  arguments: userGroupArguments,
  stateArguments: ["adopt", "overlap", "overlapHours", "connection"],
  outputs: {
    token: "token",
    adopted: "adopted",
    baseUrl: "baseUrl",
    providedId: "providedId",
    former: "former",
  },
  subject: (userGroupId) => nameOf({ userGroupId }),

  parseInputs(inputs) {
    const given = parse(userGroupArguments, propertiesOf(inputs), argumentError);
    const group = { ...valuesOf(given), overlapHours: undefined };
    const { userGroupId: id } = given;
    return { ...sharedIn(given), id, groups: new Map([[id, group]]) };
  },

  wantedIn(inputs) {
    const { userGroupId } = inputs;
    const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
    const group = { ...inputs, overlapHours: undefined };
    return { ...inputs, groups: isKnown ? new Map([[userGroupId, group]]) : undefined };
  },

  parseState(userGroupId, properties) {
    const subject = nameOf({ userGroupId });
    if ("tokens" in properties) throw wrongKind("a UserGroups", subject);
    const state = parse(userGroupState, propertiesOf(properties), (issue) => stateError(subject, issue));
    const { adopted, providedId = userGroupId, shown, sent, unknown, doubt } = state;
    const stored = {
      ...valuesOf({ ...state, userGroupId }),
      overlapHours: undefined,
      providedId,
      token: state.token,
      adopted,
      former: state.former?.map((each) => ({ ...each, userGroupId })),
      shown,
      sent,
      unknown,
      doubt,
    } satisfies Record<keyof StoredGroup, unknown>;
    return { ...sharedIn(state), groups: new Map([[userGroupId, stored]]) };
  },

  stateOf(state) {
    const group = firstOf(state.groups);
    return { ...group, former: group.former?.map(formerOutput), ...sharedIn(state) };
  },

  inputsOf(state) {
    const { adopt, connection, overlap, overlapHours } = state;
    return { ...valuesOf(firstOf(state.groups)), adopt, connection, overlap, overlapHours };
  },
};

/** A former group in the list of its customer. */
function formerOutput({ userGroupId: _, adopted, ...group }: FormerGroup): JsonObject {
  return { ...group, adopted: adopted || undefined };
}

/** An alias between `UserGroup` and `UserGroups` gives one of them a state of the other kind. */
function wrongKind(other: string, subject: string): UserGroupError {
  return new UserGroupError(
    "state-invalid",
    `The state of ${subject} is that of ${other}: an alias can't lead from one kind of resource to the other. Remove the alias. Declared ` +
      "without it, the groups are adopted with their tokens; or move them by npx --no pulumi-user-groups import-file.",
  );
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
  outputs: {
    token: "tokens",
    adopted: "adopted",
    baseUrl: "baseUrl",
    providedId: "providedIds",
    former: "former",
  },
  subject: () => "these user groups",

  parseInputs(inputs) {
    const given = parse(userGroupsArguments, propertiesOf(inputs), argumentError);
    const entries = Object.entries(given.groups).map(([userGroupId, group]): [string, Group] => [
      userGroupId,
      { ...group, userGroupId },
    ]);
    return { ...sharedIn(given), id: "user-groups", groups: new Map(entries) };
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
    const subject = "these user groups";
    if ("token" in properties) throw wrongKind("a UserGroup", subject);
    const state = parse(userGroupsState, propertiesOf(properties), (issue) => stateError(subject, issue));
    const adopted = new Set(state.adopted);
    const groups = Object.entries(state.groups).map(([userGroupId, group]): [string, StoredGroup] => {
      const ownToken = own(state.tokens, userGroupId);
      if (ownToken === undefined)
        throw stateError(nameOf({ userGroupId }), { path: "token", reason: "is missing" });
      const stored = {
        ...valuesOf({ ...group, userGroupId }),
        providedId: own(state.providedIds, userGroupId) ?? userGroupId,
        token: ownToken,
        adopted: adopted.has(userGroupId),
        former: own(state.former, userGroupId)?.map((each) => ({ ...each, userGroupId })),
        shown: own(state.shown, userGroupId),
        sent: own(state.sent, userGroupId),
        unknown: own(state.unknown, userGroupId),
        doubt: own(state.doubt, userGroupId),
      } satisfies Record<keyof StoredGroup, unknown>;
      return [userGroupId, stored];
    });
    return { ...sharedIn(state), groups: new Map(groups) };
  },

  stateOf(state) {
    const sorted = sortedGroups(state.groups);
    const hasOwnId = ({ userGroupId, providedId }: StoredGroup) => providedId !== userGroupId;
    const ofGroups = {
      tokens: byId(sorted, (group) => group.token),
      adopted: sorted.filter((group) => group.adopted).map(({ userGroupId }) => userGroupId),
      providedIds: byId(sorted.filter(hasOwnId), (group) => group.providedId),
      former: nonEmpty(byId(sorted, (group) => group.former?.map(formerOutput))),
      shown: nonEmpty(byId(sorted, ({ shown }) => shown)),
      sent: nonEmpty(byId(sorted, ({ sent }) => sent)),
      unknown: nonEmpty(byId(sorted, (group) => group.unknown)),
      doubt: nonEmpty(byId(sorted, ({ doubt }) => doubt)),
    } satisfies Record<
      Exclude<keyof StoredGroup, keyof Group | "token" | "providedId"> | "tokens" | "providedIds",
      unknown
    >;
    const { baseUrl, account, incomplete } = state;
    return { ...userGroupsShape.inputsOf(state), ...ofGroups, baseUrl, account, incomplete };
  },

  inputsOf({ groups, adopt, connection, overlap, overlapHours, removed, deletionLimit }) {
    const entries = byId(sortedGroups(groups), (stored) =>
      withoutNulls({ ...valuesOf(stored), userGroupId: undefined }),
    );
    return { adopt, removed, deletionLimit, connection, overlap, overlapHours, groups: entries };
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

/** The connection of a program; undefined also if it isn't known yet. */
export function connectionOf({ connection }: Pick<PreviewedWanted, "connection">): string | undefined {
  return typeof connection === "string" && !isUnknown(connection) ? connection : undefined;
}

/** A value wasn't known to `check`. */
function argumentError({ path, reason }: ValidationIssue): UserGroupError {
  return new UserGroupError("argument-invalid", `The argument ${path} ${reason}.`);
}

/** `subject`: for messages. */
export function stateError(subject: string, { path, reason }: ValidationIssue): UserGroupError {
  return new UserGroupError(
    "state-invalid",
    `The state of ${subject} is invalid: its ${path} ${reason}. Import an earlier export of the state (pulumi stack import); or ` +
      "remove the resource from the state (pulumi state delete) and run pulumi up, which adopts the existing groups.",
  );
}
