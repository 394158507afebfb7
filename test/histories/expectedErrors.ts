/** Which errors a run may report. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { groupsIn } from "../model/groups";
import type { Scope } from "./invariants";
import { type DeclaredGroup, nonEmpty } from "./declarations";
import type { Run } from "./driver";
import { stopsNothing } from "./serviceFaults";
import type { Resource } from "./steps";

/** A retryable fault stops nothing. Errors remain for mistakes of the program and for stale tokens. */
export function checkErrors(scope: Scope, run: Run): void {
  const errors = run.result.errors.join("\n");
  assert.doesNotMatch(errors, /not tried/i, "A few failures kept other groups from being tried");
  if (!stopsNothing(run.step.disturbance)) return;
  for (const problem of problemsIn(run.result.errors))
    assert(
      isStale(problem, run) || expected.get(problem.code)?.(problem, scope, run),
      `A run failed though nothing stood in its way: ${problem.text}`,
    );
}

/** The deletion of a group whose recorded token isn't the service's any more may be refused. */
function isStale(problem: Problem, { before }: Run): boolean {
  return groupsIn(before.resources).some(
    ({ userGroupId, token }) =>
      before.groups.get(userGroupId)?.token !== token && isAbout(problem, userGroupId),
  );
}

type Expectation = (problem: Problem, scope: Scope, run: Run) => boolean;

/** Mistakes of the program, by the code of their error. */
const expected: ReadonlyMap<string, Expectation> = new Map<string, Expectation>([
  [
    "setting-conflict",
    ({ text }, { choices, program }) =>
      choices.changes === "update" &&
      (text.includes("adopt") || (/lookup|get/.test(text) && program.lookedUp !== undefined)),
  ],
  [
    "adoption-refused",
    (problem, scope, { before }) =>
      withoutAdoption(scope).some(
        (userGroupId) =>
          isAbout(problem, userGroupId) &&
          (before.groups.has(userGroupId) || userGroupId === scope.program.lookedUp),
      ),
  ],
  [
    "adoption-ambiguous",
    (problem, scope, { step }) =>
      step.disturbance.kind === "fault" &&
      withoutAdoption(scope).some((userGroupId) => isAbout(problem, userGroupId)),
  ],
  ["mapping-conflict", isRefusedMove],
  // The service has once shown other values than it stored, and they can't be told from a drift.
  [
    "update-not-applied",
    (problem, { program: { groups }, provenance }) =>
      groups.some(({ userGroupId }) => isAbout(problem, userGroupId) && provenance.misshown.has(userGroupId)),
  ],
  // After a lost response the deletion is refused, and a get-or-create could write to somebody else's group.
  [
    "service-refused",
    ({ text }, { choices }, { step }) =>
      choices.changes === "update" && text.includes("Cannot delete") && step.disturbance.kind === "fault",
  ],
  // A renamed resource with adopt: false, because the former state isn't known when it is created. Or a lookup by another connection.
  [
    "move-unconfirmed",
    (problem, scope, run) =>
      isRefusedMove(problem, scope, run) ||
      [...withoutAdoption(scope), scope.program.lookedUp ?? ""].some((userGroupId) =>
        isAbout(problem, userGroupId),
      ),
  ],
  ["replacement-retained", (problem, _, { before }) => isRetained(problem, before)],
  [
    "nothing-found",
    (_problem, _scope, { before }) =>
      groupsIn(before.resources).filter(({ userGroupId }) => !before.groups.has(userGroupId)).length >= 3,
  ],
  // A lookup by the plugin creates no group.
  [
    "no-such-group",
    (problem, { program: { lookedUp } }) => lookedUp !== undefined && isAbout(problem, lookedUp),
  ],
]);

function withoutAdoption({ program }: Scope): string[] {
  const refuses = ({ resource }: { resource: Resource }) => program.refusesAdoption(resource);
  return program.groups.filter(refuses).map(({ userGroupId }) => userGroupId);
}

/** A move is refused if a resource in the state has other values of the group than the program. */
function isRefusedMove(problem: Problem, { program }: Scope, { before }: Run): boolean {
  const moved = program.groups.filter(({ userGroupId }) => isAbout(problem, userGroupId));
  return moved.some((group) => hasOtherValues(group, before.resources));
}

function hasOtherValues({ userGroupId, args }: DeclaredGroup, resources: Run["after"]): boolean {
  return groupsIn(resources).some(
    (group) =>
      group.userGroupId === userGroupId &&
      !(
        group.name === args.name &&
        (["mapping", "properties", "keepers"] as const).every((field) =>
          isDeepStrictEqual(nonEmpty(group[field]), nonEmpty(args[field])),
        )
      ),
  );
}

/** Whether the engine has skipped the deletion of a group, or is going to: it still has the token of the state. */
function isRetained(problem: Problem, { groups, resources }: Run["before"]): boolean {
  return resources.some(({ retainOnDelete, status, ...resource }) => {
    if (!retainOnDelete && status !== "pending replacement") return false;
    const stored = groupsIn([{ ...resource, retainOnDelete, status: "live" }]);
    return stored.some(
      ({ userGroupId, token }) => isAbout(problem, userGroupId) && groups.get(userGroupId)?.token === token,
    );
  });
}

/** What errors say: code and text of each problem. */
export interface Problem {
  /** Empty for an error without a code. */
  readonly code: string;
  readonly text: string;
}

/** The code of the summary of an operation on many groups. */
const summary = "partial-failure";

/** The problems that errors name, without the summary. */
export function problemsIn(errors: readonly string[]): Problem[] {
  return errors.flatMap((error) => {
    const problems = [...error.matchAll(/([^[\]]|\[(?![a-z-]+\]))*\[([a-z-]+)\]/g)].map(([text, , code]) => {
      return { code: code ?? "", text };
    });
    const others = problems.filter(({ code }) => code !== summary);
    return problems.length > 0 ? others : [{ code: "", text: error }];
  });
}

export function isAbout({ text }: Problem, userGroupId: string): boolean {
  return text.includes(JSON.stringify(userGroupId));
}
