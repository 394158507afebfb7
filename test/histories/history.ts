/**
 * All small histories, each with a number. A history is a shape (a program and its change), how the service reads its interface, what
 * somebody else does, at most one fault, and what the user does next. Each choice has an ordinary value; a history makes at most three
 * others.
 */
import type { Declared } from "../support/model/resources";
import { meanwhiles, type Meanwhile } from "./meanwhile";
import {
  otherName,
  programIn,
  shapeNames,
  sourcesOf,
  traitsOf,
  victimOf,
  type Difference,
  type ShapeName,
} from "./program";
import { faultKinds, type Fault, type Reading } from "./service";

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
    | 'overlap, removed: "retain"';
  /** Whether the change leaves the guard of this option out of the program. */
  readonly dropsGuard: boolean;
  /** Each command takes an hour. */
  readonly overlapHours: 0 | 2.5 | 1000;
  /**
   * Before the history: the groups are just created; or they also have former groups; or `overlap` was set after they were created; or
   * the resources were renamed by aliases.
   */
  readonly begins: "created" | "changed" | "without overlap" | "renamed";
  readonly changes: "replace" | "update";
  readonly isSecret: boolean;
  /**
   * When the program declares its resources: all at once; each depends on the one before it; or it pauses between them, for longer than
   * the product waits.
   */
  readonly order: "at once" | "chained" | "pausing";
  /** Before or after the others, the program looks up the group that the change is about; or one that doesn't exist. */
  readonly lookup: "none" | "before" | "after" | "nobody";
  readonly meanwhile: Meanwhile;
  /** Whether the API token of the account is replaced before the step. */
  readonly rotatesApiToken: boolean;
  readonly fault: Fault | undefined;
  readonly flag: (typeof flags)[number];
  readonly next: (typeof nexts)[number];
}

/** How the command of the step is run, or the option of its first resource. */
const flags = [
  "none",
  "--continue-on-error",
  "--skip-preview",
  "--replace",
  "replacementTrigger",
  "replaceOnChanges",
] as const;

/** What the user does after the step. */
const nexts = [
  "again",
  "former",
  "refresh, again",
  "refresh, former",
  "destroy",
  "third values",
  "lost state",
] as const;

type Choice = Partial<History>;

/** Most requests of a step that a fault can hit. */
const mostRequests = 6;

/** The choices that a history can make instead of the ordinary ones, at most one of each line. */
const choices: readonly (readonly Choice[])[] = [
  (["name", "keepers", "everything"] as const).map((differs) => ({ differs })),
  [
    { option: "adopt: false" },
    { option: 'removed: "retain"' },
    { option: "retainOnDelete" },
    { option: "deletionLimit: 0" },
    { option: "overlap" },
    { option: "overlap", overlapHours: 2.5 },
    { option: "overlap", begins: "changed" },
    { option: "overlap", begins: "changed", overlapHours: 2.5 },
    { option: "overlap", begins: "changed", overlapHours: 1000 },
    { option: "overlap", begins: "without overlap" },
    { option: 'overlap, removed: "retain"', begins: "changed", overlapHours: 1000 },
    { option: 'removed: "retain"', dropsGuard: true },
    { option: "deletionLimit: 0", dropsGuard: true },
    { option: "overlap", begins: "changed", overlapHours: 2.5, dropsGuard: true },
  ],
  [{ begins: "renamed" }],
  [{ existing: "updates" }, { existing: "updates", changes: "update" }],
  [{ response: "requested" }],
  [{ tokens: "reused" }, { tokens: "freed" }],
  [{ isSecret: true }],
  [{ order: "chained" }, { order: "pausing" }],
  [{ lookup: "before" }, { lookup: "after" }, { lookup: "nobody" }],
  meanwhiles.slice(1).map((meanwhile) => ({ meanwhile })),
  [{ rotatesApiToken: true }],
  Array.from({ length: mostRequests }, (_, index) => index + 1).flatMap((request) =>
    faultKinds.map((kind): Choice => ({ fault: { kind, request } })),
  ),
  flags.slice(1).map((flag) => ({ flag })),
];

const ordinary: Omit<History, "shape" | "next"> = {
  ...{ differs: "mapping", option: "none", overlapHours: 0, begins: "created", changes: "replace" },
  ...{ dropsGuard: false, isSecret: false, order: "at once", lookup: "none" },
  ...{ existing: "keeps", response: "stored", tokens: "random", ignoresCase: false },
  ...{ meanwhile: "nothing", rotatesApiToken: false, fault: undefined, flag: "none" },
};

