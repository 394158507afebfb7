/**
 * The two kinds of resources: inputs and states ↔ groups. `UserGroup` is a set of one. All differences between the kinds are here and in
 * the few places that ask for `isOne`. The schemas of states are never stricter than those of responses: a state must be
 * readable if the response that it comes from was accepted.
 */
import * as z from "zod";
import { errorOf, nameOf, type UserGroupError } from "../../errors";
import { message } from "../../messages/message";
import { normalizedAddress } from "../../settings/serviceAddress";
import type { ReturnedField } from "../../service/client";
import { fromIsoTime } from "../../service/http/clock";
import { parse, required, type ValidationIssue } from "../../validation";
import {
  isObject,
  isUnknown,
  nonEmpty,
  ownValue,
  propertiesOf,
  withoutNulls,
  type JsonObject,
} from "../../values";
import { userGroupArguments, userGroupsArguments } from "../arguments";
import { asShown, unknowableFields, valuesOf, type Group } from "./group";
import type { StoredGroup } from "./group";

/** The arguments of a resource that aren't those of a group. */
export interface SharedArguments {
  readonly adopt?: boolean | undefined;
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
  /** userGroupId → group. */
  readonly groups: ReadonlyMap<string, StoredGroup>;
  /** The address of the service; undefined in a state of a hand-written provider. */
  readonly baseUrl?: string | undefined;
  /** The digest of the credentials with which the state was written (deployment/credentials.ts). */
  readonly credentialsDigest?: string | undefined;
  /** The last create or update failed in part, so the engine may not know which values are secrets. */
  readonly incomplete?: boolean | undefined;
  /** The state of a lookup: a refresh of it is a lookup again. */
  readonly lookup?: boolean | undefined;
}

/** The arguments in a preview, each of which may be unknown. `groups` is undefined if it is unknown as a whole. */
export interface PreviewedWanted {
  readonly groups: ReadonlyMap<string, JsonObject> | undefined;
  readonly adopt?: unknown;
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
  readonly stateArguments: readonly string[];
  /** The outputs beside the arguments. `internal` has all that the package needs and a program doesn't. */
  readonly outputs: readonly string[];
  /** As messages name the resource. */
  subject(id: string): string;
  /** Error: argument-invalid, for a value that wasn't known to `check`. */
  parseInputs(inputs: JsonObject): Wanted;
  wantedIn(inputs: JsonObject): PreviewedWanted;
  /** Error: state-invalid, also for a group without a token. */
  parseState(id: string, state: JsonObject): State;
  serializeState(state: State): JsonObject;
  /** The inputs that fit a state. */
  inputsOf(state: State): JsonObject;
}

const jsonObject = z.record(z.string(), z.unknown(), "must be an object");
const text = z.string({ error: required("must be a string") });
const token = text.min(1, "must not be empty");
const notImported = z.array(z.enum(unknowableFields));

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
    until: text.refine((time) => !Number.isNaN(fromIsoTime(time)), "must be a time in ISO 8601"),
    adopted: z.boolean().default(false),
    notImported: notImported.optional(),
  }),
);

/** Of one group. `sent`: the values that were sent, where outputs show a drift. */
const groupRecord = z.object({
  returned: z
    .object({
      name: z.string().optional(),
      properties: z.string().optional(),
    } satisfies Record<ReturnedField, z.ZodType>)
    .optional(),
  sent: z
    .object({
      name: z.string().optional(),
      properties: jsonObject.optional(),
    } satisfies Record<ReturnedField, z.ZodType>)
    .optional(),
  notImported: notImported.optional(),
  doubt: z.boolean().optional(),
});

const internal = z
  .object({
    credentialsDigest: z.string().optional(),
    incomplete: z.boolean().optional(),
    lookup: z.boolean().optional(),
    groups: z.record(z.string(), groupRecord).default({}),
  })
  .default({ groups: {} });

const sharedFields = {
  adopt: z.boolean().optional(),
  overlap: z.boolean().optional(),
  overlapHours: z.number().optional(),
  baseUrl: z.string().overwrite(normalizedAddress).optional(),
  internal,
};

/** A lookup has no token yet. */
export const lookupState = z.object({ ...values, ...sharedFields });

