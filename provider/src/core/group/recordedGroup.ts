/** One user group in a program and in a state, and the effect of responses on the state. */
import { createHash } from "node:crypto";
import type { GetOrCreateResult, ReturnedGroup } from "../../service/client";
import type { GroupRequest } from "../../service/contract";
import { isEqual, isObject, type JsonObject } from "../../values";

/** A group as a program declares it. */
export interface Group extends GroupRequest {
  readonly dataSourceProvidedId?: string | undefined;
  readonly keepers?: JsonObject | undefined;
}

export interface ReturnedFields {
  readonly name?: string | undefined;
  /** `{}`: the group has none. */
  readonly properties?: JsonObject | undefined;
}

/** A group in a state. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface RecordedGroup extends Group {
  readonly token: string;
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  /** What the service returned instead of what was sent, such as a trimmed name. In the state: `shown`. */
  readonly storedAs?: StoredFields | undefined;
  /** The last sent value of each field that has drifted. In the state: `sent`. */
  readonly lastSent?: ReturnedFields | undefined;
}

/** userGroupId → group. */
export type RecordedGroups = ReadonlyMap<string, RecordedGroup>;

interface StoredFields {
  readonly name?: string | undefined;
  /** A digest, because properties may be large. */
  readonly properties?: string | undefined;
}

/** The state of a group that this stack has just created or updated, with the values as sent. */
export function storedAsSent(group: Group, returned: ReturnedGroup, adopted: boolean): RecordedGroup {
  const storedAs = digested(differences(group, returned));
  const isOther = Object.keys(storedAs).length > 0;
  return { ...group, token: returned.token, adopted, ...(isOther && { storedAs }) };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: Group, returned: ReturnedGroup): RecordedGroup {
  return withDrift({ ...group, token: returned.token, adopted: true }, differences(group, returned));
}

/** The state of a group that a lookup found or created: the values that the service returned count as sent. */
export function storedAsFound(group: Group, found: ReturnedGroup, adopted: boolean): RecordedGroup {
  const { properties } = isEqual(found.properties, group.properties) ? group : found;
  // A service that returns no name refuses an empty one.
  const lastSent = found.name === "" ? { name: group.name } : undefined;
  return { ...group, ...found, properties, adopted, ...(lastSent && { lastSent }) };
}

/** The group as it was last sent, without a drift. */
export function asSent({ lastSent, ...stored }: RecordedGroup): RecordedGroup {
  return withFields(stored, lastSent);
}

/** The state of a group that is kept. The program has taken over a drift, so that its values count as sent. */
export function withoutDrift(stored: RecordedGroup, group: Group): RecordedGroup {
  const { token, adopted, lastSent = {}, storedAs = {} } = stored;
  const others = Object.entries(storedAs).filter(([field]) => !(field in lastSent));
  return { ...group, token, adopted, storedAs: others.length > 0 ? Object.fromEntries(others) : undefined };
}

/**
 * The state after a read. A field has drifted if the service returns something other than it returned for what was
 * sent. Somebody else created a group that has another token, so it counts as adopted.
 */
export function storedAsRead(stored: RecordedGroup, result: GetOrCreateResult): RecordedGroup {
  const { group: returned, isNew } = result;
  const original = asSent(stored);
  if (isNew) return storedAsSent(withoutState(original), returned, false);
  const others = differences(original, returned);
  const seen = digested(others);
  const drift = only(others, (field) => seen[field] !== stored.storedAs?.[field]);
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

export function withoutState({ token, adopted, storedAs, lastSent, ...group }: RecordedGroup): Group {
  return group;
}

/** Adds the values of a drift, and the values that were sent instead. */
function withDrift(stored: RecordedGroup, drift: ReturnedFields): RecordedGroup {
  const sent = { name: stored.name, properties: stored.properties ?? {} };
  const lastSent = only(sent, (field) => drift[field] !== undefined);
  return { ...withFields(stored, drift), ...(Object.keys(lastSent).length > 0 && { lastSent }) };
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
  if (properties === undefined) return name === undefined ? {} : { name };
  const sorted = JSON.stringify(properties, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  const digest = createHash("sha256").update(sorted).digest("base64");
  return { ...(name !== undefined && { name }), properties: digest };
}
