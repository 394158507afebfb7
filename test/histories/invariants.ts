/** What must hold whatever happens, and after a run that succeeded. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Emulator } from "../../provider/src/testing";
import { type Tokens, groupsIn, groupsOf } from "../model/groups";
import type { Choices } from "./choices";
import { type Driver, type Run, idsIn, isTargeted } from "./driver";
import type { Program } from "./historyProgram";
import type { Provenance } from "./provenance";
import { stopsNothing } from "./serviceFaults";
import { nonEmpty, storedOf, storedValues } from "./declarations";

export interface Scope {
  readonly choices: Choices;
  readonly emulator: Emulator;
  readonly tokens: Tokens;
  readonly driver: Driver;
  readonly program: Program;
  readonly provenance: Provenance;
}

/** No recorded token was ever another group's, and no group is there that nobody knows of. */
export async function checkAlways({ emulator, tokens, driver, provenance }: Scope): Promise<void> {
  const resources = await driver.resources();
  const external = resources.filter(({ isExternal }) => isExternal).flatMap(groupsOf);
  for (const { userGroupId, token } of [...groupsIn(resources), ...external])
    assert(tokens.isOf(userGroupId, token), `The token recorded of "${userGroupId}" was never that group's`);
  const known = new Set([...idsIn(resources), ...provenance.foreign, ...provenance.loose]);
  const orphans = [...emulator.groups.keys()].filter((userGroupId) => !known.has(userGroupId));
  assert.deepEqual(orphans, [], "Groups that no state knows of");
}

/** After a refresh and as many updates as it takes, everything is as the program says. */
export async function checkSettled(scope: Scope): Promise<void> {
  const { choices, emulator, driver, program, provenance } = scope;
  const recorded = new Map(groupsIn(await driver.resources()).map((group) => [group.userGroupId, group]));
  for (const { userGroupId, args } of program.groups) {
    const [state, inService] = [recorded.get(userGroupId), emulator.groups.get(userGroupId)];
    assert(state && inService, `"${userGroupId}" is missing`);
    assert.equal(state.token, inService.token, `The token of "${userGroupId}" isn't the service's`);
    assert.equal(state.name, args.name);
    const isTouched = provenance.touched.has(userGroupId);
    const isUpToDate = choices.response === "stored" || choices.existing === "update" || !isTouched;
    const isShown = isUpToDate && !provenance.contested.has(userGroupId);
    const [actual, expected] = [storedValues(inService), storedOf(args, choices)];
    if (isShown) assert.equal(actual.name, expected.name);
    if (isShown && (actual.properties || !isTouched))
      assert.deepEqual(actual.properties, expected.properties);
    if (!provenance.unverified.has(userGroupId)) assert.deepEqual(actual.mapping, expected.mapping);
  }
}

/** A run without an error has done its work. To be called after the provenance has taken note of it. */
export function checkOutcome(scope: Scope, run: Run): void {
  if (run.result.wasKilled || run.result.errors.length > 0) return;
  checkMappings(scope, run);
  if (run.step.do === "up") checkApplied(scope, run);
  // The engine prints a partial failure of a refresh as a warning.
  if (run.step.do === "refresh" && stopsNothing(run.step.disturbance)) checkRefreshed(scope, run);
  if (run.step.do === "destroy") assert.deepEqual(run.after, []);
  if (run.step.do === "up") checkUpdated(scope, run);
}

/** The state has no mapping that the service doesn't have, as far as it can know. */
function checkMappings({ emulator, provenance }: Scope, { step, after }: Run): void {
  const groups = groupsIn(after);
  for (const { userGroupId, mapping } of groups) {
    const inService = emulator.groups.get(userGroupId);
    if (!inService || provenance.unverified.has(userGroupId)) continue;
    const holders = groups.filter((group) => group.userGroupId === userGroupId);
    const isConflict = holders.some(
      (holder) => !isDeepStrictEqual(nonEmpty(holder.mapping), nonEmpty(mapping)),
    );
    if (step.do === "refresh" && isConflict) continue;
    const message = `The state has a mapping of "${userGroupId}" that the service doesn't have`;
    assert.deepEqual(nonEmpty(mapping), nonEmpty(inService.mapping), message);
  }
}

/** The service has what the program says, for groups that the same resource held before. */
function checkApplied({ choices, emulator, program, provenance }: Scope, { step, before }: Run): void {
  if (step.do !== "up") return;
  for (const { userGroupId, resource, args } of program.groups) {
    const own = before.resources.find(({ name, status }) => name === resource && status === "live");
    const inService = emulator.groups.get(userGroupId);
    if (!own || !inService || isTargeted(step, own)) continue;
    if (!groupsIn([own]).some((group) => group.userGroupId === userGroupId)) continue;
    if (provenance.touched.has(userGroupId) || provenance.misshown.has(userGroupId)) continue;
    const message = `The service doesn't have what the program says of "${userGroupId}"`;
    assert.deepEqual(storedValues(inService), storedOf(args, choices), message);
  }
}

/** The state has what the service has, as far as that shows. */
function checkRefreshed({ choices, emulator, provenance }: Scope, { after }: Run): void {
  for (const { userGroupId, token, ...group } of groupsIn(after)) {
    const inService = emulator.groups.get(userGroupId);
    assert.equal(token, inService?.token, `The token of "${userGroupId}" isn't the service's`);
    if (!inService || choices.response === "requested") continue;
    if (provenance.misshown.has(userGroupId) || provenance.contested.has(userGroupId)) continue;
    const [state, service] = [storedOf(group, choices), storedValues(inService)];
    assert.equal(state.name, service.name);
    if (service.properties) assert.deepEqual(state.properties, service.properties);
  }
}

/** Exactly what the program declares is recorded; what was requested of the service has the service's token. */
function checkUpdated(scope: Scope, run: Run): void {
  const { emulator, program } = scope;
  const { before, after } = run;
  const declared = program.resources.filter(({ isLookup }) => !isLookup).map(({ name }) => name);
  const managed = after.filter(({ isExternal }) => !isExternal);
  assert.deepEqual(managed.map(({ name }) => name).sort(), declared.sort());
  const ids = program.groups.map(({ userGroupId }) => userGroupId);
  // A UserGroups keeps a group until the resource that declares it has it, at most until the next up.
  const managedIds = new Set(groupsIn(managed).map(({ userGroupId }) => userGroupId));
  assert.deepEqual([...managedIds].sort(), ids.sort());
  assert(managed.every(({ status, initErrors }) => status === "live" && initErrors.length === 0));
  const known = new Map(groupsIn(before.resources).map(({ userGroupId, token }) => [userGroupId, token]));
  for (const { userGroupId, token } of groupsIn(after))
    if (token !== known.get(userGroupId)) assert.equal(token, emulator.groups.get(userGroupId)?.token);
  checkKeepers(scope, run);
}

/**
 * Changed keepers give the group a new token, except where nothing tells the provider of them: the engine replaces the resource
 * without its state, and skips the deletion.
 */
function checkKeepers({ program, emulator }: Scope, { step, before }: Run): void {
  for (const { userGroupId, resource, args } of program.groups) {
    const own = before.resources.filter(({ name, status }) => name === resource && status === "live");
    if (own.some((each) => each.retainOnDelete && isTargeted(step, each))) continue;
    const group = groupsIn(own).find((each) => each.userGroupId === userGroupId);
    if (!group || isDeepStrictEqual(nonEmpty(group.keepers), nonEmpty(args.keepers))) continue;
    assert.notEqual(emulator.groups.get(userGroupId)?.token, group.token, `"${userGroupId}" kept its token`);
  }
}
