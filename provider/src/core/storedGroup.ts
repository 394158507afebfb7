/** One user group in a program and in a state, and the effect of responses on the state. */
import { createHash } from "node:crypto";
import type { GetOrCreateResult, ReturnedGroup } from "../service/client";
import type { GroupRequest } from "../service/contract";
import { isEqual, isObject, type JsonObject } from "../values";

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

/** Fields that the service returned with other values than were sent. */
export interface ShownFields {
  readonly name?: string | undefined;
  /** A digest, because properties may be large. */
  readonly properties?: string | undefined;
}

/** A group in a state. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface StoredGroup extends Group {
  readonly token: string;
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  /** What the service returned instead of what was sent, at that time. */
  readonly shown?: ShownFields | undefined;
  /** The last sent value of each field that has drifted. */
  readonly sent?: ReturnedFields | undefined;
}

/** The state of a group that this stack has just created or updated, with the values as sent. */
export function storedAsSent(group: Group, returned: ReturnedGroup, adopted: boolean): StoredGroup {
  const { name, properties } = differences(group, returned);
  const shown = {
    ...(name === undefined ? {} : { name }),
    ...(properties === undefined ? {} : { properties: digest(properties) }),
  };
  return { ...group, token: returned.token, adopted, ...(Object.keys(shown).length > 0 && { shown }) };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: Group, returned: ReturnedGroup): StoredGroup {
  const stored = { ...group, token: returned.token, adopted: true };
  return withDrift(stored, differences(group, returned));
}

/** The group as it was last sent, without a drift. */
export function asSent({ sent, ...stored }: StoredGroup): StoredGroup {
  return withFields(stored, sent);
}

/**
 * The state after a read. A field has drifted if the service returns something other than it returned for what was
 * sent. Absent or null `properties` in a response are no drift.
 */
export function storedAsRead(
  stored: StoredGroup,
  { group: returned, isNew }: GetOrCreateResult,
): StoredGroup {
  const original = asSent(stored);
  if (isNew) return storedAsSent(withoutState(original), returned, false);
  const { name, properties } = differences(original, returned);
  const { shown } = stored;
  return withDrift(
    { ...original, token: returned.token },
    {
      ...(name === undefined || name === shown?.name ? {} : { name }),
      ...(properties === undefined || digest(properties) === shown?.properties ? {} : { properties }),
    },
  );
}

/** Whether the service returns a field as it did last, as far as the state knows. */
export function isReturnedAsBefore(
  field: keyof ReturnedFields,
  { sent, shown, ...stored }: StoredGroup,
  returned: ReturnedGroup,
): boolean {
  const isDrift = sent?.[field] !== undefined;
  if (field === "name") return returned.name === (isDrift ? stored.name : (shown?.name ?? stored.name));
  if (isDrift || shown?.properties === undefined) return isEqual(returned.properties, stored.properties);
  return digest(returned.properties) === shown.properties;
}

/** The fields that the service returned with another value than in `group`. */
export function differences(group: Group, { name, properties }: ReturnedGroup): ReturnedFields {
  return {
    ...(name === group.name ? {} : { name }),
    ...(properties === undefined || isEqual(properties, group.properties) ? {} : { properties }),
  };
}

/** A copy of `group` with other values of the given fields. */
function withFields<Fields extends Group>(group: Fields, fields: ReturnedFields = {}): Fields {
  const { name = group.name, properties = group.properties } = fields;
  return { ...group, name, properties };
}

/** A group without the fields that only a state has. */
export function withoutState({ token, adopted, shown, sent, ...group }: StoredGroup): Group {
  return group;
}

/** Adds the values of a drift, and the values that were sent instead. */
function withDrift(stored: StoredGroup, drift: ReturnedFields): StoredGroup {
  const sent = {
    ...(drift.name === undefined ? {} : { name: stored.name }),
    ...(drift.properties === undefined ? {} : { properties: stored.properties ?? {} }),
  };
  return { ...withFields(stored, drift), ...(Object.keys(sent).length > 0 && { sent }) };
}

/** Equal JSON values have the same digest. The order of keys doesn't matter. */
function digest(value: unknown): string {
  const sorted = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return createHash("sha256").update(sorted).digest("base64");
}
