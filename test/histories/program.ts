/** The programs of the histories: each shape is a program and the change that is made to it. */
import { z } from "zod";
import type { Declared } from "../support/model/resources";
import { secret } from "../support/model/secrets";
import type { History } from "./history";

/** Fields in which two sets of values differ. In all others they are equal, so that nothing but these tells groups apart. */
export type Difference = "mapping" | "name" | "properties" | "keepers" | "everything";

/** What applies to each resource of a program. */
export type ProgramOptions = Pick<History, "differs" | "option" | "overlapHours" | "isSecret" | "order">;

export type Command = "up" | "refresh" | "destroy";

type Texts = Readonly<Record<string, string>>;

/** A program and its change. */
export interface Shape {
  readonly former: readonly Declared[];
  readonly changed: readonly Declared[];
}

/** `value`: whose values, and which, such as `A1`. */
export function valuesOf(value: string, differs: Difference) {
  const text = (field: Difference, shared: string) =>
    differs === field || differs === "everything" ? `${field} ${value}` : shared;
  return {
    name: text("name", "the name"),
    mapping: { sales: text("mapping", "the mapping") },
    properties: { tier: text("properties", "the properties") },
    ...(differs === "keepers" && { keepers: { rotation: value } }),
  };
}

/** Those called m and n are UserGroups, all others UserGroup with one group. */
function declare(name: string, values: Texts, options: ProgramOptions, more: Partial<Declared>): Declared {
  const groups = Object.entries(values).map(([id, value]) => [id, groupOf(value, options)] as const);
  const [first] = groups;
  const isMany = name === "m" || name === "n";
  const own = isMany ? { groups: Object.fromEntries(groups) } : { userGroupId: first?.[0], ...first?.[1] };
  return {
    name,
    provider: isMany ? "userGroups" : "userGroup",
    args: { ...own, ...optionOf(options, isMany) },
    ...(options.option === "retainOnDelete" && { retainOnDelete: true }),
    ...more,
  };
}

function optionOf({ option, overlapHours }: ProgramOptions, isMany: boolean): object {
  if (option === "adopt: false") return { adopt: false };
  const retain = option.includes("removed") && isMany && { removed: "retain" };
  if (option.startsWith("overlap")) return { overlap: true, overlapHours, ...retain };
  if (retain) return retain;
  return option === "deletionLimit: 0" && isMany ? { deletionLimit: 0 } : {};
}

function groupOf(value: string, { differs, isSecret }: ProgramOptions): object {
  const { name, mapping, properties, keepers } = valuesOf(value, differs);
  const shown = (text: string): unknown => (isSecret ? secret(text) : text);
  const each = (texts: Texts) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, shown(text)]));
  return {
    name: shown(name),
    mapping: each(mapping),
    properties: each(properties),
    ...(keepers && { keepers }),
  };
}

/**
 * The requests of the change if nothing goes wrong, and the program before and after it. `r: a A1` declares the group a with the values
 * A1 in the resource r. Those called m and n are UserGroups, all others UserGroup. Names of shapes say what happens to a.
 */
type Source = readonly [requests: number, former: string, changed: string, command?: Command];

/** As many failures in a row end the creation of the groups after them. */
const twenty = Array.from({ length: 20 }, (_, index) => `c${index} C1`).join(", ");

