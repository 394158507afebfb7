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

const none: Disturbance = { kind: "none" };
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(none) },
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
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("defect"),
      id,
      in: fc.constantFrom("sending", "tracking"),
    }),
  },
);

/** How likely each step is, so that a run of the engine has something to do. */
const likelihoods = {
  declare: 6,
  "declare among many": 6,
  "declare somebody else's": 2,
  change: 6,
  "change keepers": 2,
  "change ID": 2,
  "swap IDs": 2,
  move: 4,
  remove: 2,
  "declare twice": 1,
  "declare once": 2,
  "look up": 1,
  "set adopt": 2,
  "set retainOnDelete": 2,
  "set connection": 1,
  "move service": 1,
  taint: 1,
  "create outside": 2,
  "rename outside": 2,
  "change properties outside": 1,
  "drift and back": 2,
  "delete outside": 2,
  "rotate token outside": 2,
  up: 12,
  refresh: 3,
  destroy: 2,
  "up elsewhere": 1,
  "refresh elsewhere": 1,
  "destroy elsewhere": 1,
  "remember program": 2,
  "restore program": 2,
} satisfies Record<Step["do"], number>;

const arbitraries: { readonly [Do in Step["do"]]: fc.Arbitrary<Omit<Extract<Step, { do: Do }>, "do">> } = {
  declare: fc.record({ resource, id, values }),
  "declare among many": fc.record({ resource: fc.constant("many" as const), id, values }),
  "declare somebody else's": fc.record({ resource: anyResource, id, values }),
  change: fc.record({ id, values }),
  "change keepers": fc.record({ id, keepers: fc.constantFrom("none", "first", "second") }),
  "change ID": fc.record({ id, to: id }),
  "swap IDs": fc.record({ id, to: id }),
  move: fc.record({ id, to: anyResource }),
  remove: fc.record({ id }),
  "declare twice": fc.record({ id, resource: anyResource, values }),
  "declare once": fc.record({}),
  "look up": fc.record({ id: fc.constantFrom(...ids, "none" as const) }),
  "set adopt": fc.record({ resource: anyResource, adopt: fc.boolean() }),
  "set retainOnDelete": fc.record({ resource: anyResource, retains: fc.boolean() }),
  "set connection": fc.record({ resource: anyResource, isNamed: fc.boolean() }),
  "move service": fc.record({}),
  taint: fc.record({ resource: anyResource }),
  "create outside": fc.record({ id }),
  "rename outside": fc.record({ id }),
  "change properties outside": fc.record({ id }),
  "drift and back": fc.record({ id, field: fc.constantFrom("name", "properties") }),
  "delete outside": fc.record({ id }),
  "rotate token outside": fc.record({ id, isUnusual: fc.boolean() }),
  up: fc.record({
    disturbance,
    continuesOnError: fc.boolean(),
    isParallel: fc.boolean(),
    replaces: fc.oneof({ weight: 9, arbitrary: fc.constant("none" as const) }, anyResource),
  }),
  refresh: fc.record({ disturbance }),
  destroy: fc.record({ disturbance, isRefreshing: fc.boolean() }),
  "up elsewhere": fc.record({ continuesOnError: fc.boolean() }),
  "refresh elsewhere": fc.record({}),
  "destroy elsewhere": fc.record({}),
  "remember program": fc.record({}),
  "restore program": fc.record({}),
};

/** Each kind as often as it is likely. `isTaken` leaves kinds out. */
export function anySteps(isTaken: (kind: Step["do"]) => boolean = () => true): fc.Arbitrary<Step>[] {
  const kinds = (Object.keys(likelihoods) as Step["do"][]).filter(isTaken);
  return kinds.flatMap((kind) => Array.from({ length: likelihoods[kind] }, () => stepOf(kind)));
}

function stepOf(kind: Step["do"]): fc.Arbitrary<Step> {
  const arbitrary: fc.Arbitrary<object> = arbitraries[kind];
  return arbitrary.map((rest) => step.parse({ do: kind, ...rest }));
}
