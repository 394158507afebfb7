/** The steps of a history as plain JSON, so that one that failed can be kept and told again. */
import fc from "fast-check";
import { z } from "zod";

const id = z.enum(["a", "b", "c", "d"]);
const resource = z.enum(["one", "two", "three"]);
const values = z.object({
  name: z.enum(["Alpha", "Beta"]),
  mapping: z.enum(["none", "small", "large"]),
  properties: z.enum(["none", "empty", "flat", "deep"]),
});
const fault = z.enum([
  "500",
  "refused",
  "lost before",
  "lost after",
  "cut off",
  "no token",
  "another group's",
]);
const times = z.enum(["once", "twice", "lasting"]);
const forgets = z.enum(["the operation", "the run"]);

const disturbance = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("fault"), fault, skip: z.int().min(0), times }),
  /** It comes after that request, from 1. */
  z.object({ kind: z.literal("kill"), after: z.int().min(1), forgets }),
]);

/** A step of the program, of somebody else, or of the engine. Where it makes no sense just then, nothing happens. */
export const step = z.discriminatedUnion("do", [
  z.object({ do: z.literal("declare"), resource, id, values }),
  z.object({ do: z.literal("declare among many"), id, values }),
  z.object({ do: z.literal("change"), id, values }),
  z.object({ do: z.literal("change ID"), id, to: id }),
  z.object({ do: z.literal("move"), id, to: z.union([resource, z.literal("many")]) }),
  z.object({ do: z.literal("remove"), id }),
  z.object({ do: z.literal("create outside"), id }),
  z.object({ do: z.literal("rename outside"), id }),
  z.object({ do: z.literal("delete outside"), id }),
  z.object({ do: z.literal("rotate token outside"), id }),
  z.object({ do: z.literal("up"), disturbance, continuesOnError: z.boolean() }),
  z.object({ do: z.literal("refresh"), disturbance }),
  z.object({ do: z.literal("destroy"), disturbance, isRefreshing: z.boolean() }),
]);

export type Step = z.infer<typeof step>;
export type Values = z.infer<typeof values>;
export type Disturbance = z.infer<typeof disturbance>;
export type Resource = z.infer<typeof resource> | "many";

const one = <Option extends string>({ options }: { options: Option[] }) => fc.constantFrom(...options);
const anyValues = fc.record({
  name: one(values.shape.name),
  mapping: one(values.shape.mapping),
  properties: one(values.shape.properties),
});
const anyDisturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.constant<Disturbance>({ kind: "none" }),
  fc.record({ kind: fc.constant("fault"), fault: one(fault), skip: fc.nat(4), times: one(times) }),
  fc.record({
    kind: fc.constant("kill"),
    after: fc.constantFrom(1, 1, 1, 2, 2, 3, 4),
    forgets: one(forgets),
  }),
);

const declare = fc.record({
  do: fc.constant("declare"),
  resource: one(resource),
  id: one(id),
  values: anyValues,
}) satisfies fc.Arbitrary<Step>;
const up = fc.record({
  do: fc.constant("up"),
  disturbance: anyDisturbance,
  continuesOnError: fc.boolean(),
}) satisfies fc.Arbitrary<Step>;

const declareAmongMany = fc.record({ do: fc.constant("declare among many"), id: one(id), values: anyValues });
const change = fc.record({ do: fc.constant("change"), id: one(id), values: anyValues });
const move = fc.record({
  do: fc.constant("move"),
  id: one(id),
  to: fc.oneof(one(resource), fc.constant("many")),
});

/** Each as likely as another, so that a run of the engine has something to do. */
export const anyStep: readonly fc.Arbitrary<Step>[] = [
  ...[declare, declare, declare],
  ...[declareAmongMany, declareAmongMany, declareAmongMany],
  ...[change, change, change],
  fc.record({ do: fc.constant("change ID"), id: one(id), to: one(id) }),
  ...[move, move],
  fc.record({ do: fc.constant("remove"), id: one(id) }),
  fc.record({ do: fc.constant("create outside"), id: one(id) }),
  fc.record({ do: fc.constant("rename outside"), id: one(id) }),
  fc.record({ do: fc.constant("delete outside"), id: one(id) }),
  fc.record({ do: fc.constant("rotate token outside"), id: one(id) }),
  ...[up, up, up, up, up, up],
  fc.record({ do: fc.constant("refresh"), disturbance: anyDisturbance }),
  fc.record({ do: fc.constant("destroy"), disturbance: anyDisturbance, isRefreshing: fc.boolean() }),
];
