/** The programs of the histories: each shape is a program and the change that is made to it. */
import { z } from "zod";
import type { Declared } from "../model/resources";
import { secret } from "../model/secrets";
import type { Kind } from "../harness/product";

/** Fields in which two sets of values differ. In all others they are equal, so that nothing but these tells groups apart. */
export type Difference = "mapping" | "name" | "properties" | "keepers" | "everything";

/** What applies to each resource of a program. */
export interface ProgramOptions {
  readonly differs: Difference;
  readonly adopts: boolean;
  readonly removed: "delete" | "retain";
  readonly isRetained: boolean;
  readonly overlaps: boolean;
  /** Whether `deletionLimit` is 0. */
  readonly isLimited: boolean;
  readonly isSecret: boolean;
  /** Whether each resource depends on the one before it, so that the program waits for it. */
  readonly isChained: boolean;
}

export type Command = "up" | "refresh" | "destroy";

/** A program before and after its change, and the command that is run then. */
export interface Shape {
  readonly former: readonly Declared[];
  readonly changed: readonly Declared[];
  readonly command: Command;
}

export interface GroupValues {
  readonly name: string;
  readonly mapping: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  readonly keepers?: Readonly<Record<string, string>>;
}

/** `A1`: whose values, and which. */
export type ValueName = `${"A" | "B" | "C"}${0 | 1 | 2 | 3}`;

export function valuesOf(value: ValueName, differs: Difference): GroupValues {
  const text = (field: Difference, shared: string) =>
    differs === field || differs === "everything" ? `${field} ${value}` : shared;
  return {
    name: text("name", "the name"),
    mapping: { sales: text("mapping", "the mapping") },
    properties: { tier: text("properties", "the properties") },
    ...(differs === "keepers" && { keepers: { rotation: value } }),
  };
}

/** Makes the resources of a shape. */
class Builder {
  constructor(private readonly options: ProgramOptions) {}

  one(name: string, userGroupId: string, value: ValueName, more: Partial<Declared> = {}): Declared {
    return this.#resource(name, "userGroup", { userGroupId, ...this.#group(value) }, more);
  }

  many(name: string, values: Readonly<Record<string, ValueName>>, more: Partial<Declared> = {}): Declared {
    const groups = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, this.#group(value)]));
    const { removed, isLimited } = this.options;
    const guards = { ...(removed === "retain" && { removed }), ...(isLimited && { deletionLimit: 0 }) };
    return this.#resource(name, "userGroups", { groups, ...guards }, more);
  }

  #group(value: ValueName): object {
    const { name, mapping, properties, keepers } = valuesOf(value, this.options.differs);
    const shown = (text: string): unknown => (this.options.isSecret ? secret(text) : text);
    const each = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, shown(text)]));
    return {
      name: shown(name),
      mapping: each(mapping),
      properties: each(properties),
      ...(keepers && { keepers }),
    };
  }

  #resource(name: string, provider: Kind, args: object, more: Partial<Declared>): Declared {
    const { adopts, isRetained, overlaps } = this.options;
    const shared = { ...(!adopts && { adopt: false }), ...(overlaps && { overlap: true }) };
    return {
      name,
      provider,
      args: { ...args, ...shared },
      ...(isRetained && { retainOnDelete: true }),
      ...more,
    };
  }
}

type Programs = Pick<Shape, "former" | "changed"> & { readonly command?: Command };

interface ShapeSource {
  /** The requests of the change if nothing goes wrong. */
  readonly requests: number;
  readonly make: (builder: Builder) => Programs;
}

function shape(requests: number, make: ShapeSource["make"]): ShapeSource {
  return { requests, make };
}

const fromBase = { valuesFrom: { groups: "base" } };
/** As many failures in a row end the creation of the groups after them. */
const twenty = Object.fromEntries(
  Array.from({ length: 20 }, (_, index): [string, ValueName] => [`c${index}`, "C1"]),
);
const formerly = { aliases: ["r"] };