export const userGroupState = lookupState.extend({
  token,
  // A hand-written provider may not have recorded it. Then the group counts as adopted.
  adopted: z.boolean().default(true),
  providedId: z.string().optional(),
  former: former.optional(),
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
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  ...sharedFields,
});

/** The arguments of `UserGroup` include those of its group, but the hours are the resource's. */
export const userGroupShape: Shape = {
  isOne: true,
  arguments: userGroupArguments,
  stateArguments: ["adopt", "overlap", "overlapHours"],
  outputs: outputNames(userGroupState, userGroupArguments),
  subject: (userGroupId) => nameOf({ userGroupId }),

  parseInputs(inputs) {
    const given = parse(userGroupArguments, propertiesOf(inputs), argumentError);
    const { adopt, overlap, overlapHours, ...group } = given;
    const { userGroupId: id } = group;
    return { adopt, overlap, overlapHours, id, groups: new Map([[id, group]]) };
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
    const { token, adopted, providedId = userGroupId } = state;
    const record = ownValue(state.internal.groups, userGroupId);
    const stored = {
      ...valuesOf({ ...state, userGroupId }),
      overlapHours: undefined,
      ...(record ? fromRecord(state, record) : unrecorded),
      providedId,
      token,
      adopted,
      former: state.former?.map((each) => ({ ...each, userGroupId })),
    } satisfies Record<keyof StoredGroup, unknown>;
    const { adopt, overlap, overlapHours, baseUrl, internal } = state;
    const { credentialsDigest, incomplete, lookup } = internal;
    const resource = {
      adopt,
      overlap,
      overlapHours,
      baseUrl,
      credentialsDigest,
      incomplete,
      lookup,
    };
    return { ...resource, groups: new Map([[userGroupId, stored]]) };
  },

  serializeState(state) {
    const group = firstOf(state.groups);
    const { token, adopted, providedId } = group;
    const outputs = { token, adopted, providedId, former: formerOutput(group), baseUrl: state.baseUrl };
    return { ...userGroupShape.inputsOf(state), ...outputs, internal: internalOf(state, [group]) };
  },

  inputsOf(state) {
    const { adopt, overlap, overlapHours } = state;
    return { ...valuesOf(asShown(firstOf(state.groups))), adopt, overlap, overlapHours };
  },
};

export const userGroupsShape: Shape = {
  isOne: false,
  arguments: userGroupsArguments,
  stateArguments: Object.keys({
    adopt: true,
    removed: true,
    deletionLimit: true,
    overlap: true,
    overlapHours: true,
  } satisfies Record<keyof SharedArguments, true>),
  outputs: outputNames(userGroupsState, userGroupsArguments),
  subject: () => "these user groups",

  parseInputs(inputs) {
    const given = parse(userGroupsArguments, propertiesOf(inputs), argumentError);
    const entries = Object.entries(given.groups).map(([userGroupId, group]): [string, Group] => [
      userGroupId,
      { ...group, userGroupId },
    ]);
    return { ...given, id: "user-groups", groups: new Map(entries) };
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
      const token = ownValue(state.tokens, userGroupId);
      if (token === undefined)
        throw stateError(nameOf({ userGroupId }), { path: "token", reason: "is missing" });
      const record = ownValue(state.internal.groups, userGroupId);
      const stored = {
        ...valuesOf({ ...group, userGroupId }),
        ...(record ? fromRecord(group, record) : unrecorded),
        providedId: ownValue(state.providedIds, userGroupId) ?? userGroupId,
        token,
        adopted: adopted.has(userGroupId),
        former: ownValue(state.former, userGroupId)?.map((each) => ({ ...each, userGroupId })),
      } satisfies Record<keyof StoredGroup, unknown>;
      return [userGroupId, stored];
    });
    const { adopt, overlap, overlapHours, removed, deletionLimit, baseUrl, internal } = state;
    const { credentialsDigest, incomplete, lookup } = internal;
    const args = { adopt, overlap, overlapHours, removed, deletionLimit } satisfies Required<SharedArguments>;
    return {
      ...args,
      baseUrl,
      credentialsDigest,
      incomplete,
      lookup,
      groups: new Map(groups),
    };
  },

  serializeState(state) {
    const sorted = sortedGroups(state.groups);
    const hasOwnId = ({ userGroupId, providedId }: StoredGroup) => providedId !== userGroupId;
    const outputs = {
      tokens: byId(sorted, (group) => group.token),
      adopted: sorted.filter((group) => group.adopted).map(({ userGroupId }) => userGroupId),
      providedIds: byId(sorted.filter(hasOwnId), (group) => group.providedId),
      former: nonEmpty(byId(sorted, formerOutput)),
      baseUrl: state.baseUrl,
    };
    return { ...userGroupsShape.inputsOf(state), ...outputs, internal: internalOf(state, sorted) };
  },

  inputsOf({ groups, adopt, overlap, overlapHours, removed, deletionLimit }) {
    const entries = byId(sortedGroups(groups), (stored) =>
      withoutNulls({ ...valuesOf(asShown(stored)), userGroupId: undefined }),
    );
    const args = { adopt, removed, deletionLimit, overlap, overlapHours } satisfies Required<SharedArguments>;
    return { ...args, groups: entries };
  },
};

