/** What must hold of a failure, and of the state after it. */
import assert from "node:assert/strict";
import type { Context } from "../harness/context";
import { normalizations, type Normalization } from "../harness/normalizations";
import { groupsIn, groupsInService, type GroupState } from "../model/groups";
import type { Failure } from "../model/run";

/** Service and state have the same groups, with the same values and tokens, except for groups of somebody else. */
export function assertEqualToService(
  { engine, emulator }: Pick<Context, "engine" | "emulator">,
  { normalization = "none", foreign }: { normalization?: Normalization; foreign?: string | undefined } = {},
): void {
  const stored = groupsIn(engine.resources).map((group) => asStored(group, normalization));
  const ours = groupsInService(emulator).filter(({ userGroupId }) => userGroupId !== foreign);
  assert.deepEqual(comparable(stored), comparable(ours));
}

/** Each recorded token is one that the service has issued for that very group. */
export function assertConfirmed({ engine, tokens }: Pick<Context, "engine" | "tokens">): void {
  for (const { userGroupId, token } of groupsIn(engine.resources))
    assert(tokens.isOf(userGroupId, token), `The token recorded of "${userGroupId}" was never that group's`);
}

/** Every group in the service is recorded, or a failure says that its creation may have left it there. */
export function assertKnown(
  { engine, emulator }: Pick<Context, "engine" | "emulator">,
  failures: readonly Failure[],
  foreign: string | undefined,
): void {
  const recorded = new Set(groupsIn(engine.resources).map(({ userGroupId }) => userGroupId));
  for (const userGroupId of emulator.groups.keys())
    if (userGroupId !== foreign && !recorded.has(userGroupId)) assertAnnounced(userGroupId, failures);
}

export function assertAnnounced(userGroupId: string, failures: readonly Failure[]): void {
  const messages = failures.map(({ message }) => message).join("\n");
  assert(isAnnounced(userGroupId, messages), `No error says that "${userGroupId}" may exist: ${messages}`);
}

/** Whether errors say that the creation of a group may have been applied. */
function isAnnounced(userGroupId: string, messages: string): boolean {
  const id = JSON.stringify(userGroupId).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const name = new RegExp(`Cannot create user group ${id}|The same for \\d+ more: .*${id}`);
  const announcement = /may exist now|says that it created a group|\[adoption-refused\]|\[unexpected\]/;
  return messages.split("\n").some((line) => name.test(line) && announcement.test(line));
}

/** It says in one line what failed for which group and what to do, ends in its code, and shows no secret. */
export function assertClear({ operation, message }: Failure, { emulator, tokens }: Context): void {
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

/** The codes that errors name, without that of an operation on many groups. */
export function codesOf(failures: readonly Failure[]): string[] {
  const found = failures.flatMap(({ message }) =>
    [...message.matchAll(/\[([a-z-]+)\]/g)].map(([, code]) => code),
  );
  const summaries = new Set<string | undefined>(["partial-failure", "unfinished"]);
  const codes = new Set(found.filter((code) => code !== undefined && !summaries.has(code)));
  return codes.size === 0 && failures.length > 0
    ? ["no code"]
    : [...codes].sort().map((code) => `\`${code ?? ""}\``);
}

/** What the service stores for what the state says was sent. */
function asStored(group: GroupState, normalization: Normalization): GroupState {
  const values = { userGroupId: group.userGroupId, name: group.name, properties: filled(group.properties) };
  const { name, properties } = normalizations[normalization](values);
  return { ...group, name, properties };
}

/** In the same order, and with empty objects for those that are missing: a service may show none for either. */
function comparable(groups: readonly GroupState[]): object[] {
  const all = groups.map(({ keepers, ...group }) => ({
    ...group,
    mapping: filled(group.mapping),
    properties: filled(group.properties),
  }));
  return all.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}

function filled(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
