/** The user groups in a state, whichever resource holds them. */
import { z } from "zod";
import type { ResourceState } from "./resources";

const values = z.object({
  name: z.string(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
  keepers: z.unknown().optional(),
});

const formerGroups = z.array(z.looseObject({ providedId: z.string(), token: z.string() })).default([]);

const outputsOfOne = values.extend({
  token: z.string(),
  adopted: z.boolean(),
  baseUrl: z.string().optional(),
  providedId: z.string().optional(),
  former: formerGroups,
});

const outputsOfMany = z.object({
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()),
  baseUrl: z.string().optional(),
  providedIds: z.record(z.string(), z.string()).default({}),
  former: z.record(z.string(), formerGroups).default({}),
});

/** The values and the token of a group, in a state or in a service. */
export interface GroupValues extends z.infer<typeof values> {
  readonly userGroupId: string;
  readonly token: string;
}

/** A group as a state has it. */
export interface GroupState extends GroupValues {
  readonly adopted: boolean;
  readonly baseUrl?: string | undefined;
  /** The ID that the service has for it. */
  readonly providedId: string;
  readonly former: z.infer<typeof formerGroups>;
}

/** The groups that the resources manage. */
export function groupsIn(resources: readonly ResourceState[]): GroupState[] {
  return resources
    .filter(({ status, isExternal }) => status !== "pending replacement" && !isExternal)
    .flatMap(groupsOf);
}

/** The groups of one resource, whatever its status. */
export function groupsOf({ provider, id, outputs }: ResourceState): GroupState[] {
  if (provider === "userGroup") {
    const group = outputsOfOne.parse(outputs);
    return [{ ...group, userGroupId: id, providedId: group.providedId ?? id }];
  }
  const { groups, tokens, adopted, baseUrl, providedIds, former } = outputsOfMany.parse(outputs);
  return Object.entries(groups).map(([userGroupId, group]) => ({
    ...group,
    userGroupId,
    token: z.string().parse(tokens[userGroupId]),
    adopted: adopted.includes(userGroupId),
    baseUrl,
    providedId: providedIds[userGroupId] ?? userGroupId,
    former: former[userGroupId] ?? [],
  }));
}
