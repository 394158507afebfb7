/**
 * One user group in a program and in a state, and the effect of responses on the state. The state stores the values as sent. If the
 * service returned something else, it stores that as well, and drift means that the service now returns something new.
 */
import { createHash } from "node:crypto";
import type { GetOrCreateResult, ReturnedGroup } from "../../service/client";
import type { GroupRequest } from "../../service/contract";
import { isEqual, isObject, type JsonObject } from "../../values";

/** A group as a program declares it. `userGroupId` identifies the customer. */
export interface Group extends GroupRequest {
  readonly dataSourceProvidedId?: string | undefined;
  readonly keepers?: JsonObject | undefined;
}

/** A group with the ID by which it is requested from the service. */
export interface RequestedGroup extends Group {
  readonly providedId: string;
}

export interface ReturnedFields {
  readonly name?: string | undefined;
  /** `{}`: the group has none. */
  readonly properties?: JsonObject | undefined;
}

/** The fields that an import can't know. */
export const unknowableFields = ["mapping", "keepers"] as const satisfies (keyof Group)[];

export type UnknowableField = (typeof unknowableFields)[number];

/** A group in the service: its ID there, and its token. */
export interface ServiceGroup {
  readonly providedId: string;
  readonly token: string;
}

export function isSameGroup(one: ServiceGroup, other: ServiceGroup): boolean {
  return one.token === other.token && one.providedId === other.providedId;
}

/** A group that `overlap` keeps, with the values that it has. `since`: an ISO 8601 time; undefined in states of earlier versions. */
export interface FormerGroup extends Omit<Group, "userGroupId">, ServiceGroup {
  readonly since?: string | undefined;
  readonly adopted?: boolean | undefined;
  readonly unknown?: readonly UnknowableField[] | undefined;
}

/** A group in a state. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface StoredGroup extends Group, ServiceGroup {
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  readonly former?: readonly FormerGroup[] | undefined;
  /** What the service returned instead of what was sent, such as a trimmed name. */
  readonly shown?: StoredFields | undefined;
  /** The last sent value of each field that has drifted. */
  readonly sent?: ReturnedFields | undefined;
  /** The fields that an import didn't know. The first value of the program is a claim about them, and no change. */
  readonly unknown?: readonly UnknowableField[] | undefined;
  /** An update in place may have been applied, but its response was lost. The next `up` ends the doubt by a request. */
  readonly doubt?: boolean | undefined;
}

/** userGroupId → group. */
export type StoredGroups = ReadonlyMap<string, StoredGroup>;

interface StoredFields {
  readonly name?: string | undefined;
  /** A digest, because properties may be large. */
  readonly properties?: string | undefined;
}

/** The state of a group that this stack has just created or updated, with the values as sent. */
export function storedAsSent(group: RequestedGroup, returned: ReturnedGroup, adopted: boolean): StoredGroup {
  const shown = digested(differences(group, returned));
  return { ...group, token: returned.token, adopted, ...(Object.keys(shown).length > 0 && { shown }) };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: RequestedGroup, returned: ReturnedGroup): StoredGroup {
  return withDrift({ ...group, token: returned.token, adopted: true }, differences(group, returned));
}

/** The state of a group that a lookup or an import found: the values that the service returned count as sent. */
export function storedAsFound(group: Group, found: ReturnedGroup): StoredGroup {
  const { properties } = isEqual(found.properties, group.properties) ? group : found;
  // A service that returns no name refuses an empty one.
  const sent = found.name === "" ? { name: group.name } : undefined;
  const providedId = group.userGroupId;
  return { ...group, ...found, providedId, properties, adopted: true, ...(sent && { sent }) };
}

/** The group as it was last sent, without a drift. */
export function asSent({ sent, ...stored }: StoredGroup): StoredGroup {
  return withFields(stored, sent);
}

/** The request for a group, by the ID that the service has for it. */
export function requestFor({ providedId, name, mapping, properties }: RequestedGroup): GroupRequest {
  return { userGroupId: providedId, name, mapping, properties };
}

/** The state of a group that is kept. The program has taken over a drift, so that its values count as sent. */
export function withoutDrift(stored: StoredGroup, group: Group): StoredGroup {
  const { token, providedId, adopted, former, sent = {}, shown = {} } = stored;
  const others = Object.entries(shown).filter(([field]) => !(field in sent));
  const unknown = stored.unknown?.filter((field) => group[field] === undefined);
  return {
    ...group,
    token,
    providedId,
    adopted,
    former,
    shown: others.length > 0 ? Object.fromEntries(others) : undefined,
    unknown: unknown?.length ? unknown : undefined,
  };
}

/**
 * The state after a read. A field has drifted if the service returns something other than it returned for what was
 * sent. Somebody else created a group that has another token, so it counts as adopted. The request has sent the values of the state
 * again, which ends a doubt.
 */
export function storedAsRead(
  stored: StoredGroup,
  { group: returned, isNew }: GetOrCreateResult,
): StoredGroup {
  const original = { ...asSent(stored), doubt: undefined };
  if (isNew) {
    const { former, providedId } = stored;
    return { ...storedAsSent({ ...valuesOf(original), providedId }, returned, false), former };
  }
  const others = differences(original, returned);
  const seen = digested(others);
  const drift = only(others, (field) => seen[field] !== stored.shown?.[field]);
  const adopted = stored.adopted || returned.token !== stored.token;
  return withDrift({ ...original, token: returned.token, adopted }, drift);
}

export function differences(group: Group, returned: ReturnedGroup): ReturnedFields {
  return only(returned, (field) => !isEqual(returned[field], group[field]));
}

function withFields<Fields extends Group>(group: Fields, fields: ReturnedFields = {}): Fields {
  const { name = group.name, properties = group.properties } = fields;
  return { ...group, name, properties };
}

/** The values of a group in a state, as a program declares them. */
export function valuesOf(stored: Group): Group {
  const { userGroupId, name, mapping, properties, dataSourceProvidedId, keepers } = stored;
  return { userGroupId, name, mapping, properties, dataSourceProvidedId, keepers };
}

/** Adds the values of a drift, and the values that were sent instead. */
function withDrift(stored: StoredGroup, drift: ReturnedFields): StoredGroup {
  const values = { name: stored.name, properties: stored.properties ?? {} };
  const sent = only(values, (field) => drift[field] !== undefined);
  return { ...withFields(stored, drift), ...(Object.keys(sent).length > 0 && { sent }) };
}

function only(fields: ReturnedFields, isWanted: (field: keyof ReturnedFields) => boolean): ReturnedFields {
  const { name, properties } = fields;
  return {
    ...(name !== undefined && isWanted("name") && { name }),
    ...(properties !== undefined && isWanted("properties") && { properties }),
  };
}

/** Equal properties have the same digest. The order of keys doesn't matter. */
function digested({ name, properties }: ReturnedFields): StoredFields {
  const digestedName = name === undefined ? {} : { name };
  if (properties === undefined) return digestedName;
  const sorted = JSON.stringify(properties, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return { ...digestedName, properties: createHash("sha256").update(sorted).digest("base64") };
}
