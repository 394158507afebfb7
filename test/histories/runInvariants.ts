/** What must hold of a run, whether it succeeds or fails. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { groupsIn, groupsOf, type GroupState } from "../model/groups";
import type { ResourceState } from "../model/resources";
import { checkErrors } from "./expectedErrors";
import { nonEmpty, significant, type GroupArgs } from "./declarations";
import type { Scope } from "./invariants";
import type { Program } from "./historyProgram";
import { idsIn, isTargeted, type Run, requestsTo } from "./driver";

/** A run leaves alone what it has nothing to do with. To be called before the provenance takes note of the run. */
export function checkRun(scope: Scope, run: Run): void {
  checkKept(scope, run);
  checkUnrequested(scope, run);
  checkAdoption(scope, run);
  checkConflict(scope, run);
  checkErrors(scope, run);
}

/** Groups with other values than the program's are replaced; nothing else loses its token. */
function checkKept({ emulator, program }: Scope, { step, before }: Run): void {
  for (const { userGroupId, token } of before.groups.values()) {
    const holders = before.resources.filter(
      (resource) =>
        !resource.isExternal && groupsOf(resource).some((group) => group.userGroupId === userGroupId),
    );
    const isKept = step.do === "up" && mustKeep(userGroupId, holders, program);
    const mayGo = step.do !== "refresh" && holders.length > 0 && !isKept;
    if (!mayGo)
      assert.equal(emulator.groups.get(userGroupId)?.token, token, `"${userGroupId}" isn't what it was`);
  }
}

/**
 * Whether a resource has the group to the letter as the program says, another resource takes it over so, or a lookup
 * reads it.
 */
function mustKeep(userGroupId: string, holders: readonly ResourceState[], program: Program): boolean {
  const declared = program.groups.find((group) => group.userGroupId === userGroupId);
  if (!declared) return program.lookedUp === userGroupId;
  const own = holders.filter(({ name, status }) => name === declared.resource && status !== "pending delete");
  // By two connections, two declarations may be of two accounts.
  const { args } = program.resources.find(({ name }) => name === declared.resource) ?? { args: {} };
  if (holders.some(({ inputs }) => "connection" in inputs !== "connection" in args)) return false;
  // The resource was about to be replaced, and nobody knows with which values.
  if (own.some(({ status }) => status === "pending replacement")) return false;
  return (own.length > 0 ? own : holders).every((holder) =>
    groupsIn([holder]).some(
      (group) =>
        group.userGroupId === userGroupId &&
        isDeepStrictEqual(significant(asArgs(group)), significant(declared.args)),
    ),
  );
}

function asArgs({ name, mapping, properties, keepers }: GroupState): GroupArgs {
  const kept = nonEmpty(keepers);
  return {
    name,
    mapping: nonEmpty(mapping) ?? null,
    properties: nonEmpty(properties) ?? null,
    ...(kept && { keepers: kept }),
  };
}

/** A group that is exactly as the program says isn't requested, and keeps its token. */
function checkUnrequested({ emulator, program, provenance }: Scope, { step, before }: Run): void {
  if (step.do !== "up") return;
  const requested = new Set(requestsTo(emulator).map(({ userGroupId }) => userGroupId));
  for (const group of program.groups) {
    const { userGroupId, resource } = group;
    const declared = program.resources.find(({ name }) => name === resource);
    // A change to the service's other name is a replacement that keeps the group.
    const isReplaced = before.resources.some(
      (each) =>
        each.name === resource &&
        (isTargeted(step, each) || "connection" in each.inputs !== "connection" in (declared?.args ?? {})),
    );
    if (!provenance.settled.has(group)) continue;
    const token = before.groups.get(userGroupId)?.token;
    const message = `"${userGroupId}" was as the program says, and isn't what it was`;
    assert.equal(emulator.groups.get(userGroupId)?.token, token, message);
    if (isReplaced || userGroupId === program.lookedUp) continue;
    assert(!requested.has(userGroupId), `"${userGroupId}" was as the program says, and was requested`);
  }
}

/** Without adoption, somebody else's group isn't recorded. `checkKept` sees to it that it isn't deleted. */
function checkAdoption({ program, provenance }: Scope, { step, after }: Run): void {
  if (step.do !== "up") return;
  for (const resource of after) {
    if (resource.isExternal || !("adopt" in resource.inputs) || resource.inputs.adopt !== false) continue;
    for (const { userGroupId } of groupsIn([resource]))
      assert(!provenance.foreign.has(userGroupId), foreignMessage(userGroupId, program));
  }
}

function foreignMessage(userGroupId: string, { groups }: Program): string {
  const { resource } = groups.find((group) => group.userGroupId === userGroupId) ?? { resource: "nothing" };
  return `Somebody else's "${userGroupId}" is recorded by ${resource}, though adopt is false`;
}

/** With in-place updates, get-or-create writes: what must not write is refused before any request. */
function checkConflict({ choices, emulator, program }: Scope, { step, before, result }: Run): void {
  if (choices.changes === "replace" || step.do !== "up") return;
  const isAccepted = !result.wasKilled && result.errors.length === 0;
  assert(!isAccepted || program.lookedUp === undefined, "A lookup that writes is accepted");
  const known = idsIn(before.resources.filter(({ isExternal }) => !isExternal));
  const refused = program.groups.filter(
    ({ resource, userGroupId }) => program.refusesAdoption(resource) && !known.has(userGroupId),
  );
  assert(!isAccepted || refused.length === 0, "A creation that writes is accepted, though adopt is false");
  const ids = new Set([...refused.map(({ userGroupId }) => userGroupId), program.lookedUp]);
  const declared = new Set(program.groups.map(({ userGroupId }) => userGroupId));
  for (const { userGroupId = "", method } of requestsTo(emulator)) {
    const isRefused = ids.has(userGroupId) && !known.has(userGroupId);
    const isOther = userGroupId === program.lookedUp && declared.has(userGroupId);
    assert(method !== "GET" || !isRefused || isOther, `"${userGroupId}" was requested, though that writes`);
  }
}
