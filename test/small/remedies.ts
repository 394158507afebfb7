/** What a user changes in a program because a message says so. */
import { z } from "zod";
import type { Declared } from "../model/resources";
import type { Plan } from "./history";

type Program = readonly Declared[];

/** The program that the messages of a failed command ask for; the same one, if none asks for another. */
export function remedied(program: Program, errors: string, plan: Plan): Program {
  const found = remedies.find(([message]) => message.test(errors));
  return found ? found[1](program, errors, plan) : program;
}

const remedies: readonly (readonly [RegExp, (program: Program, errors: string, plan: Plan) => Program])[] = [
  [/adopt: true/, (program) => program.map((each) => withArgs(each, { adopt: true }))],
  [/retainOnDelete/, (program) => program.map((each) => ({ ...each, retainOnDelete: false }))],
  [/change keepers/, withOtherKeepers],
  [/\[removed-elsewhere\]/, releasedLast],
  [/\[no-such-group\]/, (program) => program.filter(({ isLookup }) => !isLookup)],
  [/\[deletion-limit\]/, withoutGuards],
  [/\[wrong-group\]/, (_, __, { former }) => former],
];

/** With other `keepers` in the resources that the message names. */
function withOtherKeepers(program: Program, errors: string): Program {
  const names = [...errors.matchAll(/resource "(\w+)"/g)].map(([, name]) => name);
  const renewed = (group: object) => {
    const { rotation = "" } = ("keepers" in group && keepersOf.safeParse(group.keepers).data) || {};
    return { ...group, keepers: { rotation: `${rotation}+` } };
  };
  return program.map((declared) => {
    const { name, args } = declared;
    if (!names.includes(name)) return declared;
    if (!("groups" in args)) return { ...declared, args: renewed(args) };
    const groups = Object.entries(groupsOf.parse(args.groups)).map(([id, group]) => [id, renewed(group)]);
    return { ...declared, args: { ...args, groups: Object.fromEntries(groups) } };
  });
}

const keepersOf = z.object({ rotation: z.string() });
const groupsOf = z.record(z.string(), z.looseObject({}));

/** The resources that lose groups depend on all others. */
function releasedLast(program: Program, errors: string): Program {
  const names = [...errors.matchAll(/Resource "(\w+)" of this program removes/g)].map(
    ([, name = ""]) => name,
  );
  const losing = program.filter(({ name }) => names.includes(name));
  const others = program
    .filter((each) => !names.includes(each.name))
    .map((each) => ({ ...each, dependsOn: (each.dependsOn ?? []).filter((name) => !names.includes(name)) }));
  const dependsOn = others.filter(({ isLookup }) => isLookup !== true).map(({ name }) => name);
  return [...others, ...losing.map((each) => ({ ...each, dependsOn }))];
}

/** Guards of a state are lifted by an `up` with the resource. */
function withoutGuards(program: Program, _: string, { former }: Plan): Program {
  const names = program.map(({ name }) => name);
  const isThere = former.every(({ name, provider }) => provider === "userGroup" || names.includes(name));
  return (isThere ? program : former).map((each) =>
    each.provider === "userGroups" ? withArgs(each, { removed: "delete", deletionLimit: undefined }) : each,
  );
}

function withArgs(declared: Declared, args: object): Declared {
  return { ...declared, args: { ...declared.args, ...args } };
}
