/** What must hold whatever happens. */
import assert from "node:assert/strict";
import type { Emulator } from "../../provider/src/testing";
import { groupsIn, groupsOf } from "../model/groups";
import type { Tokens } from "../model/tokens";
import type { Choices } from "./choices";
import type { Driver } from "./driver";
import type { Program } from "./historyProgram";
import type { Provenance } from "./provenance";
import { idsIn } from "./historyRun";
import { storedOf, storedValues } from "./storedValues";

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
    const isShown = isUpToDate && !provenance.isContested(userGroupId);
    const [actual, expected] = [storedValues(inService), storedOf(args, choices)];
    if (isShown) assert.equal(actual.name, expected.name);
    if (isShown && (actual.properties || !isTouched))
      assert.deepEqual(actual.properties, expected.properties);
    if (!provenance.unverified.has(userGroupId)) assert.deepEqual(actual.mapping, expected.mapping);
  }
}