/** Names of shapes say what happens to `a`. `r` and `s` are UserGroup resources, `m` and `n` are UserGroups. */
const shapes = {
  "create one": shape(1, (b) => ({ former: [], changed: [b.one("r", "a", "A1")] })),
  "create many": shape(2, (b) => ({ former: [], changed: [b.many("m", { a: "A1", b: "B1" })] })),
  "change one": shape(2, (b) => ({ former: [b.one("r", "a", "A1")], changed: [b.one("r", "a", "A2")] })),
  "change two": shape(4, (b) => ({
    former: [b.one("r", "a", "A1"), b.one("s", "b", "B1")],
    changed: [b.one("r", "a", "A2"), b.one("s", "b", "B2")],
  })),
  "change in many": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { a: "A2", b: "B1" })],
  })),
  "change all": shape(4, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { a: "A2", b: "B2" })],
  })),
  "change the ID": shape(2, (b) => ({ former: [b.one("r", "a", "A1")], changed: [b.one("r", "b", "A1")] })),
  "change ID and values": shape(2, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("r", "b", "A2")],
  })),
  "change a key": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { c: "A1", b: "B1" })],
  })),
  "remove one": shape(1, (b) => ({ former: [b.one("r", "a", "A1")], changed: [] })),
  "remove from many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { b: "B1" })],
  })),
  "remove many": shape(1, (b) => ({ former: [b.many("m", { a: "A1" })], changed: [] })),
  "rename one": shape(1, (b) => ({ former: [b.one("r", "a", "A1")], changed: [b.one("s", "a", "A1")] })),
  "rename and change one": shape(2, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("s", "a", "A2")],
  })),
  "alias one": shape(0, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("s", "a", "A1", formerly)],
  })),
  "alias and change one": shape(2, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("s", "a", "A2", formerly)],
  })),
  "rename many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1" })],
    changed: [b.many("n", { a: "A1" })],
  })),
  "rename and change many": shape(2, (b) => ({
    former: [b.many("m", { a: "A1" })],
    changed: [b.many("n", { a: "A2" })],
  })),
  "alias and change many": shape(3, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("n", { a: "A2" }, { aliases: ["m"] })],
  })),
  "swap IDs": shape(2, (b) => ({
    former: [b.one("r", "a", "A1"), b.one("s", "b", "B1")],
    changed: [b.one("r", "b", "A1"), b.one("s", "a", "B1")],
  })),
  "swap groups": shape(2, (b) => ({
    former: [b.one("r", "a", "A1"), b.one("s", "b", "B1")],
    changed: [b.one("r", "b", "B1"), b.one("s", "a", "A1")],
  })),
  "move on": shape(2, (b) => ({
    former: [b.one("r", "a", "A1"), b.one("s", "b", "B1")],
    changed: [b.one("r", "b", "A1"), b.one("s", "c", "B1")],
  })),
  "move into many": shape(1, (b) => ({
    former: [b.one("r", "a", "A1"), b.many("m", { b: "B1" })],
    changed: [b.many("m", { a: "A1", b: "B1" })],
  })),
  "move and change into many": shape(2, (b) => ({
    former: [b.one("r", "a", "A1"), b.many("m", { b: "B1" })],
    changed: [b.many("m", { a: "A2", b: "B1" })],
  })),
  "move out of many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { b: "B1" }), b.one("r", "a", "A1")],
  })),
  "move and change out of many": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { b: "B1" }), b.one("r", "a", "A2")],
  })),
  "move out of many, declared before": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.one("r", "a", "A1"), b.many("m", { b: "B1" })],
  })),
  // In a refresh, another resource has read the group before.
  "move the last out of many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("m", { a: "A1" }), b.one("r", "b", "B1")],
  })),
  "move between many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" }), b.many("n", { c: "C1" })],
    changed: [b.many("m", { b: "B1" }), b.many("n", { a: "A1", c: "C1" })],
  })),
  "move and change between many": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" }), b.many("n", { c: "C1" })],
    changed: [b.many("m", { b: "B1" }), b.many("n", { a: "A2", c: "C1" })],
  })),
  "move into many after twenty others": shape(1, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [b.many("n", { ...twenty, a: "A1" }), b.many("m", { b: "B1" })],
  })),
  "become many": shape(1, (b) => ({ former: [b.one("r", "a", "A1")], changed: [b.many("m", { a: "A1" })] })),
  "become one": shape(2, (b) => ({ former: [b.many("m", { a: "A1" })], changed: [b.one("r", "a", "A2")] })),
  "dependent many, remove": shape(3, (b) => ({
    former: [b.one("base", "c", "C1"), b.many("m", { a: "A1", b: "B1" }, fromBase)],
    changed: [b.one("base", "c", "C2"), b.many("m", { b: "B1" }, fromBase)],
  })),
  "dependent many, move": shape(4, (b) => ({
    former: [b.one("base", "c", "C1"), b.many("m", { a: "A1", b: "B1" }, fromBase)],
    changed: [b.one("base", "c", "C2"), b.many("m", { b: "B1" }, fromBase), b.one("r", "a", "A1")],
  })),
  "dependent value": shape(4, (b) => {
    const more = { valuesFrom: { "groups.a.properties.tier": "base" } };
    return {
      former: [b.one("base", "c", "C1"), b.many("m", { a: "A1", b: "B1" }, more)],
      changed: [b.one("base", "c", "C2"), b.many("m", { a: "A2", b: "B1" }, more)],
    };
  }),
  "dependent one": shape(4, (b) => {
    const more = { valuesFrom: { "properties.tier": "base" } };
    return {
      former: [b.one("base", "c", "C1"), b.one("r", "a", "A1", more)],
      changed: [b.one("base", "c", "C2"), b.one("r", "a", "A1", more)],
    };
  }),
  "move out of many to a dependent": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [
      b.one("base", "c", "C1"),
      b.one("r", "a", "A1", { dependsOn: ["base"] }),
      b.many("m", { b: "B1" }),
    ],
  })),
  "move and change out of many to a dependent": shape(2, (b) => ({
    former: [b.many("m", { a: "A1", b: "B1" })],
    changed: [
      b.one("base", "c", "C1"),
      b.one("r", "a", "A2", { dependsOn: ["base"] }),
      b.many("m", { b: "B1" }),
    ],
  })),
  "rename to a dependent": shape(2, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("base", "c", "C1"), b.one("s", "a", "A1", { dependsOn: ["base"] })],
  })),
  "take an ID that overlap gives": shape(1, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("r", "a", "A1"), b.one("s", "a~2", "A1")],
  })),
  "take an ID that overlap gives, declared before": shape(1, (b) => ({
    former: [b.one("r", "a", "A1")],
    changed: [b.one("s", "a~2", "A1"), b.one("r", "a", "A1")],
  })),
  "take an ID that overlap gives in many": shape(1, (b) => ({
    former: [b.many("m", { a: "A1" })],
    changed: [b.many("m", { a: "A1", "a~2": "B1" })],
  })),
  "refresh one": shape(1, (b) => ({ ...unchanged([b.one("r", "a", "A1")]), command: "refresh" })),
  "refresh many": shape(2, (b) => ({
    ...unchanged([b.many("m", { a: "A1", b: "B1" })]),
    command: "refresh",
  })),
  "destroy one": shape(1, (b) => ({ ...unchanged([b.one("r", "a", "A1")]), command: "destroy" })),
  "destroy many": shape(2, (b) => ({
    ...unchanged([b.many("m", { a: "A1", b: "B1" })]),
    command: "destroy",
  })),
  "move on and change into many": shape(2, (b) => ({
    former: [b.many("m", { b: "B1" }), b.one("r", "a", "A1")],
    changed: [b.many("m", { a: "A2", b: "B1" }), b.one("r", "c", "A1")],
  })),
  "move on and change out of many by key": shape(2, (b) => ({
    former: [b.one("r", "b", "B1"), b.many("m", { a: "A1" })],
    changed: [b.one("r", "a", "A2"), b.many("m", { c: "A1" })],
  })),
  "change beside an ID that overlap gives": shape(2, (b) => ({
    former: [b.one("r", "a", "A1"), b.one("s", "a~2", "B1")],
    changed: [b.one("r", "a", "A2"), b.one("s", "a~2", "B1")],
  })),
} satisfies Record<string, ShapeSource>;

