/** One user group: what the program declares, what a state holds of it, and how responses change that. */
import type { GetOrCreateResult, ReturnedGroup } from "../service/client";
import type { GroupRequest } from "../service/contract";
import { isEqual, type JsonObject } from "../values";

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

/** A group as a state holds it. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface HeldGroup extends Group {
  readonly token: string;
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  /** The fields that the service returned with other values than were sent, when they were sent. */
  readonly shown?: ReturnedFields | undefined;
  /** The fields as last sent, where `name` or `properties` hold a drift. */
  readonly sent?: ReturnedFields | undefined;
}

/** The state of a group that this stack has just created or updated: as sent. */
export function heldAsSent(group: Group, returned: ReturnedGroup, adopted: boolean): HeldGroup {
  const shown = differences(group, returned);
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
  const expected = withFields(original, original.shown);
  const { name, properties } = differences(original, returned);
  return withDrift(
    { ...original, token: returned.token },
    {
      ...(name === undefined || name === expected.name ? {} : { name }),
      ...(properties === undefined || isEqual(properties, expected.properties) ? {} : { properties }),
    },
  );
}

/** What the service returned last, as far as the state knows. */
export function lastReturned({ sent, shown, ...held }: HeldGroup): ReturnedFields {
  return {
    name: sent?.name === undefined ? (shown?.name ?? held.name) : held.name,
    properties: sent?.properties === undefined ? (shown?.properties ?? held.properties) : held.properties,
  };
}

/** The fields that the service returned with another value than in `group`. */
export function differences(group: Group, { name, properties }: ReturnedGroup): ReturnedFields {
  return {
    ...(name === group.name ? {} : { name }),
    ...(properties === undefined || isEqual(properties, group.properties) ? {} : { properties }),
  };
}

/** A copy of `group` with other values of the given fields. */
export function withFields<Fields extends Group>(group: Fields, fields: ReturnedFields = {}): Fields {
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
