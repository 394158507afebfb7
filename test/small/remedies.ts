/** What a user changes in a program because a message says so. */
import { z } from "zod";
import type { Declared } from "../model/resources";
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
  [/change keepers/i, withOtherKeepers],
  [/\[removed-elsewhere\]/, releasedLast],
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

/** The resources that lose groups depend on all others. */
function releasedLast(program: Program, errors: string): Program {
  const names = [...errors.matchAll(/resource "(\w+)" of this program removes/gi)].map(
    ([, name = ""]) => name,
  );
  const losing = program.filter(({ name }) => names.includes(name));
  const others = program
    .filter((each) => !names.includes(each.name))
    .map((each) => ({ ...each, dependsOn: (each.dependsOn ?? []).filter((name) => !names.includes(name)) }));
  const dependsOn = others.filter(({ isLookup }) => isLookup !== true).map(({ name }) => name);
  return [...others, ...losing.map((each) => ({ ...each, dependsOn }))];
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