const shapes = {
  "create one": [1, "", "r: a A1"],
  "create many": [2, "", "m: a A1, b B1"],
  "create two spellings": [2, "", "m: a A1, A A2"],
  "add one": [1, "s: b B1", "s: b B1; r: a A1"],
  "add one, declared before": [1, "s: b B1", "r: a A1; s: b B1"],
  "add to many": [1, "m: b B1", "m: a A1, b B1"],
  "change one": [2, "r: a A1", "r: a A2"],
  "change two": [4, "r: a A1; s: b B1", "r: a A2; s: b B2"],
  "change in many": [2, "m: a A1, b B1", "m: a A2, b B1"],
  "change all": [4, "m: a A1, b B1", "m: a A2, b B2"],
  "change the ID": [2, "r: a A1", "r: b A1"],
  "change ID and values": [2, "r: a A1", "r: b A2"],
  "change a key": [2, "m: a A1, b B1", "m: c A1, b B1"],
  "change the spelling": [1, "r: a A1", "r: A A1"],
  "change the spelling of a key": [1, "m: a A1, b B1", "m: A A2, b B1"],
  "add another spelling": [1, "r: a A1", "r: a A1; s: A A2"],
  "add another spelling, declared before": [1, "r: a A1", "s: A A1; r: a A1"],
  "remove one": [1, "r: a A1", ""],
  "remove from many": [1, "m: a A1, b B1", "m: b B1"],
  "remove many": [1, "m: a A1", ""],
  "remove many for others": [2, "m: a A1, b B1", "n: c C1"],
  "rename one": [1, "r: a A1", "s: a A1"],
  "rename and change one": [2, "r: a A1", "s: a A2"],
  "alias one": [0, "r: a A1", "s: a A1 (formerly r)"],
  "alias and change one": [2, "r: a A1", "s: a A2 (formerly r)"],
  "rename many": [1, "m: a A1", "n: a A1"],
  "rename and change many": [2, "m: a A1", "n: a A2"],
  "alias and change many": [3, "m: a A1, b B1", "n: a A2 (formerly m)"],
  "move on": [2, "r: a A1; s: b B1", "r: b A1; s: c B1"],
  "move into many": [1, "r: a A1; m: b B1", "m: a A1, b B1"],
  "move and change into many": [2, "r: a A1; m: b B1", "m: a A2, b B1"],
  "move out of many": [1, "m: a A1, b B1", "m: b B1; r: a A1"],
  "move and change out of many": [2, "m: a A1, b B1", "m: b B1; r: a A2"],
  "move out of many, declared before": [1, "m: a A1, b B1", "r: a A1; m: b B1"],
  // In a refresh, another resource has read the group before.
  "move the last out of many": [1, "m: a A1, b B1", "m: a A1; r: b B1"],
  "move between many": [1, "m: a A1, b B1; n: c C1", "m: b B1; n: a A1, c C1"],
  "move and change between many": [2, "m: a A1, b B1; n: c C1", "m: b B1; n: a A2, c C1"],
  "move into many after twenty others": [1, "m: a A1, b B1", `n: ${twenty}, a A1; m: b B1`],
  "become many": [1, "r: a A1", "m: a A1"],
  "become one": [2, "m: a A1", "r: a A2"],
  "dependent many, remove": [
    3,
    "base: c C1; m: a A1, b B1 (groups of base)",
    "base: c C2; m: b B1 (groups of base)",
  ],
  "dependent many, move": [
    4,
    "base: c C1; m: a A1, b B1 (groups of base)",
    "base: c C2; m: b B1 (groups of base); r: a A1",
  ],
  "dependent value": [
    4,
    "base: c C1; m: a A1, b B1 (groups.a.properties.tier of base)",
    "base: c C2; m: a A2, b B1 (groups.a.properties.tier of base)",
  ],
  "dependent one": [
    4,
    "base: c C1; r: a A1 (properties.tier of base)",
    "base: c C2; r: a A1 (properties.tier of base)",
  ],
  "move out of many to a dependent": [2, "m: a A1, b B1", "base: c C1; r: a A1 (after base); m: b B1"],
  "move and change out of many to a dependent": [
    2,
    "m: a A1, b B1",
    "base: c C1; r: a A2 (after base); m: b B1",
  ],
  "rename to a dependent": [2, "r: a A1", "base: c C1; s: a A1 (after base)"],
  "move on and change into many": [2, "m: b B1; r: a A1", "m: a A2, b B1; r: c A1"],
  "move on and change out of many by key": [2, "r: b B1; m: a A1", "r: a A2; m: c A1"],
  "refresh one": [1, "r: a A1", "r: a A1", "refresh"],
  "refresh many": [2, "m: a A1, b B1", "m: a A1, b B1", "refresh"],
  "destroy one": [1, "r: a A1", "r: a A1", "destroy"],
  "destroy many": [2, "m: a A1, b B1", "m: a A1, b B1", "destroy"],
} as const satisfies Record<string, Source>;

export type ShapeName = keyof typeof shapes;

export const shapeNames = Object.keys(shapes).filter((name): name is ShapeName => name in shapes);

