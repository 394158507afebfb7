/** A run of the engine in a history. */
import type { StoredGroup } from "../../provider/src/testing";
import { groupsIn, groupsOf } from "../model/groups";
import type { ResourceState } from "../model/resources";
import type { Result } from "./driver";
import type { EngineStep } from "./steps";

/** What there was before a run. */
export interface Before {
  readonly groups: ReadonlyMap<string, StoredGroup>;
  readonly resources: readonly ResourceState[];
}

/** A run of the engine and what came of it. */
export interface Run {
  readonly step: EngineStep;
  readonly before: Before;
  readonly after: readonly ResourceState[];
  readonly result: Result;
}

/** Whether the engine replaces the resource without asking the product. */
export function isTargeted(step: EngineStep, { name, isTainted }: ResourceState): boolean {
  return isTainted || (step.do === "up" && step.replaces === name);
}

/** IDs of the groups that resources hold, lookups included. */
export function idsIn(resources: readonly ResourceState[]): Set<string> {
  const external = resources.filter(({ isExternal }) => isExternal);
  return new Set(
    [...groupsIn(resources), ...external.flatMap(groupsOf)].map(({ userGroupId }) => userGroupId),
  );
}

/** Whether the resource has the group in the service. */
export function holds(resource: ResourceState, userGroupId: string): boolean {
  return (
    resource.status !== "pending replacement" &&
    groupsOf(resource).some((group) => group.userGroupId === userGroupId)
  );
}
