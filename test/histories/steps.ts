/** The steps of a history as plain JSON, so that one that failed can be stored and run again. */
import { z } from "zod";

const id = z.enum(["a", "b", "c", "d"]);
/** Names of UserGroup resources, and of UserGroups. */
const resource = z.enum(["one", "two", "three"]);
export const many = z.enum(["many", "more"]);
export const anyResource = z.enum([...resource.options, ...many.options]);
const values = z.object({
  /** A service may trim it. */
  name: z.enum(["Alpha", " Beta "]),
  mapping: z.enum(["none", "null", "empty", "small", "large"]),
  properties: z.enum(["none", "null", "empty", "flat", "deep"]),
});

export const fault = z.enum([
  "500",
  "refused",
  "lost before",
  "lost after",
  "cut off",
  "no token",
  "another group's",
  "empty name",
  "long name",
  "lone surrogate",
  "empty properties",
  "unusual properties",
  "unknown field",
  "no team",
]);
const times = z.enum(["once", "twice", "lasting"]);
export const skip = z.int().min(0);
/** The kill comes after that request, from 1. */
export const after = z.int().min(1);
const loses = z.enum(["the operation", "the run"]);

export const disturbance = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("fault"), fault, skip, times }),
  z.object({ kind: z.literal("kill"), after, loses }),
]);

/** `--replace` */
export const replaces = z.enum([...anyResource.options, "none"]);
const up = z.object({
  do: z.literal("up"),
  disturbance,
  continuesOnError: z.boolean(),
  isParallel: z.boolean(),
  replaces,
});
const refresh = z.object({ do: z.literal("refresh"), disturbance });
const destroy = z.object({ do: z.literal("destroy"), disturbance, isRefreshing: z.boolean() });

/** A step of the program, of somebody else, or of the engine. If it makes no sense at that moment, nothing happens. */
export const step = z.discriminatedUnion("do", [
  z.object({ do: z.literal("declare"), resource, id, values }),
  z.object({ do: z.literal("declare among many"), resource: many.default("many"), id, values }),
  /** A group that somebody else creates just before, and without adoption. */
  z.object({ do: z.literal("declare somebody else's"), resource: anyResource, id, values }),
  z.object({ do: z.literal("change"), id, values }),
  z.object({ do: z.literal("change keepers"), id, keepers: z.enum(["none", "first", "second"]) }),
  z.object({ do: z.literal("change ID"), id, to: id }),
  z.object({ do: z.literal("swap IDs"), id, to: id }),
  z.object({ do: z.literal("move"), id, to: anyResource }),
  z.object({ do: z.literal("remove"), id }),
  /** `UserGroup.get` of one group, or of none. */
  z.object({ do: z.literal("look up"), id: z.enum([...id.options, "none"]) }),
  z.object({ do: z.literal("set adopt"), resource: anyResource, adopt: z.boolean() }),
  z.object({ do: z.literal("set retainOnDelete"), resource: anyResource, retains: z.boolean() }),
  /** To a connection with the same service by its other name, or to none. */
  z.object({ do: z.literal("set connection"), resource: anyResource, isNamed: z.boolean() }),
  z.object({ do: z.literal("taint"), resource: anyResource }),
  z.object({ do: z.literal("create outside"), id }),
  z.object({ do: z.literal("rename outside"), id }),
  z.object({ do: z.literal("change properties outside"), id }),
  z.object({ do: z.literal("delete outside"), id }),
  z.object({ do: z.literal("rotate token outside"), id }),
  up,
  refresh,
  destroy,
  /** The program as it was at a former step is restored. */
  z.object({ do: z.literal("remember program") }),
  z.object({ do: z.literal("restore program") }),
]);

export type Step = z.infer<typeof step>;
export type EngineStep = z.infer<typeof up> | z.infer<typeof refresh> | z.infer<typeof destroy>;
export type Values = z.infer<typeof values>;
export type Disturbance = z.infer<typeof disturbance>;
export type Fault = z.infer<typeof fault>;
/** Whether the resource is a UserGroups. */
export function isMany(name: string): boolean {
  return many.safeParse(name).success;
}

export type Resource = z.infer<typeof anyResource>;
