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

/** The fields that the service returns. */
export interface ReturnedFields {
  readonly name?: string | undefined;
  /** `{}`: the group has none. */
  readonly properties?: JsonObject | undefined;
}

/** Fields that the service stores with other values than were sent, such as a trimmed name. */
export interface StoredFields {
  readonly name?: string | undefined;
  /** A digest, because properties may be large. */
  readonly properties?: string | undefined;
}

/** A group in a state. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface StoredGroup extends Group {
  readonly token: string;
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  /** What the service returned instead of what was sent. In the state: `shown`. */
  readonly storedAs?: StoredFields | undefined;
  /** The last sent value of each field that has drifted. In the state: `sent`. */
  readonly lastSent?: ReturnedFields | undefined;
}

/** The state of a group that this stack has just created or updated, with the values as sent. */
export function storedAsSent(group: Group, returned: ReturnedGroup, adopted: boolean): StoredGroup {
  const { name, properties } = differences(group, returned);
  const storedAs = {
    ...(name === undefined ? {} : { name }),
    ...(properties === undefined ? {} : { properties: digest(properties) }),
  };
  const isOther = Object.keys(storedAs).length > 0;
  return { ...group, token: returned.token, adopted, ...(isOther && { storedAs }) };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: Group, returned: ReturnedGroup): StoredGroup {
  const stored = { ...group, token: returned.token, adopted: true };
  return withDrift(stored, differences(group, returned));
}

/** The state of a group that a lookup found or created: the values that the service returned count as sent. */
export function storedAsFound(
  group: Group,
  { name, properties: returned, token }: ReturnedGroup,
  adopted: boolean,
): StoredGroup {
  const properties = isEqual(returned, group.properties) ? group.properties : returned;
  // A service that returns no name refuses an empty one.
  const lastSent = name === "" ? { name: group.name } : undefined;
  return { ...group, name, properties, token, adopted, ...(lastSent && { lastSent }) };
}

/** The group as it was last sent, without a drift. */
export function asSent({ lastSent, ...stored }: StoredGroup): StoredGroup {
  return withFields(stored, lastSent);
}

/** The state of a group that is kept. The program has taken over a drift, so that its values count as sent. */
export function withoutDrift(stored: StoredGroup, group: Group): StoredGroup {
  const { token, adopted, lastSent = {}, storedAs = {} } = stored;
  const others = Object.entries(storedAs).filter(([field]) => !(field in lastSent));
  return { ...group, token, adopted, storedAs: others.length > 0 ? Object.fromEntries(others) : undefined };
}

/**
 * The state after a read. A field has drifted if the service returns something other than it returned for what was
 * sent. Somebody else created a group that has another token, so it counts as adopted.
 */
export function storedAsRead(
  stored: StoredGroup,
  { group: returned, isNew }: GetOrCreateResult,
): StoredGroup {
  const original = asSent(stored);
  if (isNew) return storedAsSent(withoutState(original), returned, false);
  const { name, properties } = differences(original, returned);
  const { storedAs } = stored;
  const adopted = stored.adopted || returned.token !== stored.token;
  return withDrift(
    { ...original, token: returned.token, adopted },
    {
      ...(name === undefined || name === storedAs?.name ? {} : { name }),
      ...(properties === undefined || digest(properties) === storedAs?.properties ? {} : { properties }),
    },
  );
}

/** Whether the service returns a field as it did last, as far as the state knows. */
export function isReturnedAsBefore(
  field: keyof ReturnedFields,
  { lastSent, storedAs, ...stored }: StoredGroup,
  returned: ReturnedGroup,
): boolean {
  const isDrift = lastSent?.[field] !== undefined;
  if (field === "name") return returned.name === (isDrift ? stored.name : (storedAs?.name ?? stored.name));
  if (isDrift || storedAs?.properties === undefined) return isEqual(returned.properties, stored.properties);
  return digest(returned.properties) === storedAs.properties;
}

/** The fields that the service returned with another value than in `group`. */
export function differences(group: Group, { name, properties }: ReturnedGroup): ReturnedFields {
  return {
    ...(name === group.name ? {} : { name }),
    ...(isEqual(properties, group.properties) ? {} : { properties }),
  };
}

/** A copy of `group` with other values of the given fields. */
function withFields<Fields extends Group>(group: Fields, fields: ReturnedFields = {}): Fields {
  const { name = group.name, properties = group.properties } = fields;
  return { ...group, name, properties };
}

/** A group without the fields that only a state has. */
export function withoutState({ token, adopted, storedAs, lastSent, ...group }: StoredGroup): Group {
  return group;
}

/** Adds the values of a drift, and the values that were sent instead. */
function withDrift(stored: StoredGroup, drift: ReturnedFields): StoredGroup {
  const lastSent = {
    ...(drift.name === undefined ? {} : { name: stored.name }),
    ...(drift.properties === undefined ? {} : { properties: stored.properties ?? {} }),
  };
  return { ...withFields(stored, drift), ...(Object.keys(lastSent).length > 0 && { lastSent }) };
}

/** Equal JSON values have the same digest. The order of keys doesn't matter. */
function digest(value: unknown): string {
  const sorted = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return createHash("sha256").update(sorted).digest("base64");
}