/** The properties of a state that are no arguments. */
function outputNames(state: z.ZodObject, args: z.ZodObject): string[] {
  return Object.keys(state.shape).filter((name) => !(name in args.shape));
}

/** Outputs have a drift laid over the values that were sent, which the record has. `shown`: the values in outputs. */
function fromRecord(
  { name, properties }: Pick<Group, ReturnedField>,
  { sent, returned, notImported, doubt }: z.infer<typeof groupRecord>,
) {
  if (!sent) return { name, properties, drift: undefined, returned, notImported, doubt };
  const drift = {
    name: sent.name === undefined ? undefined : name,
    properties: sent.properties === undefined ? undefined : (properties ?? {}),
  } satisfies Record<ReturnedField, unknown>;
  const values = { name: sent.name ?? name, properties: sent.properties ?? properties };
  return { ...values, drift, returned, notImported, doubt };
}

/** What only some groups have. */
const unrecorded = {
  drift: undefined,
  returned: undefined,
  notImported: undefined,
  doubt: undefined,
};

/** The output `internal`; undefined: it has nothing. A drift is in the outputs, so a record has what was sent instead. */
function internalOf(
  { credentialsDigest, incomplete, lookup }: Omit<State, "groups">,
  groups: readonly StoredGroup[],
): JsonObject | undefined {
  const records: JsonObject = {};
  for (const { userGroupId, drift, name, properties = {}, returned, notImported, doubt } of groups) {
    if (!drift && !returned && !notImported && !doubt) continue;
    const sent = drift && {
      name: drift.name === undefined ? undefined : name,
      properties: drift.properties === undefined ? undefined : properties,
    };
    records[userGroupId] = withoutNulls({ sent, returned, notImported, doubt });
  }
  return nonEmpty(withoutNulls({ credentialsDigest, incomplete, lookup, groups: nonEmpty(records) }));
}

/** The former groups of a customer. */
function formerOutput({ former }: StoredGroup): JsonObject[] | undefined {
  return former?.map(({ userGroupId: _, adopted, ...group }) => ({
    ...group,
    adopted: adopted || undefined,
  }));
}

/** An alias between `UserGroup` and `UserGroups` gives one of them a state of the other kind. */
function wrongKind(other: string, subject: string): UserGroupError {
  return errorOf(message("state-of-other-kind", { subject, other }));
}

function firstOf<Entry extends Group>(groups: ReadonlyMap<string, Entry>): Entry {
  const [first] = groups.values();
  if (!first) throw new Error("A UserGroup has no group.");
  return first;
}

/** By ID, independent of the order in which responses arrived. */
function sortedGroups(groups: State["groups"]): StoredGroup[] {
  return [...groups.values()].sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}

function byId(groups: readonly StoredGroup[], valueIn: (group: StoredGroup) => unknown): JsonObject {
  const entries = groups.map((group) => [group.userGroupId, valueIn(group)] as const);
  return withoutNulls(Object.fromEntries(entries));
}

/** A value wasn't known to `check`. */
function argumentError({ path, reason }: ValidationIssue): UserGroupError {
  return errorOf(message("argument", { path, reason }));
}

/** `subject`: for messages. */
export function stateError(subject: string, { path, reason }: ValidationIssue): UserGroupError {
  return errorOf(message("invalid-state", { subject, path, reason }));
}
