/** The user groups in a state, whichever resource holds them. An output that isn't named here fails every test that reads it. */
import { z } from "zod";
import type { SharedArguments, State } from "../../../provider/core/state/shapes";
import type { ResourceState } from "./resources";

type Stored = State["groups"] extends ReadonlyMap<string, infer Group> ? Group : never;

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
  until: z.iso.datetime(),
  adopted: z.boolean().default(false),
  notImported: any,
});
const formerGroups = z.array(formerGroup).default([]);

/** What the package keeps of a group beside its outputs. A drift is laid over the outputs, so it has what was sent instead. */
const recordFields = {
  sent: any,
  returned: any,
  notImported: any,
  doubt: z.boolean().default(false),
} satisfies Record<Exclude<keyof Stored, keyof typeof valueFields | Output> | "sent", z.ZodType>;

type Output = "userGroupId" | "token" | "providedId" | "adopted" | "former" | "drift";

const internal = z
  .strictObject({
    credentialsDigest: any,
    incomplete: any,
    lookup: any,
    groups: z.record(z.string(), z.strictObject(recordFields)).default({}),
  } satisfies Record<Exclude<keyof State, keyof SharedArguments | "baseUrl">, z.ZodType>)
  .default({ groups: {} });

const shared = {
  adopt: any,
  overlap: any,
  overlapHours: any,
  removed: any,
  deletionLimit: any,
  baseUrl: z.string().optional(),
  internal,
  __provider: any,
  __resource: any,
} satisfies Record<keyof SharedArguments | "baseUrl" | "internal" | "__provider" | "__resource", z.ZodType>;

const outputsOfOne = z.strictObject({
  ...valueFields,
  ...shared,
  userGroupId: any,
  token: z.string(),
  adopted: z.boolean(),
  providedId: z.string().optional(),
  former: formerGroups,
});

const outputsOfMany = z.strictObject({
  ...shared,
  groups: z.record(z.string(), values),
  tokens: z.record(z.string(), z.string()),
  adopted: z.array(z.string()).default([]),
  providedIds: z.record(z.string(), z.string()).default({}),
  former: z.record(z.string(), formerGroups).default({}),
});

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
  const { token, adopted, providedId = id, former, ...others } = outputsOfOne.parse(outputs);
  return {
    ...others,
    groups: { [id]: z.object(valueFields).parse(others) },
    tokens: { [id]: token },
    adopted: adopted ? [id] : [],
    providedIds: { [id]: providedId },
    former: { [id]: former },
  };
}
