/** What must hold of a failure, and of what is recorded after it. */
import assert from "node:assert/strict";
import { groupsHeldBy, groupsIn, type HeldGroup } from "./model/held";
import type { Failure } from "./model/run";
import type { Place } from "./place";

/** Service and state hold the same groups, with the same values and tokens. */
export function assertEqualToService({ engine, emulator }: Pick<Place, "engine" | "emulator">): void {
  assert.deepEqual(comparable(groupsIn(engine.records)), comparable(groupsHeldBy(emulator)));
}

/** Each recorded token is one that the service has given to that very group. */
export function assertConfirmed({ engine, tokens }: Pick<Place, "engine" | "tokens">): void {
  for (const { userGroupId, token } of groupsIn(engine.records))
    assert(tokens.isOf(userGroupId, token), `The token recorded of "${userGroupId}" was never that group's`);
}

/** It says in one line what couldn't be done to which group and what to do, ends in its code, and shows no secret. */
export function assertClear({ operation, message }: Failure, { emulator, tokens }: Place): void {
  for (const line of message.split("\n")) {
    assert.match(
      line,
      /^Cannot \w+ (user group "[\w-]+"|all user groups): .+\. \S.+ \[[a-z-]+\]$|^Not tried: /,
      operation,
    );
    for (const secret of [...tokens.all, emulator.apiToken, "front row", "middle row", "Oops", "Welcome"])
      assert(!line.includes(secret), "The error shows a secret or a body");
  }
}

/** The codes that an error names, without that of an operation on many groups. */
export function codesOf(failures: readonly Failure[]): string[] {
  const found = failures.flatMap(({ message }) =>
    [...message.matchAll(/\[([a-z-]+)\]/g)].map(([, code]) => code),
  );
  const codes = new Set(found.filter((code) => code !== undefined && code !== "unfinished"));
  return [...codes].sort().map((code) => `\`${code ?? ""}\``);
}

/** In the same order, and with empty objects for those that are missing: a service may show none for either. */
function comparable(groups: readonly HeldGroup[]): object[] {
  const filled = groups.map((group) => ({
    ...group,
    mapping: group.mapping ?? {},
    properties: group.properties ?? {},
  }));
  return filled.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}
