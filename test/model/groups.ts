/** The user groups in a state, whichever resource holds them. */
import { z } from "zod";
import type { ResourceState } from "./resources";

const values = z.object({
  name: z.string(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
  keepers: z.unknown().optional(),
});

const formerGroups = z
  .array(
    values.partial().extend({
      ...{ providedId: z.string(), token: z.string(), since: z.iso.datetime(), hours: z.number().optional() },
      adopted: z.boolean().default(false),
    }),
  )
  .default([]);

const outputsOfOne = values.extend({
  token: z.string(),
  adopted: z.boolean(),
  baseUrl: z.string().optional(),
  providedId: z.string().optional(),
  former: formerGroups,
  doubt: z.boolean().default(false),
});

const outputsOfMany = z.object({
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()).default([]),
  baseUrl: z.string().optional(),
  providedIds: z.record(z.string(), z.string()).default({}),
  former: z.record(z.string(), formerGroups).default({}),
  doubt: z.record(z.string(), z.boolean()).default({}),
});

/** The values and the token of a group, in a state or in a service. */
export interface GroupValues extends z.infer<typeof values> {
  readonly userGroupId: string;
  readonly token: string;
}

/** A group as a state has it. */
export type GroupState = ReturnType<typeof groupsOf>[number];

/** The groups that the resources manage. */
export function groupsIn(resources: readonly ResourceState[]): GroupState[] {
  return resources.filter(hasGroups).flatMap(groupsOf);
}

export function hasGroups({ status, isExternal }: ResourceState): boolean {
  return status !== "pending replacement" && !isExternal;
}

/** The groups of one resource, whatever its status. */
export function groupsOf(resource: ResourceState) {
  const { groups, tokens, adopted, baseUrl, providedIds, former } = outputsOf(resource);
  return Object.entries(groups).map(([userGroupId, group]) => ({
    ...group,
    userGroupId,
    token: z.string().parse(tokens[userGroupId]),
    adopted: adopted.includes(userGroupId),
    baseUrl,
    /** The ID that the service has for it. */
    providedId: providedIds[userGroupId] ?? userGroupId,
    former: former[userGroupId] ?? [],
  }));
}

/** The outputs of a resource, those of a `UserGroup` in the form of a `UserGroups`. */
export function outputsOf({ provider, id, outputs }: ResourceState): z.infer<typeof outputsOfMany> {
  if (provider === "userGroups") return outputsOfMany.parse(outputs);
  const { token, adopted, baseUrl, providedId = id, former, doubt, ...group } = outputsOfOne.parse(outputs);
  return {
    ...{ groups: { [id]: group }, tokens: { [id]: token }, adopted: adopted ? [id] : [], baseUrl },
    ...{ providedIds: { [id]: providedId }, former: { [id]: former }, doubt: { [id]: doubt } },
  };
}