export type ShapeName = keyof typeof shapes;

export const shapeNames = Object.keys(shapes).filter((name): name is ShapeName => name in shapes);

/** The requests of the change of a shape if nothing goes wrong. */
export function requestsOf(name: ShapeName): number {
  return shapes[name].requests;
}

export function shapeOf(name: ShapeName, options: ProgramOptions): Shape {
  const { make } = shapes[name];
  const { former, changed, command = "up" } = make(new Builder(options));
  const ordered = (program: readonly Declared[]) => (options.isChained ? program.map(chained) : program);
  return { former: ordered(former), changed: ordered(changed), command };
}

function unchanged(program: readonly Declared[]): Programs {
  return { former: program, changed: program };
}

function chained(declared: Declared, index: number, program: readonly Declared[]): Declared {
  const { dependsOn = [] } = declared;
  const before = program[index - 1];
  return before ? { ...declared, dependsOn: [...new Set([...dependsOn, before.name])] } : declared;
}

/** The program with other values of the first resource's first group. */
export function withThirdValues(program: readonly Declared[], options: ProgramOptions): Declared[] {
  return program.map((declared, index) => {
    const [first = "a"] = idsOf(declared);
    return index > 0 ? declared : withValues(declared, [first], "A3", options);
  });
}

/** The program with other values of all its groups, among them `keepers`, whose change gives a group a new token in any case. */
export function withEarlierValues(program: readonly Declared[], options: ProgramOptions): Declared[] {
  const earlier = { ...options, differs: "keepers" } as const;
  return program.map((declared) => withValues(declared, idsOf(declared), "A0", earlier));
}

function withValues(
  declared: Declared,
  ids: readonly string[],
  value: ValueName,
  options: ProgramOptions,
): Declared {
  const { name, provider, args, ...more } = declared;
  const builder = new Builder(options);
  const [first = "a"] = ids;
  if (provider === "userGroup") return builder.one(name, first, value, more);
  const values = Object.fromEntries(ids.map((id): [string, ValueName] => [id, value]));
  const changed = builder.many(name, values, more);
  return { ...changed, args: { ...args, groups: { ...groupsIn(args), ...groupsIn(changed.args) } } };
}

/** The resource with other `keepers` of all its groups. */
export function withOtherKeepers(declared: Declared): Declared {
  const keepers = { rotation: "another" };
  const { args, provider } = declared;
  if (provider === "userGroup") return { ...declared, args: { ...args, keepers } };
  const groups = Object.entries(groupsIn(args)).map(([id, group]) => {
    const values = z.looseObject({}).parse(group);
    return [id, { ...values, keepers }] as const;
  });
  return { ...declared, args: { ...args, groups: Object.fromEntries(groups) } };
}

/** The IDs of the groups that a resource declares. */
export function idsOf({ args }: Pick<Declared, "args">): string[] {
  return "userGroupId" in args ? [String(args.userGroupId)] : Object.keys(groupsIn(args));
}

function groupsIn(args: object): Record<string, unknown> {
  return z.object({ groups: z.record(z.string(), z.unknown()) }).parse(args).groups;
}