/** Histories that make so many other choices take so many of the next steps, and so many of their number are left out. */
const portions = [
  { nexts: 7, every: 1 },
  { nexts: 7, every: 1 },
  { nexts: 1, every: 1 },
  { nexts: 1, every: 9 },
];

/** All histories. The number of a history is its index. */
export function allHistories(): History[] {
  const histories: History[] = [];
  shapeNames.forEach((shape, turn) => {
    const isMeaningful = meaningOf(shape);
    combinations.forEach(({ chosen, count }, index) => {
      const { nexts: many = 0, every = 1 } = portions[count] ?? {};
      if ((index + turn) % every !== 0) return;
      const history = { ...ordinary, shape, ...chosen, ignoresCase: shape.includes("spelling") };
      if (!isMeaningful(history)) return;
      // Each history takes another next step than the one before, so that all of them meet all choices.
      for (let step = 0; step < many; step += 1) {
        const next = nexts[(histories.length + (many > 1 ? 0 : turn)) % nexts.length] ?? "again";
        histories.push({ ...history, next });
      }
    });
  });
  return histories;
}

/** So many of the items, spread evenly. */
export function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const indices = Array.from({ length: count }, (_, index) => Math.floor((index * items.length) / count));
  const chosen = new Set(indices);
  return items.filter((_, index) => chosen.has(index));
}

