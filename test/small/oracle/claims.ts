/** What a state says of user groups, whichever kind of resource has them. */
import { z } from "zod";
import type { ResourceState } from "../../model/resources";

/** A group in a state. */
export interface Claim {
  readonly resource: ResourceState;
  readonly userGroupId: string;
  /** The ID that the service has for it. */
  readonly providedId: string;
  readonly token: string;
  readonly adopted: boolean;
  /** Whether the state says that the service may have other values. */
  readonly isDoubted: boolean;
  readonly values: Values;
  /** Of a former group (`overlap`): since when, in milliseconds since 1970. */
  readonly formerSince: number | undefined;
}

export interface Values {
  readonly name?: unknown;
  readonly mapping?: unknown;
  readonly properties?: unknown;
}

/** The groups that a state has, former ones (`overlap`) among them. */
export function claimsIn(resource: ResourceState): Claim[] {
  if (resource.status === "pending replacement" || resource.isExternal) return [];
  return resource.provider === "userGroup" ? claimsInOne(resource) : claimsInMany(resource);
}

export function isCurrent({ formerSince }: Claim): boolean {
  return formerSince === undefined;
}

const values = z.object({
  name: z.unknown().optional(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
});
const former = z.array(
  values.extend({
    ...{ providedId: z.string(), token: z.string(), since: z.iso.datetime() },
    adopted: z.boolean().default(false),
  }),
);
const one = values.extend({
  token: z.string(),
  adopted: z.boolean(),
  providedId: z.string().optional(),
  former: former.default([]),
  doubt: z.boolean().default(false),
});
const many = z.object({
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()).default([]),
  providedIds: z.record(z.string(), z.string()).default({}),
  former: z.record(z.string(), former).default({}),
  doubt: z.record(z.string(), z.boolean()).default({}),
});

function claimsInOne(resource: ResourceState): Claim[] {
  const { token, adopted, providedId, former, doubt, ...claimed } = one.parse(resource.outputs);
  const userGroupId = resource.id;
  const current = { resource, userGroupId, providedId: providedId ?? userGroupId, token, adopted };
  return [
    { ...current, isDoubted: doubt, values: withoutUnset(claimed), formerSince: undefined },
    ...formersIn(resource, userGroupId, former),
  ];
}

function claimsInMany(resource: ResourceState): Claim[] {
  const { groups, tokens, adopted, providedIds, former, doubt } = many.parse(resource.outputs);
  const current = Object.entries(tokens).map(([userGroupId, token]): Claim => ({
    ...{ resource, userGroupId, token, providedId: providedIds[userGroupId] ?? userGroupId },
    adopted: adopted.includes(userGroupId),
    isDoubted: doubt[userGroupId] === true,
    values: withoutUnset(groups[userGroupId] ?? {}),
    formerSince: undefined,
  }));
  const formers = Object.entries(former).map(([userGroupId, list]) => formersIn(resource, userGroupId, list));
  return [...current, ...formers.flat()];
}

function formersIn(resource: ResourceState, userGroupId: string, list: z.infer<typeof former>): Claim[] {
  return list.map(({ providedId, token, since, adopted, ...claimed }) => ({
    ...{ resource, userGroupId, providedId, token, adopted, isDoubted: false },
    values: withoutUnset(claimed),
    formerSince: Date.parse(since),
  }));
}

/** Without the fields that aren't those of a group. An empty object and none are the same. */
function withoutUnset({ name, mapping, properties }: Values): Values {
  return { name, mapping: mapping ?? {}, properties: properties ?? {} };
}
