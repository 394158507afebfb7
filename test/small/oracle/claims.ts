/** What a state says of user groups, whichever kind of resource has them. */
import { hasGroups, outputsOf } from "../../model/groups";
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
  /** Of a former group (`overlap`): since when, in milliseconds since 1970, and for how many hours. */
  readonly formerSince: number | undefined;
  readonly hours: number | undefined;
}

export interface Values {
  readonly name?: unknown;
  readonly mapping?: unknown;
  readonly properties?: unknown;
}

/** The groups that a state has, former ones (`overlap`) among them. */
export function claimsIn(resource: ResourceState): Claim[] {
  return hasGroups(resource) ? claimsOf(resource) : [];
}

/** Also those of a resource that the engine has deleted and will create again. */
export function claimsOf(resource: ResourceState): Claim[] {
  const { groups, tokens, adopted, providedIds, former, doubt } = outputsOf(resource);
  const current = Object.entries(tokens).map(([userGroupId, token]) => ({
    ...{ resource, userGroupId, token, providedId: providedIds[userGroupId] ?? userGroupId },
    adopted: adopted.includes(userGroupId),
    isDoubted: doubt[userGroupId] === true,
    values: valuesOf(groups[userGroupId] ?? {}),
    ...{ formerSince: undefined, hours: undefined },
  }));
  const formers = Object.entries(former).flatMap(([userGroupId, groups]) =>
    groups.map(({ providedId, token, since, hours, adopted, ...values }) => ({
      ...{ resource, userGroupId, providedId, token, adopted, isDoubted: false },
      values: valuesOf(values),
      ...{ formerSince: Date.parse(since), hours },
    })),
  );
  return [...current, ...formers];
}

export function isCurrent({ formerSince }: Claim): boolean {
  return formerSince === undefined;
}

const hour = 3_600_000;

/** Whether the time of a former group is over. `stated`: the hours that the program states for the customer, if it does. */
export function isOver(
  { formerSince, hours = 24 }: Claim,
  { time, stated = Infinity }: { readonly time: number; readonly stated?: number | undefined },
): boolean {
  return formerSince !== undefined && formerSince + Math.min(hours, stated) * hour <= time;
}

/** An empty object and none are the same. */
function valuesOf({ name, mapping, properties }: Values): Values {
  return { name, mapping: mapping ?? {}, properties: properties ?? {} };
}
