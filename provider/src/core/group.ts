/** One user group: what the program declares, what a state holds of it, and how responses change that. */
import { createHash } from "node:crypto";
import type { GetOrCreateResult, ReturnedGroup } from "../service/client";
import type { GroupRequest } from "../service/contract";
import { isEqual, isObject, type JsonObject } from "../values";

/** A group as a program declares it. */
export interface Group extends GroupRequest {
  readonly dataSourceProvidedId?: string | undefined;
  readonly keepers?: JsonObject | undefined;
}

/** `name` and `properties`, of which the service returns both. */
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

/** A group as a state holds it. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface HeldGroup extends Group {
  readonly token: string;
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  /** What the service returned instead of what was sent, at that time. */
  readonly shown?: ShownFields | undefined;
  /** The fields as last sent, where `name` or `properties` hold a drift. */
  readonly sent?: ReturnedFields | undefined;
}

/** The state of a group that this stack has just created or updated: as sent. */
export function heldAsSent(group: Group, returned: ReturnedGroup, adopted: boolean): HeldGroup {
  const { name, properties } = differences(group, returned);
  const shown = {
    ...(name === undefined ? {} : { name }),
    ...(properties === undefined ? {} : { properties: digest(properties) }),
  };
  return { ...group, token: returned.token, adopted, ...(Object.keys(shown).length > 0 && { shown }) };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function heldAsAdopted(group: Group, returned: ReturnedGroup): HeldGroup {
  const held = { ...group, token: returned.token, adopted: true };
  return withDrift(held, differences(group, returned));
}

/** The group as it was last sent, without a drift. */
export function asSent({ sent, ...held }: HeldGroup): HeldGroup {
  return withFields(held, sent);
}

/**
 * The state after a read. A field has drifted if the service returns something other than it returned for what was
 * sent. Absent or null `properties` in a response are no drift.
 */
export function heldAsRead(held: HeldGroup, { group: returned, isNew }: GetOrCreateResult): HeldGroup {
  const original = asSent(held);
  if (isNew) return heldAsSent(withoutState(original), returned, false);
  const { name, properties } = differences(original, returned);
  const { shown } = held;
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
  { sent, shown, ...held }: HeldGroup,
  returned: ReturnedGroup,
): boolean {
  const isDrift = sent?.[field] !== undefined;
  if (field === "name") return returned.name === (isDrift ? held.name : (shown?.name ?? held.name));
  if (isDrift || shown?.properties === undefined) return isEqual(returned.properties, held.properties);
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

/** A group without what only a state holds. */
export function withoutState({ token, adopted, shown, sent, ...group }: HeldGroup): Group {
  return group;
}

/** Holds the values of a drift, and what was sent instead. */
function withDrift(held: HeldGroup, drift: ReturnedFields): HeldGroup {
  const sent = {
    ...(drift.name === undefined ? {} : { name: held.name }),
    ...(drift.properties === undefined ? {} : { properties: held.properties ?? {} }),
  };
  return { ...withFields(held, drift), ...(Object.keys(sent).length > 0 && { sent }) };
}

/** The same for equal JSON values, whatever the order of their keys. */
function digest(value: unknown): string {
  const sorted = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return createHash("sha256").update(sorted).digest("base64");
}
