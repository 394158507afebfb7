/**
 * One user group: its values in a program, its form in a state, and the effect of responses on that. Values are always as sent. If the
 * service returned something else, the state has that as well; `drift` has what the service returns by now instead.
 */
import { createHash } from "node:crypto";
import { returnedFields, type GroupRef, type GetOrCreateResult } from "../../service/client";
import type { ReturnedField, ReturnedGroup } from "../../service/client";
import type { GroupRequest } from "../../service/contract";
import { isEqual, isObject, type JsonObject } from "../../values";

/** The values of a group, as a program declares them. `userGroupId` identifies the customer. */
export interface Group extends GroupRequest {
  readonly dataSourceProvidedId?: string | undefined;
  readonly keepers?: JsonObject | undefined;
  /** Of a group in a `UserGroups`, instead of the resource's. */
  readonly overlapHours?: number | undefined;
}

/** A change replaces the group, or updates it with `changes: update`. */
export const replacingFields = ["name", "mapping", "properties"] as const satisfies (keyof Group)[];

/** A change always replaces the group. */
export const keeperFields = ["keepers"] as const satisfies (keyof Group)[];

/** A change changes the state only. */
export const stateFields = ["dataSourceProvidedId", "overlapHours"] as const satisfies (keyof Group)[];

/** The fields that an import can't know. */
export const unknowableFields = ["mapping", "keepers"] as const satisfies (keyof Group)[];

const fieldsWithEffect = [...replacingFields, ...keeperFields, ...stateFields];

/** The fields of a group, all of them. A value that isn't the program's current input may be secret (adapters/results.ts). */
export const groupFields: readonly string[] = fieldsWithEffect;

/** A group in a state. */
export interface StoredGroup extends Group, GroupRef {
  /** Whether the service had the group already when it was requested. */
  readonly adopted: boolean;
  readonly former?: readonly FormerGroup[] | undefined;
  /** What the service returned for what was sent, such as a trimmed name. `properties`: a digest, because they may be large. */
  readonly returned?: Readonly<Partial<Record<ReturnedField, string | undefined>>> | undefined;
  /** What the service returns by now instead of what it returned for what was sent. */
  readonly drift?: { readonly [Field in ReturnedField]?: ReturnedGroup[Field] | undefined } | undefined;
  /** The fields that an import didn't know. The next `up` takes over the program's values of them. */
  readonly notImported?: readonly (typeof unknowableFields)[number][] | undefined;
  /** A request may have been applied, but its response was lost. The next `up` ends the doubt by a request. */
  readonly doubt?: boolean | undefined;
}

/** A group that `overlap` keeps for a customer who has another one. */
export interface FormerGroup extends StoredGroup {
  /** It stays until this time: ISO 8601, in UTC. */
  readonly until: string;
}

export function isFormerGroup(group: StoredGroup): group is FormerGroup {
  return "until" in group;
}

export function isSameGroup(one: GroupRef, other: GroupRef): boolean {
  return one.token === other.token && one.providedId === other.providedId;
}

export function changedFields<Field extends string>(
  fields: readonly Field[],
  before: object,
  wanted: object,
) {
  return fields.filter((field) => !isEqual(Reflect.get(before, field), Reflect.get(wanted, field)));
}

/** The values of a group in a state, or of a flat object with other arguments, as a program declares them. */
export function valuesOf(group: Group) {
  const { userGroupId, name, mapping, properties, dataSourceProvidedId, keepers, overlapHours } = group;
  // A field that is in no list above has no effect, and doesn't compile here.
  const values = {
    userGroupId,
    name,
    mapping,
    properties,
    dataSourceProvidedId,
    keepers,
    overlapHours,
  } satisfies Record<"userGroupId" | (typeof fieldsWithEffect)[number], unknown>;
  return values satisfies Record<keyof Group, unknown>;
}

