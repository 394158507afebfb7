/** Steps at random. */
import fc from "fast-check";
import { retryableFaults } from "./serviceFaults";
import { ids, options, step, type Disturbance, type Step } from "./steps";

const id = fc.constantFrom(...ids);
const resource = fc.constantFrom(...options.resource);
// "more" is not drawn: the model updates one resource after the other, so a group that moves between two UserGroups gets a new token.
const anyResource = fc.constantFrom(...options.anyResource.filter((name) => name !== "more"));
const values = fc.record({
  name: fc.constantFrom(...options.name),
  mapping: fc.constantFrom(...options.mapping),
  properties: fc.constantFrom(...options.properties),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: "none" } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fault"),
      fault: fc.constantFrom(...options.fault, ...retryableFaults),
      skip: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
      times: fc.constantFrom(...options.times),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("kill"),
      after: fc.constantFrom(1, 1, 1, 2, 2, 3, 4),
      loses: fc.constantFrom(...options.loses),
    }),
  },
);

type Fields<Do extends Step["do"]> = fc.Arbitrary<Omit<Extract<Step, { do: Do }>, "do">>;

const none = fc.constant({});

/** How likely each step is, so that a run of the engine has something to do, and its fields. */
const kinds: { readonly [Do in Step["do"]]: readonly [likelihood: number, fields: Fields<Do>] } = {
  declare: [6, fc.record({ resource, id, values })],
  "declare among many": [6, fc.record({ resource: fc.constant("many" as const), id, values })],
  "declare somebody else's": [2, fc.record({ resource: anyResource, id, values })],
  change: [6, fc.record({ id, values })],
  "change keepers": [2, fc.record({ id, keepers: fc.constantFrom("none", "first", "second") })],
  "change ID": [2, fc.record({ id, to: id })],
  "swap IDs": [2, fc.record({ id, to: id })],
  move: [4, fc.record({ id, to: anyResource })],
  remove: [2, fc.record({ id })],
  "look up": [1, fc.record({ id: fc.constantFrom(...ids, "none" as const) })],
  "set adopt": [2, fc.record({ resource: anyResource, adopt: fc.boolean() })],
  "set retainOnDelete": [2, fc.record({ resource: anyResource, retains: fc.boolean() })],
  "set connection": [1, fc.record({ resource: anyResource, isNamed: fc.boolean() })],
  taint: [1, fc.record({ resource: anyResource })],
  "create outside": [2, fc.record({ id })],
  "rename outside": [2, fc.record({ id })],
  "change properties outside": [1, fc.record({ id })],
  "delete outside": [2, fc.record({ id })],
  "rotate token outside": [2, fc.record({ id })],
  up: [
    12,
    fc.record({
      disturbance,
      continuesOnError: fc.boolean(),
      isParallel: fc.boolean(),
      replaces: fc.oneof({ weight: 9, arbitrary: fc.constant("none" as const) }, anyResource),
    }),
  ],
  refresh: [3, fc.record({ disturbance })],
  destroy: [2, fc.record({ disturbance, isRefreshing: fc.boolean() })],
  "remember program": [2, none],
  "restore program": [2, none],
};

/** Each kind as often as it is likely. */
export function anySteps(): fc.Arbitrary<Step>[] {
  return Object.entries(kinds).flatMap(([kind, [likelihood, fields]]) => {
    const any = (fields as fc.Arbitrary<object>).map((rest) => step.parse({ do: kind, ...rest }));
    return Array.from({ length: likelihood }, () => any);
  });
}
