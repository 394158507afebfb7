/**
 * One user group: its values in a program, its ID in the service, its form in a state, and the effect of responses on that. The state stores
 * the values as sent. If the service returned something else, it stores that as well, and drift means that the service now returns
 * something new.
 */
import { createHash } from "node:crypto";
import { returnedFields, type CreatedGroup, type GetOrCreateResult } from "../../service/client";
import type { ReturnedField, ReturnedGroup } from "../../service/client";
import type { GroupRequest } from "../../service/contract";
import type { Settings } from "../../settings/readSettings";
import { isEqual, isObject, nonEmpty, type JsonObject } from "../../values";

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

/** The fields of a group, all of them. A value that isn't the program's current input may be secret (adapter/results.ts). */
export const groupFields: readonly string[] = fieldsWithEffect;

/** A group in a state. `name` and `properties` are as sent, or, after a drift, as the service returned them. */
export interface StoredGroup extends Group, CreatedGroup {
  /** Whether the group existed before this stack created it. */
  readonly adopted: boolean;
  readonly former?: readonly FormerGroup[] | undefined;
  /** What the service returned instead of what was sent, such as a trimmed name. `properties`: a digest, because they may be large. */
  readonly shown?: Readonly<Partial<Record<ReturnedField, string | undefined>>> | undefined;
  /** The last sent value of each field that has drifted. */
  readonly sent?: { readonly [Field in ReturnedField]?: ReturnedGroup[Field] | undefined } | undefined;
  /** The fields that an import didn't know. The first value of the program is a claim about them, and no change. */
  readonly unknown?: readonly (typeof unknowableFields)[number][] | undefined;
  /** A request may have been applied, but its response was lost. The next `up` ends the doubt by a request. */
  readonly doubt?: boolean | undefined;
}

/** A group that `overlap` keeps for a customer who has another one. */
export interface FormerGroup extends StoredGroup {
  /** The time of the change that replaced it: ISO 8601, in UTC. */
  readonly since: string;
  /** The hours of that change: for so long it stays. */
  readonly hours: number;
}

/** userGroupId → group. */
export type StoredGroups = ReadonlyMap<string, StoredGroup>;

export function isFormerGroup(group: StoredGroup): group is FormerGroup {
  return "since" in group;
}

