/** What a state says of user groups, whichever kind of resource has them. */
import { hasGroups, outputsOf } from "../../support/model/groups";
import type { ResourceState } from "../../support/model/resources";

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
  /** Of a former group (`overlap`): until when it stays, in milliseconds since 1970. */
  readonly until: number | undefined;
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
  const { groups, tokens, adopted, providedIds, former, internal } = outputsOf(resource);
  const current = Object.entries(tokens).map(([userGroupId, token]) => ({
    ...{ resource, userGroupId, token, providedId: providedIds[userGroupId] ?? userGroupId },
    adopted: adopted.includes(userGroupId),
    isDoubted: internal.groups[userGroupId]?.doubt === true,
    values: valuesOf(groups[userGroupId] ?? {}),
    until: undefined,
  }));
  const formers = Object.entries(former).flatMap(([userGroupId, groups]) =>
    groups.map(({ providedId, token, until, adopted, ...values }) => ({
      ...{ resource, userGroupId, providedId, token, adopted, isDoubted: false },
      values: valuesOf(values),
      until: Date.parse(until),
    })),
  );
  return [...current, ...formers];
}

export function isCurrent({ until }: Claim): boolean {
  return until === undefined;
}

/** Whether the time of a former group is over. `isEnded`: the program ends it. */
export function isOver(
  { until }: Claim,
  { time, isEnded = false }: { readonly time: number; readonly isEnded?: boolean },
): boolean {
  return until !== undefined && (isEnded || until <= time);
}

/** An empty object and none are the same. */
function valuesOf({ name, mapping, properties }: Values): Values {
  return { name, mapping: mapping ?? {}, properties: properties ?? {} };
}
