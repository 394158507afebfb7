/** The user groups in a state, whichever resource holds them. An output that isn't named here fails every test that reads it. */
import { z } from "zod";
import type { State } from "../../provider/src/core/state/shapes";
import type { ResourceState } from "./resources";

type Stored = State["groups"] extends ReadonlyMap<string, infer Group> ? Group : never;
type Shared = Exclude<keyof State, "groups">;

const any = z.unknown().optional();
const valueFields = {
  name: z.string(),
  mapping: any,
  properties: any,
  keepers: any,
  dataSourceProvidedId: any,
  overlapHours: any,
};
const values = z.strictObject(valueFields);

const formerGroup = values.partial().extend({
  providedId: z.string(),
  token: z.string(),
  since: z.iso.datetime(),
  hours: z.number().optional(),
  adopted: z.boolean().default(false),
  unknown: any,
});
const formerGroups = z.array(formerGroup).default([]);

const shared = {
  adopt: any,
  connection: any,
  overlap: any,
  overlapHours: any,
  removed: any,
  deletionLimit: any,
  baseUrl: z.string().optional(),
  account: any,
  incomplete: any,
  lookup: any,
  __provider: any,
  __resource: any,
} satisfies Record<Shared | "__provider" | "__resource", z.ZodType>;

const outputsOfOne = z.strictObject({
  ...valueFields,
  ...shared,
  userGroupId: any,
  token: z.string(),
  adopted: z.boolean(),
  providedId: z.string().optional(),
  former: formerGroups,
  doubt: z.boolean().default(false),
  shown: any,
  sent: any,
  unknown: any,
} satisfies Record<keyof Stored | keyof typeof shared, z.ZodType>);

const outputsOfMany = z.strictObject({
  ...shared,
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()).default([]),
  providedIds: z.record(z.string(), z.string()).default({}),
  former: z.record(z.string(), formerGroups).default({}),
  doubt: z.record(z.string(), z.boolean()).default({}),
  shown: any,
  sent: any,
  unknown: any,
} satisfies Record<OfEachGroup | keyof typeof shared | "groups" | "tokens" | "providedIds", z.ZodType>);

/** The outputs with a value for each group that has the same name in both kinds. */
type OfEachGroup = Exclude<keyof Stored, keyof typeof valueFields | "userGroupId" | "token" | "providedId">;

/** A group as a state has it. */
export type GroupState = ReturnType<typeof groupsOf>[number];

/** Whether the resource manages groups. */
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
  const { token, adopted, providedId = id, former, doubt, ...others } = outputsOfOne.parse(outputs);
  return {
    ...others,
    groups: { [id]: z.object(valueFields).parse(others) },
    tokens: { [id]: token },
    adopted: adopted ? [id] : [],
    providedIds: { [id]: providedId },
    former: { [id]: former },
    doubt: { [id]: doubt },
  };
}