/** At most three choices, each of another line. */
const combinations = choices.reduce<{ readonly chosen: Choice; readonly count: number }[]>(
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

/** Leaves out choices without effect, those that a program can't make, and those that aren't promised. */
function meaningOf(shape: ShapeName): (history: Omit<History, "next">) => boolean {
  const traits = traitsOf(shape);
  const { command, requests, isCreation, isChange, hasMany, hasTwo, moves, adds, changesValues } = traits;
  return ({ option, begins, dropsGuard, differs, order, meanwhile, fault, flag, lookup, ...history }) => {
    const { changes, existing, response, ignoresCase } = history;
    const needsFormer = /^(deleted|recreated|rotated|changed|adopted)/.test(meanwhile);
    const isOfOption = flag.includes("replace");
    const isGuardOfMany = option.includes("removed") || option === "deletionLimit: 0";
    const meansNothing = [
      isCreation && (needsFormer || begins !== "created"),
      meanwhile.startsWith("former") && begins !== "changed",
      meanwhile.startsWith("existing") && !adds,
      meanwhile === "adopted" && (begins === "changed" || option === "adopt: false"),
      // An echo doesn't show it, and the requests of the stack overwrite it.
      meanwhile === "changed" && (response === "requested" || existing === "updates"),
      differs !== "mapping" && !changesValues,
      isGuardOfMany && !hasMany,
      dropsGuard && !isChange,
      begins === "renamed" && !traits.isRenamable,
      order === "chained" && !hasTwo,
      order === "pausing" && !hasTwo,
      isOfOption && !isChange,
      // An update in place becomes a replacement.
      flag === "replaceOnChanges" && !(hasMany || option.startsWith("overlap") || changes === "update"),
      flag === "--skip-preview" && !(moves || adds),
      // Not promised.
      flag === "--continue-on-error" && (moves || command !== "up"),
      // It's refused; a lookup in a service that updates groups writes.
      changes === "update" && option === "adopt: false",
      existing === "updates" && lookup !== "none",
      // One oddity is enough.
      ignoresCase && (meanwhile !== "nothing" || existing === "updates" || history.tokens !== "random"),
      ignoresCase && (order !== "at once" || history.rotatesApiToken || option === "deletionLimit: 0"),
      lookup !== "none" && command === "destroy",
      // So many groups take long, and matter only if they fail one after the other.
      shape.includes("twenty") && fault?.kind !== "all refused",
      fault !== undefined && fault.request > mostRequestsOf(requests, history.rotatesApiToken || needsFormer),
    ];
    return !meansNothing.includes(true);
  };
}

/**
 * Histories keep their numbers, but those that aren't promised don't run. A group that somebody changed can't prove the account of a new API
 * token. A replacement by an option doesn't know that the group which `adopt: false` refuses is its own. `--skip-preview` loses the group
 * that a later resource gets. A service that updates groups has the values of a creation that no state knows; `pulumi refresh`, which the
 * runbook has after a kill, sends those of the state. If somebody replaces a token while a move is refused, a refresh of both resources sends
 * the values of both to such a service; and with an option that replaces, each error names one group, and ending it makes another one stale.
 */
export function isPromised(history: History): boolean {
  const { shape, option, order, rotatesApiToken, meanwhile, next, existing, changes, flag, fault } = history;
  const { moves, changesValues } = traitsOf(shape);
  const isUnprovable = rotatesApiToken && /^(deleted|recreated|rotated|changed)/.test(meanwhile);
  const isOverwritten = option === "adopt: false" && existing === "updates" && flag.includes("replace");
  const isMovedTooLate =
    flag === "--skip-preview" && moves && order !== "at once" && option.startsWith("overlap");
  const isUnrecorded =
    fault?.kind.startsWith("killed") === true || (option === "retainOnDelete" && changesValues);
  const isTakenBack = next === "former" || next === "third values";
  // A program without overlap creates the group with its plain ID.
  const hasNoOverlap = history.dropsGuard && option.startsWith("overlap");
  const isDropped = hasNoOverlap && shape === "alias one" && next === "lost state";
  const isUnguarded = history.dropsGuard && flag === "--replace";
  const isUnseenUpdate = existing === "updates" && moves && isUnrecorded && isTakenBack;
  const hasOtherToken = /^(deleted|recreated|rotated)/.test(meanwhile);
  const hasTwoConflicts = shape === "move and change out of many" && next === "third values";
  const isStuck = hasTwoConflicts && hasOtherToken && flag.includes("replace");
  const isRefreshed = shape === "become one" && next === "former" && hasOtherToken;
  const isWrittenByRefresh = isRefreshed && existing === "updates" && changes === "replace";
  return ![
    ...[isUnprovable, isOverwritten, isMovedTooLate, isUnseenUpdate],
    ...[isDropped, isUnguarded, isStuck, isWrittenByRefresh],
  ].includes(true);
}

/** A deletion that is refused makes up to two requests more, as does the proof of the account. */
function mostRequestsOf(requests: number, mayMakeMore: boolean): number {
  return Math.min(mostRequests, requests + (mayMakeMore ? 2 : 0));
}

export type Plan = ReturnType<typeof planOf>;

/** The programs of a history, and the command of its step. */
export function planOf(history: History) {
  const { next, lookup } = history;
  const sources = sourcesOf(history.shape);
  const former = programIn(sources.former, history);
  const options = history.dropsGuard ? { ...history, option: "none" as const } : history;
  const changed = programIn(sources.changed, options);
  const victim = victimOf({ former, changed });
  const third = programIn(sources.changed.replace(/[A-C]\d/, "A3"), options);
  const wanted = next === "third values" ? third : changed;
  return {
    former,
    changed: withLookup(changed, lookup, victim),
    command: sources.command,
    /** The `up`s before the step, one after the other. */
    earlier: former.length > 0 ? [...earlierOf(sources.former, history), withAliases(former, history)] : [],
    /** The program that the user wants in the end. */
    goal: next.endsWith("former") ? former : withLookup(wanted, lookup, victim),
  };
}

function withAliases(program: readonly Declared[], { begins }: History): readonly Declared[] {
  if (begins !== "renamed") return program;
  return program.map((declared) => ({ ...declared, aliases: [otherName(declared.name)] }));
}

/** Other values of all groups, among them `keepers`, whose change gives a group a new token in any case; or no `overlap` yet; or other names. */
function earlierOf(source: string, history: History): (readonly Declared[])[] {
  if (history.begins === "renamed")
    return [programIn(source, history).map((declared) => ({ ...declared, name: otherName(declared.name) }))];
  const values = source.replaceAll(/[A-C]\d/g, "A0");
  if (history.begins === "changed") return [programIn(values, { ...history, differs: "keepers" })];
  return history.begins === "created" ? [] : [programIn(source, { ...history, option: "none" })];
}

function withLookup(
  program: readonly Declared[],
  lookup: History["lookup"],
  victim: string,
): readonly Declared[] {
  if (lookup === "none") return program;
  const userGroupId = lookup === "nobody" ? "z" : victim;
  const found: Declared = {
    name: "found",
    provider: "userGroup",
    args: { userGroupId, name: "the name" },
    isLookup: true,
  };
  return lookup === "after" ? [...program, found] : [found, ...program];
}
