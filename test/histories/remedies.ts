/** What a user changes in a program because a message says so. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Declared } from "../support/model/resources";
import type { Plan } from "./history";
import { idsOf } from "./program";

type Program = readonly Declared[];

/** The program that the messages of a failed command ask for; the same one, if none asks for another. */
export function remedied(program: Program, errors: string, plan: Plan): Program {
  const found = remedies.find(([message]) => message.test(errors));
  return found ? found[1](program, errors, plan) : program;
}

const remedies: readonly (readonly [RegExp, (program: Program, errors: string, plan: Plan) => Program])[] = [
  [/adopt: true/, (program) => program.map((each) => withArgs(each, { adopt: true }))],
  [/retainOnDelete/, (program) => program.map((each) => ({ ...each, retainOnDelete: false }))],
  [/First declare the customer there as the state has the group/, asInState],
  [/change keepers/i, withOtherKeepers],
  [/\[removed-elsewhere\]/, retainedElsewhere],
  [/\[no-such-group\]/, (program) => program.filter(({ isLookup }) => !isLookup)],
  [/\[guard-dropped\]/, withGuardsOf],
  [/\[deletion-limit\]/, withHigherLimits],
  [
    /removed: "retain" in a UserGroups/,
    (program) => program.map((each) => withShared(each, { removed: "retain" })),
  ],
  [/\[wrong-group\]/, withOtherSpelling],
];

/** With other `keepers` in the resources that the message names. */
function withOtherKeepers(program: Program, errors: string): Program {
  const names = [...errors.matchAll(/resource "(\w+)" of this program has/gi)].map(([, name]) => name);
  return program.map((declared) => {
    const { name, args } = declared;
    if (!names.includes(name)) return declared;
    if (!("groups" in args)) return { ...declared, args: renewed(args) };
    const groups = Object.entries(groupsSchema.parse(args.groups));
    return withArgs(declared, {
      groups: Object.fromEntries(groups.map(([id, group]) => [id, renewed(group)])),
    });
  });
}

function renewed(group: object): object {
  const { keepers } = keepersSchema.parse(group);
  return { ...group, keepers: { rotation: `${keepers.rotation}+` } };
}

const groupsSchema = z.record(z.string(), z.looseObject({}));
const keepersSchema = z.object({ keepers: z.object({ rotation: z.string() }).default({ rotation: "" }) });

/**
 * The user tries what the state of the message's resource may have: the former values, then without overlap, or with it, if the program has
 * none.
 */
function asInState(program: Program, errors: string, { former, changed }: Plan): Program {
  const names = [...errors.matchAll(/resource "(\w+)" of this program declares/g)].map(([, name]) => name);
  const before = valuesIn(former);
  return program.map((declared) => {
    if (!names.includes(declared.name)) return declared;
    const isFormer = idsOf(declared).every((id) => isSame(valuesIn([declared]).get(id), before.get(id)));
    if (!isFormer) return withValues(declared, before);
    const overlaps = "overlap" in declared.args && declared.args.overlap === true;
    return withArgs(withValues(declared, valuesIn(changed)), { overlap: !overlaps });
  });
}

/** Of a customer whom the former program doesn't have, any values will do. */
function isSame(one: object | undefined, other: object | undefined): boolean {
  return other === undefined || isDeepStrictEqual(one, other);
}

function withValues(declared: Declared, values: ReadonlyMap<string, object>): Declared {
  const { args } = declared;
  if (!("groups" in args)) return withArgs(declared, values.get(idsOf(declared)[0] ?? "") ?? {});
  const own = Object.entries(groupsSchema.parse(args.groups));
  return withArgs(declared, {
    groups: Object.fromEntries(own.map(([id, group]) => [id, { ...group, ...values.get(id) }])),
  });
}

/** By `userGroupId`. */
function valuesIn(program: Program): Map<string, object> {
  const all = program.flatMap((declared) => {
    const { args } = declared;
    if (!("groups" in args)) return idsOf(declared).map((id) => [id, valuesSchema.parse(args)] as const);
    return Object.entries(groupsSchema.parse(args.groups)).map(
      ([id, group]) => [id, valuesSchema.parse(group)] as const,
    );
  });
  return new Map(all);
}

const valuesSchema = z.object({
  name: z.unknown().optional(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
  keepers: z.unknown().optional(),
});

/** removed: "retain" in the resources that the message names: those that remove groups. */
function retainedElsewhere(program: Program, errors: string): Program {
  const names = [...errors.matchAll(/removed: "retain" in resource "(\w+)"/g)].map(([, name]) => name);
  const all = errors.includes('removed: "retain" in this UserGroups');
  return program.map((each) =>
    all || names.includes(each.name) ? withShared(each, { removed: "retain" }) : each,
  );
}

/** The former program, or back to the changed one. */
function withOtherSpelling(program: Program, _: string, { former, changed }: Plan): Program {
  const ids = (each: Program) => each.flatMap(idsOf).join();
  return ids(program) === ids(former) ? changed : former;
}

/** The program states the guards that the former one had. */
function withGuardsOf(program: Program, _: string, { former }: Plan): Program {
  const [guards = {}] = former.flatMap(({ args }) => {
    const found = guardsSchema.parse(args);
    return Object.keys(found).length > 0 ? found : [];
  });
  const { removed, deletionLimit, ...overlap } = guards;
  return program.map((each) => withShared(withArgs(each, overlap), { removed, deletionLimit }));
}

/** The limit of a state is raised by an `up` with the resource. */
function withHigherLimits(program: Program, _: string, { former, changed }: Plan): Program {
  const names = program.map(({ name }) => name);
  const isGone = ({ name, provider }: Declared) => provider === "userGroups" && !names.includes(name);
  const restored = [former, changed].find((each) => each.some(isGone)) ?? program;
  return restored.map((each) => withShared(each, { deletionLimit: 1000 }));
}

const guardsSchema = z.object({
  removed: z.string().optional(),
  deletionLimit: z.number().optional(),
  overlap: z.boolean().optional(),
  overlapHours: z.number().optional(),
});

/** With arguments that only `UserGroups` has. */
function withShared(declared: Declared, args: object): Declared {
  return declared.provider === "userGroups" ? withArgs(declared, args) : declared;
}

function withArgs(declared: Declared, args: object): Declared {
  return { ...declared, args: { ...declared.args, ...args } };
}