/** The program before and after the change, as text, and the command that is run then. */
export function sourcesOf(name: ShapeName) {
  const { 1: former, 2: changed, 3: command = "up" }: Source = shapes[name];
  return { former, changed, command };
}

export function programIn(source: string, options: ProgramOptions): Declared[] {
  const resources = source.matchAll(/(\w+): ([^;(]+)(?:\((.*?)\))?/g);
  const program = [...resources].map(([, name = "", groups = "", relation = ""]) => {
    const values = groups.split(",").map((text) => {
      const [id = "", value = ""] = text.trim().split(" ");
      return [id, value] as const;
    });
    return declare(name, Object.fromEntries(values), options, relationIn(relation));
  });
  return options.order === "chained" ? program.map(chained) : program;
}

/** The name that a resource had before a rename, and that another one may take. */
export function otherName(name: string): string {
  const [pair = ""] = ["mn", "nm", "rs", "sr"].filter((each) => each.startsWith(name));
  return pair.slice(1) || `${name}0`;
}

/** The part of a resource in parentheses: `formerly r`, `after base`, or a path `of base`, of whose ID the value is made. */
function relationIn(text: string): Partial<Declared> {
  const [word = "", ...others] = text.split(" ");
  const other = others.at(-1) ?? "";
  if (text === "") return {};
  if (word === "formerly") return { aliases: [other] };
  return word === "after" ? { dependsOn: [other] } : { valuesFrom: { [word]: other } };
}

function chained(declared: Declared, index: number, program: readonly Declared[]): Declared {
  const { dependsOn = [] } = declared;
  const before = program[index - 1];
  return before ? { ...declared, dependsOn: [...new Set([...dependsOn, before.name])] } : declared;
}

const plainOptions: ProgramOptions = {
  differs: "mapping",
  option: "none",
  overlapHours: 0,
  isSecret: false,
  order: "at once",
};

/** What of a shape decides which choices have an effect. */
export function traitsOf(name: ShapeName) {
  const [requests] = shapes[name];
  const { former: before, changed: after, command } = sourcesOf(name);
  const former = programIn(before, plainOptions);
  const changed = programIn(after, plainOptions);
  const ids = former.flatMap(idsOf);
  const valuesIn = (source: string): readonly string[] => source.match(/[A-C]\d/g) ?? [];
  return {
    command,
    /** Those of the change if nothing goes wrong. */
    requests,
    isCreation: former.length === 0,
    /** Whether the resources can have had other names before. */
    isRenamable: former.every(({ name }) => former.every((other) => other.name !== otherName(name))),
    isChange: command === "up" && former.length > 0,
    hasMany: /[mn]:/.test(before + after),
    hasTwo: former.length > 1 || changed.length > 1,
    /** Whether the change adds groups of customers who had none. */
    adds: changed.flatMap(idsOf).some((id) => !ids.includes(id)),
    /** Whether a group goes from a resource to another one. */
    moves: ids.some((id) => {
      const to = ownerOf(id, changed);
      return to && ![to.name, ...(to.aliases ?? [])].includes(ownerOf(id, former)?.name ?? "");
    }),
    changesValues: valuesIn(after).some((value) => before !== "" && !valuesIn(before).includes(value)),
  };
}

function ownerOf(userGroupId: string, program: readonly Declared[]): Declared | undefined {
  return program.find((declared) => idsOf(declared).includes(userGroupId));
}

/** The group that a change is about: the first whose declaration differs. */
export function victimOf({ former, changed }: Shape): string {
  const ids = former.flatMap(idsOf).filter((id) => id !== "c");
  const text = (program: readonly Declared[], id: string) => {
    const { name, args = {} } = ownerOf(id, program) ?? {};
    return JSON.stringify([name, "groups" in args ? groupsIn(args)[id] : args]);
  };
  return ids.find((id) => text(former, id) !== text(changed, id)) ?? ids[0] ?? "a";
}

/** The IDs of the groups that a resource declares. */
export function idsOf({ args, isLookup }: Pick<Declared, "args" | "isLookup">): string[] {
  if (isLookup) return [];
  return "userGroupId" in args ? [String(args.userGroupId)] : Object.keys(groupsIn(args));
}

function groupsIn(args: object): Record<string, unknown> {
  return z.object({ groups: z.record(z.string(), z.unknown()) }).parse(args).groups;
}
