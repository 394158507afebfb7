/**
 * All small histories, each with a number. A history is a shape (a program and its change), how the service reads its interface, at most
 * one fault, and what the user does next. Each choice has an ordinary value; a history makes at most three others.
 */
import type { Declared } from "../model/resources";
import {
  idsOf,
  requestsOf,
  shapeNames,
  valuesOf,
  withThirdValues,
  type Difference,
  type ProgramOptions,
  type Shape,
  type ShapeName,
} from "./program";
import type { Reading, Service, ServiceFault } from "./service";

/** What goes wrong with a request of the step. */
export type Fault = ServiceFault;

/** What happened in the service before the step, without the stack. `a`: the group that the step is about. */
export type Meanwhile =
  | "nothing"
  /** Somebody else deleted a. */
  | "deleted"
  /** Somebody else deleted a and created it with another mapping; `otherwise`: also with another name and properties. */
  | "recreated"
  | "recreated otherwise"
  /** a has another token. */
  | "rotated"
  /** The same with the former group that `overlap` keeps. */
  | "former deleted"
  | "former recreated"
  /** Somebody else created the groups that the change is going to create, in the same two ways. */
  | "existing"
  | "existing otherwise"
  /** The step runs with the API token of another account, which has the same IDs, or none. */
  | "other account"
  | "empty account";

/** How the command of the step is run. */
export type Flag = "none" | "--continue-on-error" | "--replace" | "taint";

/** What the user does after the step. */
export type Next = "again" | "former" | "refresh, again" | "refresh, former" | "destroy" | "third values";

export interface History extends Reading {
  readonly shape: ShapeName;
  readonly differs: Difference;
  readonly option:
    | "none"
    | "adopt: false"
    | 'removed: "retain"'
    | "retainOnDelete"
    | "deletionLimit: 0"
    | "overlap"
    /** All groups of the state have a former group when the history begins. */
    | "overlap, changed before"
    /** The same, and the former groups are deleted: only the IDs in the service show it. */
    | "overlap, settled before";
  readonly changes: "replace" | "update";
  readonly isSecret: boolean;
  readonly isChained: boolean;
  readonly meanwhile: Meanwhile;
  readonly fault: Fault | undefined;
  readonly flag: Flag;
  readonly next: Next;
}

type Choice = Partial<History>;

/** Most requests of a step that a fault can hit. */
const mostRequests = 6;

const faultKinds: readonly Fault["kind"][] = [
  "lost after",
  "lost before",
  "503",
  "refused",
  "killed after",
  "all lost after",
  "all refused",
];

const faults = Array.from({ length: mostRequests }, (_, index) => index + 1).flatMap((request) =>
  faultKinds.map((kind): Choice => ({ fault: { kind, request } })),
);

/** The choices that a history can make instead of the ordinary ones, at most one of each line. */
const choices: readonly (readonly Choice[])[] = [
  (["name", "properties", "keepers", "everything"] as const).map((differs) => ({ differs })),
  [
    { option: "adopt: false" },
    { option: 'removed: "retain"' },
    { option: "retainOnDelete" },
    { option: "deletionLimit: 0" },
    { option: "overlap" },
    { option: "overlap, changed before" },
    { option: "overlap, settled before" },
  ],
  [{ existing: "updates" }, { existing: "updates", changes: "update" }],
  [{ response: "requested" }],
  (["replaced", "added", "reused", "freed"] as const).map((tokens) => ({ tokens })),
  [{ isSecret: true }],
  [{ isChained: true }],
  (
    [
      "deleted",
      "recreated",
      "recreated otherwise",
      "rotated",
      "former deleted",
      "former recreated",
      "existing",
      "existing otherwise",
      "other account",
      "empty account",
    ] as const
  ).map((meanwhile) => ({ meanwhile })),
  faults,
  (["--continue-on-error", "--replace", "taint"] as const).map((flag) => ({ flag })),
];

const ordinary: Omit<History, "shape" | "next"> = {
  ...{ differs: "mapping", option: "none", changes: "replace", isSecret: false, isChained: false },
  ...{ existing: "keeps", response: "stored", tokens: "random" },
  ...{ meanwhile: "nothing", fault: undefined, flag: "none" },
};

const nexts: readonly Next[] = [
  "again",
  "former",
  "refresh, again",
  "refresh, former",
  "destroy",
  "third values",
];

/** Histories that make so many other choices take so many of the next steps, and so many of their number are left out. */
const portions = [
  { nexts: 6, every: 1 },
  { nexts: 6, every: 1 },
  { nexts: 2, every: 1 },
  { nexts: 1, every: 7 },
];

/** All histories. The number of a history is its index. */
export function allHistories({ withOverlap }: { readonly withOverlap: boolean }): History[] {
  const histories: History[] = [];
  shapeNames.forEach((shape, turn) => {
    combinations.forEach(({ chosen, count }, index) => {
      const { nexts: many = 0, every = 1 } = portions[count] ?? {};
      if ((index + turn) % every !== 0) return;
      const history = { ...ordinary, shape, ...chosen };
      if (!isMeaningful(history) || (history.option.startsWith("overlap") && !withOverlap)) return;
      // Each history takes other next steps than the one before, so that all of them meet all choices.
      for (let step = 0; step < many; step += 1) {
        const next = nexts[(histories.length + step * (nexts.length / many)) % nexts.length] ?? "again";
        histories.push({ ...history, next });
      }
    });
  });
  return histories;
}