/** The group with its drift laid over the values that were sent, as outputs show it. */
export function asShown<Stored extends StoredGroup>(stored: Stored): Stored {
  const { drift, name, properties } = stored;
  if (!drift) return stored;
  const shown = { name: drift.name ?? name, properties: drift.properties ?? properties };
  return { ...stored, ...(shown satisfies Record<ReturnedField, unknown>) };
}

/** The request for a group by the ID that the service has for it. */
export function requestFor({
  providedId,
  name,
  mapping,
  properties,
}: Group & { readonly providedId: string }) {
  const request = { userGroupId: providedId, name, mapping, properties };
  return request satisfies Record<keyof GroupRequest, unknown>;
}

/** The state of a group that this stack has just created or updated. */
export function storedAsSent(
  group: Group,
  providedId: string,
  returned: ReturnedGroup,
  adopted: boolean,
): StoredGroup {
  const others = differences(group, returned);
  const seen = others.length > 0 ? digested(returned, others) : undefined;
  return { ...group, providedId, token: returned.token, adopted, returned: seen };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: Group, providedId: string, returned: ReturnedGroup): StoredGroup {
  const drift = driftIn(returned, differences(group, returned));
  return { ...group, providedId, token: returned.token, adopted: true, drift };
}

/** The state of a group that an import found: the values that the service returned count as sent. */
export function storedAsFound(group: Group, found: ReturnedGroup): StoredGroup {
  const { properties } = isEqual(found.properties, group.properties) ? group : found;
  const stored = { ...group, ...found, providedId: group.userGroupId, properties, adopted: true };
  // A service that returns no name refuses an empty one.
  return found.name === "" ? { ...stored, name: group.name, drift: { name: "" } } : stored;
}

/** The state of a group that no request changes: the program's values count as sent, also those that the service returned by itself. */
export function storedAsTakenOver(stored: StoredGroup, group: Group): StoredGroup {
  const { token, providedId, adopted, former, returned, drift = {} } = stored;
  const expected = Object.entries(returned ?? {}).filter(
    ([field]) => Reflect.get(drift, field) === undefined,
  );
  const kept = expected.length > 0 ? Object.fromEntries(expected) : undefined;
  return { ...group, token, providedId, adopted, former, returned: kept };
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
  const { token } = returned;
  if (isNew) {
    const created = storedAsSent(valuesOf(stored), stored.providedId, returned, false);
    return { ...created, former: stored.former };
  }
  const adopted = stored.adopted || token !== stored.token;
  const read = { ...stored, token, adopted, drift: undefined, doubt: undefined };
  const others = differences(stored, returned);
  if (others.length === 0) return read;
  const seen = digested(returned, others);
  const drifted = others.filter((field) => seen[field] !== stored.returned?.[field]);
  return { ...read, drift: driftIn(returned, drifted) };
}

/** The fields in which a response differs from what was sent. A response always shows them. */
export function differences(group: Group, returned: ReturnedGroup): ReturnedField[] {
  return returnedFields.filter((field) => !isEqual(returned[field], group[field]));
}

function driftIn(returned: ReturnedGroup, fields: readonly ReturnedField[]): StoredGroup["drift"] {
  if (fields.length === 0) return undefined;
  return {
    name: fields.includes("name") ? returned.name : undefined,
    properties: fields.includes("properties") ? returned.properties : undefined,
  } satisfies Record<ReturnedField, unknown>;
}

/** The returned values of these fields. Equal properties have the same digest, also if their keys have another order. */
function digested(
  { name, properties }: ReturnedGroup,
  fields: readonly ReturnedField[],
): NonNullable<StoredGroup["returned"]> {
  const returnedName = fields.includes("name") ? { name } : {};
  if (!fields.includes("properties")) return returnedName;
  const digest = createHash("sha256").update(canonicalJson(properties)).digest("base64");
  return { ...returnedName, properties: digest };
}

/** JSON as in RFC 8785: no white space, keys in the order of their UTF-16 code units. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(",")}}`;
}