export function isSameGroup(one: CreatedGroup, other: CreatedGroup): boolean {
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

/**
 * The ID in the service that `overlap` gives a group: `acme~1a2b3c4d`, the customer's ID and a digest of the values whose change makes a
 * new group. So the program says which group it is: a run that was killed, a lost state or a move finds it again. `besides`: the current
 * token, if the ID without it is that of the current group. IDs of existing groups depend on each detail.
 */
export function derivedId(
  group: Group,
  changes: Settings["changes"],
  besides: readonly string[] = [],
): string {
  const { name, mapping, properties, keepers } = {
    name: group.name,
    mapping: nonEmpty(group.mapping) ?? null,
    properties: nonEmpty(group.properties) ?? null,
    keepers: nonEmpty(group.keepers) ?? null,
  } satisfies Record<(typeof replacingFields | typeof keeperFields)[number], unknown>;
  const values = changes === "update" ? [keepers] : [name, mapping, properties, keepers];
  const digest = createHash("sha256")
    .update(canonicalJson([...values, ...besides]))
    .digest("hex");
  return `${group.userGroupId}~${digest.slice(0, 8)}`;
}

/** JSON as in RFC 8785: no white space, keys in the order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(",")}}`;
}

/** The request for a group by the ID that the service has for it, with the values as they were last sent, without a drift. */
export function requestFor(group: Group & Pick<StoredGroup, "providedId" | "sent">): GroupRequest {
  const { providedId, mapping, sent } = group;
  return {
    userGroupId: providedId,
    name: sent?.name ?? group.name,
    mapping,
    properties: sent?.properties ?? group.properties,
  } satisfies Record<keyof GroupRequest, unknown>;
}

/** The state of a group that this stack has just created or updated, with the values as sent. */
export function storedAsSent(
  group: Group,
  providedId: string,
  returned: ReturnedGroup,
  adopted: boolean,
): StoredGroup {
  const others = differences(group, returned);
  const shown = others.length > 0 ? digested(returned, others) : undefined;
  return { ...group, providedId, token: returned.token, adopted, shown };
}

/** The state of an adopted group. Values other than the program's are a drift, which the next preview shows. */
export function storedAsAdopted(group: Group, providedId: string, returned: ReturnedGroup): StoredGroup {
  const stored = { ...group, providedId, token: returned.token, adopted: true };
  return withDrift(stored, returned, differences(group, returned));
}

/** The state of a group that an import found: the values that the service returned count as sent. */
export function storedAsFound(group: Group, found: ReturnedGroup): StoredGroup {
  const { properties } = isEqual(found.properties, group.properties) ? group : found;
  // A service that returns no name refuses an empty one.
  const sent = found.name === "" ? { name: group.name } : undefined;
  return { ...group, ...found, providedId: group.userGroupId, properties, adopted: true, sent };
}

/** The group as it was last sent, without a drift. */
export function asSent({ sent, ...stored }: StoredGroup): StoredGroup {
  const { name = stored.name, properties = stored.properties } = sent ?? {};
  const values = { name, properties } satisfies Record<ReturnedField, unknown>;
  return { ...stored, ...values };
}

/** The state of a group that is kept. The program has taken over a drift, so that its values count as sent. */
export function withoutDrift(stored: StoredGroup, group: Group): StoredGroup {
  const { token, providedId, adopted, former, sent = {}, shown = {} } = stored;
  const others = Object.entries(shown).filter(([field]) => Reflect.get(sent, field) === undefined);
  // Keepers that the program doesn't have are known to be none from now on.
  const unknown = stored.unknown?.filter((field) => field === "mapping" && group.mapping === undefined);
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
    const created = storedAsSent(valuesOf(original), stored.providedId, returned, false);
    return { ...created, former: stored.former };
  }
  const others = differences(original, returned);
  const seen = others.length > 0 ? digested(returned, others) : {};
  const drifted = others.filter((field) => seen[field] !== stored.shown?.[field]);
  const adopted = stored.adopted || returned.token !== stored.token;
  const read = { ...original, token: returned.token, adopted };
  return drifted.length > 0 ? withDrift(read, returned, drifted) : read;
}

/** The fields in which a response differs from what was sent. A response always shows them. */
export function differences(group: Group, returned: ReturnedGroup): ReturnedField[] {
  return returnedFields.filter((field) => !isEqual(returned[field], group[field]));
}

/** Adds the values of a drift in these fields, and the values that were sent instead. */
function withDrift(
  stored: StoredGroup,
  returned: ReturnedGroup,
  drifted: readonly ReturnedField[],
): StoredGroup {
  if (drifted.length === 0) return stored;
  const hasOtherName = drifted.includes("name");
  const hasOtherProperties = drifted.includes("properties");
  const { name, properties } = stored;
  return {
    ...stored,
    name: hasOtherName ? returned.name : name,
    properties: hasOtherProperties ? returned.properties : properties,
    sent: {
      name: hasOtherName ? name : undefined,
      properties: hasOtherProperties ? (properties ?? {}) : undefined,
    } satisfies Record<ReturnedField, unknown>,
  };
}

/** The returned values of these fields. Equal properties have the same digest, also if their keys have another order. */
function digested(
  { name, properties }: ReturnedGroup,
  fields: readonly ReturnedField[],
): NonNullable<StoredGroup["shown"]> {
  const shownName = fields.includes("name") ? { name } : {};
  if (!fields.includes("properties")) return shownName;
  const digest = createHash("sha256").update(canonicalJson(properties)).digest("base64");
  return { ...shownName, properties: digest };
}
