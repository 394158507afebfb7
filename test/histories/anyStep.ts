/** Steps at random, as their schemas allow them. */
import fc from "fast-check";
import { z } from "zod";
import { retryableFaults } from "./serviceFaults";
import { after, anyResource, disturbance, fault, replaces, skip, step, type Step } from "./steps";

/** How likely a step is, so that a run of the engine has something to do. Default: 2. */
const likelihoods: Readonly<Partial<Record<Step["do"], number>>> = {
  up: 12,
  declare: 6,
  "declare among many": 6,
  change: 6,
  move: 4,
  refresh: 3,
  "look up": 1,
  "set connection": 1,
  taint: 1,
  "change properties outside": 1,
};

/** Each kind as often as it is likely. */
export function anySteps(): fc.Arbitrary<Step>[] {
  return step.options.flatMap((kind) => {
    const any = anyOf(kind).map((value) => step.parse(value));
    return Array.from({ length: likelihoods[kind.shape.do.value] ?? 2 }, () => any);
  });
}

function anyOf(schema: unknown): fc.Arbitrary<unknown> {
  const drawn = uneven.get(schema);
  if (drawn) return drawn();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constant(schema.value);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodDefault) return fc.constant(undefined);
  if (!(schema instanceof z.ZodObject)) throw new TypeError("A schema without values at random");
  const fields = Object.entries<unknown>(schema.shape);
  const [name = "", literal] = fields[0] ?? [];
  if (fields.length === 1) return anyOf(literal).map((value) => ({ [name]: value }));
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, anyOf(field)])));
}

/** Schemas whose values aren't equally likely. */
const uneven = new Map<unknown, () => fc.Arbitrary<unknown>>([
  // "more" is not drawn: the model updates one resource after the other, so a group that moves between two UserGroups gets a new token.
  [anyResource, () => fc.constantFrom(...anyResource.options.filter((name) => name !== "more"))],
  [replaces, () => weighted([9, fc.constant("none")], [1, anyOf(anyResource)])],
  [
    disturbance,
    () => weighted(...disturbance.options.map((kind, n) => [n < 2 ? 3 : 2, anyOf(kind)] as const)),
  ],
  [fault, () => fc.constantFrom(...fault.options, ...retryableFaults)],
  [skip, () => fc.constantFrom(0, 0, 0, 1, 2, 3, 4)],
  [after, () => fc.constantFrom(1, 1, 1, 2, 2, 3, 4)],
]);

function weighted(...options: readonly (readonly [number, fc.Arbitrary<unknown>])[]): fc.Arbitrary<unknown> {
  return fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