interface Combination {
  readonly chosen: Choice;
  readonly count: number;
}

/** At most three choices, each of another line. */
const combinations: readonly Combination[] = choices.reduce<Combination[]>(
  (found, line) => [
    ...found,
    ...found
      .filter(({ count }) => count < portions.length - 1)
      .flatMap(({ chosen, count }) =>
        line.map((choice) => ({ chosen: { ...chosen, ...choice }, count: count + 1 })),
      ),
  ],
  [{ chosen: {}, count: 0 }],
);

/** Leaves out choices without effect, and those that a program can't make. */
function isMeaningful(history: Omit<History, "next">): boolean {
  const { shape, option, changes, meanwhile, fault, flag, differs } = history;
  const isCreation = /^(create|take)/.test(shape);
  const isChange = !/^(create|refresh|destroy)/.test(shape);
  if (isCreation && ["deleted", "recreated", "recreated otherwise", "rotated"].includes(meanwhile))
    return false;
  if (meanwhile.startsWith("former") && option !== "overlap, changed before") return false;
  if (!addsGroups(shape) && meanwhile.startsWith("existing")) return false;
  if (!isChange && (flag === "--replace" || flag === "taint")) return false;
  if (!/change|swap|move|become|dependent|key/.test(shape) && differs !== "mapping") return false;
  const isForMany = option === 'removed: "retain"' || option === "deletionLimit: 0";
  if (isForMany && !/many|all|key/.test(shape)) return false;
  // So many groups take long, and matter only if they fail one after the other.
  if (shape.includes("twenty") && fault?.kind !== "all refused") return false;
  // A warning names the first few of them.
  if (shape.includes("twenty") && /replaced|added/.test(history.tokens)) return false;
  // It's refused.
  if (changes === "update" && option === "adopt: false") return false;
  // pulumi refresh doesn't have the option.
  if (shape.startsWith("refresh") && flag === "--continue-on-error") return false;
  // The change before would take the ID.
  if (option.endsWith("before") && shape.includes("beside")) return false;
  if (history.isChained && !/two|swap|move|dependent|overlap gives/.test(shape)) return false;
  return fault === undefined || fault.request <= mostRequestsOf(shape, meanwhile);
}

function addsGroups(shape: ShapeName): boolean {
  return /^create|ID|key|move on|dependent/.test(shape) && !/remove|value|swap/.test(shape);
}

/** A deletion that is refused makes up to two requests more. */
function mostRequestsOf(shape: ShapeName, meanwhile: Meanwhile): number {
  const more = meanwhile === "nothing" || meanwhile.startsWith("existing") || /^(create|refresh)/.test(shape);
  return Math.min(mostRequests, requestsOf(shape) + (more ? 0 : 2));
}

export function optionsOf({ differs, option, isSecret, isChained }: History): ProgramOptions {
  return {
    ...{ differs, isSecret, isChained },
    adopts: option !== "adopt: false",
    removed: option === 'removed: "retain"' ? "retain" : "delete",
    isRetained: option === "retainOnDelete",
    isLimited: option === "deletionLimit: 0",
    overlaps: option.startsWith("overlap"),
  };
}

/** The program that the user wants in the end. */
export function goalOf(
  { next }: History,
  { former, changed }: Shape,
  options: ProgramOptions,
): readonly Declared[] {
  if (next === "former" || next === "refresh, former") return former;
  return next === "third values" ? withThirdValues(changed, options) : changed;
}

/** Does what somebody else does before the step. Returns the IDs of the groups of the stack's account that it changed. */
export function meddle(history: History, { former, changed }: Shape, service: Service): readonly string[] {
  const { meanwhile, option } = history;
  const victim = victimOf(former, changed);
  // The change before has given each group this ID in the service.
  const hasSuffix = option.endsWith("before") && !meanwhile.startsWith("former");
  const inService = hasSuffix ? `${victim}~2` : victim;
  const formerIds = former.flatMap(idsOf);
  const all = [...new Set([...formerIds, ...changed.flatMap(idsOf)])];
  const values = foreignValues(history);
  if (meanwhile.endsWith("deleted")) service.delete(inService);
  else if (meanwhile === "rotated") service.rotate(inService);
  else if (meanwhile.includes("recreated")) service.create(inService, values);
  else if (meanwhile.startsWith("existing")) {
    const fresh = all.filter((id) => !formerIds.includes(id));
    for (const id of fresh) service.create(id, values);
    return fresh;
  } else if (meanwhile === "other account") for (const id of all) service.create(id, values, service.other);
  return /deleted|rotated|recreated/.test(meanwhile) ? [victim, inService] : [];
}

/** Only the mapping is another one, so that nothing shows the difference; or everything. */
function foreignValues({ meanwhile, differs }: History) {
  const { name, properties } = valuesOf("A1", differs);
  const mapping = { sales: "somebody's mapping" };
  if (!meanwhile.endsWith("otherwise")) return { name, mapping, properties };
  return { name: "somebody's name", mapping, properties: { tier: "somebody's" } };
}

/** The group that the change is about: the first whose declaration differs. */
function victimOf(former: readonly Declared[], changed: readonly Declared[]): string {
  const ids = former.flatMap(idsOf);
  const text = (program: readonly Declared[], id: string) =>
    JSON.stringify(
      program.filter((declared) => idsOf(declared).includes(id)).map(({ name, args }) => [name, args]),
    );
  return ids.find((id) => id !== "c" && text(former, id) !== text(changed, id)) ?? ids[0] ?? "a";
}
