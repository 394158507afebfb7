/** What must hold whatever happens. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Emulator, StoredGroup } from "../../provider/src/testing";
import { groupsIn } from "../faults/model/held";
import type { Recorded } from "../faults/model/records";
import type { Tokens } from "../faults/model/tokens";
import type { Choices } from "./choices";
import type { Driver, EngineStep, Result } from "./driver";
import type { Program } from "./program";
import type { Disturbance } from "./steps";

export interface Scope {
  readonly choices: Choices;
  readonly emulator: Emulator;
  readonly tokens: Tokens;
  readonly driver: Driver;
  readonly program: Program;
  readonly foreign: ReadonlySet<string>;
  readonly loose: ReadonlySet<string>;
  readonly touched: ReadonlySet<string>;
}

interface Before {
  readonly groups: ReadonlyMap<string, StoredGroup>;
  readonly records: readonly Recorded[];
}

/** No recorded token was ever another group's, and no group is there that nobody knows of. */
export async function checkAlways({ emulator, tokens, driver, foreign, loose }: Scope): Promise<void> {
  const recorded = groupsIn(await driver.records());
  for (const { userGroupId, token } of recorded)
    assert(tokens.isOf(userGroupId, token), `The token recorded of "${userGroupId}" was never that group's`);
  const known = new Set([...recorded.map(({ userGroupId }) => userGroupId), ...foreign, ...loose]);
  const orphans = [...emulator.groups.keys()].filter((userGroupId) => !known.has(userGroupId));
  assert.deepEqual(orphans, [], "Groups that no record knows of");
}

/** A run leaves alone what isn't its business, and one that nothing disturbed has done what it was for. */
export async function checkAfterRun(
  scope: Scope,
  step: EngineStep,
  before: Before,
  result: Result,
): Promise<void> {
  checkUntouched(scope, step, before);
  checkErrors(step, before, result);
  if (result.wasKilled || result.errors.length > 0) return;
  const records = await scope.driver.records();
  if (step.do === "refresh") checkRefreshed(scope, records);
  if (step.do === "destroy") assert.deepEqual(records, []);
  if (step.do === "up") checkUpdated(scope, records, before);
}

/** Groups with other names, mappings or properties than the program's are replaced; nothing else loses its token. */
function checkUntouched({ emulator, program }: Scope, { do: command }: EngineStep, before: Before): void {
  for (const { userGroupId, token } of before.groups.values()) {
    const held = before.records.filter((record) =>
      groupsIn([record]).some((group) => group.userGroupId === userGroupId),
    );
    const mayGo =
      command !== "refresh" && held.length > 0 && !(command === "up" && isKept(userGroupId, held, program));
    if (!mayGo)
      assert.equal(emulator.groups.get(userGroupId)?.token, token, `"${userGroupId}" isn't what it was`);
  }
}

/** Whether a record is the program's to the letter, or the program has another resource take the group over. */
function isKept(userGroupId: string, records: readonly Recorded[], program: Program): boolean {
  const declared = program.groups.find((group) => group.userGroupId === userGroupId);
  if (!declared) return false;
  const own = records.find(({ name, standing }) => name === declared.resource && standing === "live");
  if (!own) return true;
  const held = groupsIn([own]).find((group) => group.userGroupId === userGroupId);
  const { name, mapping, properties } = declared.args;
  return held?.name === name && isDeepStrictEqual([held.mapping, held.properties], [mapping, properties]);
}

/** What passes stops nothing: after it, only the deletion of a group whose recorded token is stale may fail. */
function checkErrors({ disturbance }: EngineStep, before: Before, { errors }: Result): void {
  if (!isPassing(disturbance)) return;
  const stale = groupsIn(before.records)
    .filter(({ userGroupId, token }) => before.groups.get(userGroupId)?.token !== token)
    .map(({ userGroupId }) => `"${userGroupId}"`);
  for (const error of errors)
    assert(
      stale.some((name) => error.includes(name)),
      `A run failed though nothing stood in its way: ${error}`,
    );
}

function isPassing(disturbance: Disturbance): boolean {
  if (disturbance.kind !== "fault") return disturbance.kind === "none";
  return disturbance.times !== "lasting" && passing.has(disturbance.fault);
}

/** Faults after which a request is sent again. */
const passing = new Set<Extract<Disturbance, { kind: "fault" }>["fault"]>([
  "500",
  "lost before",
  "lost after",
  "cut off",
]);

/** Every record holds what the service holds, as far as that shows. */
function checkRefreshed({ choices, emulator }: Scope, records: readonly Recorded[]): void {
  for (const { userGroupId, token, name, properties } of groupsIn(records)) {
    const shown = emulator.groups.get(userGroupId);
    assert.equal(token, shown?.token, `The token of "${userGroupId}" isn't the service's`);
    if (choices.answer === "requested") continue;
    assert.equal(name, shown?.name);
    if (shown?.properties) assert.deepEqual(properties ?? {}, shown.properties);
  }
}

/** Exactly what the program declares is recorded; what was asked of the service has the service's token. */
function checkUpdated({ emulator, program }: Scope, records: readonly Recorded[], before: Before): void {
  const recorded = groupsIn(records).map(({ userGroupId }) => userGroupId);
  assert.deepEqual(recorded.sort(), program.groups.map(({ userGroupId }) => userGroupId).sort());
  assert(records.every(({ standing, initErrors }) => standing === "live" && initErrors.length === 0));
  const known = new Map(groupsIn(before.records).map(({ userGroupId, token }) => [userGroupId, token]));
  for (const { userGroupId, token } of groupsIn(records))
    if (token !== known.get(userGroupId)) assert.equal(token, emulator.groups.get(userGroupId)?.token);
}

/** After a refresh and as many updates as it takes, all is the program's, and then nothing is left to do. */
export async function checkSettled({ choices, emulator, driver, program, touched }: Scope): Promise<void> {
  const recorded = new Map(groupsIn(await driver.records()).map((group) => [group.userGroupId, group]));
  for (const { userGroupId, args } of program.groups) {
    const [record, held] = [recorded.get(userGroupId), emulator.groups.get(userGroupId)];
    assert.equal(record?.token, held?.token, `The token of "${userGroupId}" isn't the service's`);
    assert.equal(record?.name, args.name);
    const isShown = choices.answer === "stored" || choices.existing === "update" || !touched.has(userGroupId);
    if (isShown) assert.equal(held?.name, args.name);
    if (isShown && held?.properties) assert.deepEqual(held.properties, args.properties ?? {});
    if (!touched.has(userGroupId)) assert.deepEqual(held?.mapping ?? {}, args.mapping ?? {});
    if (!touched.has(userGroupId)) assert.deepEqual(held?.properties ?? {}, args.properties ?? {});
  }
}
