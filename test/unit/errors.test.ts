/** How messages name groups, and that no text of others acts on a terminal, a log or the engine. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { EngineLog } from "../../provider/adapters/engineLog";
import { checkReasons, outputsOf } from "../../provider/adapters/results";
import { warningNames, warningOf } from "../../provider/core/messages/warnings";
import * as errors from "../../provider/errors";
import { settingIssues, settingSources } from "../../provider/adapters/plugin/settingSources";
import { readSettings, settingName, waysToSet } from "../../provider/settings/readSettings";
import { escaped, escapedLines, propertyPath } from "../../provider/text";
import { emulatorTest } from "../support/harness/emulatorTest";
import { contextOf, failureOf } from "../support/harness/providers";
import { send } from "./testing/rawRequest";

const { firstFew, nameOf, namesOf, toUserGroupError } = errors;

it("an error names groups in one short line, whatever their IDs are", () => {
  const groups = ["a", "b", "c", "d", "e", "f\n", "g"].map((userGroupId) => ({ userGroupId }));
  for (const [text, expected] of [
    [nameOf({ userGroupId: "acme" }), 'user group "acme"'],
    [nameOf({ userGroupId: 'a"\n::error::' }), 'user group "a\\"\\n::error::"'],
    [nameOf({ userGroupId: "##[error]\u009b\u202e" }), 'user group "\\u0023#[error]\\u009b\\u202e"'],
    [nameOf({ userGroupId: "é 漢 😀 # <{" }), 'user group "é 漢 😀 # <{"'],
    [nameOf({ userGroupId: "x".repeat(100_000) }), `user group "${"x".repeat(80)}…"`],
    [namesOf(groups.slice(0, 1)), 'user group "a"'],
    [namesOf(groups), 'user groups "a", "b", "c", "d", "e" and 2 more'],
    [firstFew(groups.slice(1, 6)), '"b", "c", "d", "e", "f\\n"'],
  ] as const)
    assert.equal(text, expected);
});

/** Everything that a terminal, the log of a pipeline or the engine acts on. The engine ends at an unknown color. */
const active = [
  ...Array.from("\n\r\t\0\u007f\u0085\u2028\u2029\u202e\u2066\u200b\ufeff"),
  ...["\u001b[2J", "\u009b31m", "::error::", "##[error]", "##vso[task]", "<{%fg 99%}>", '"', "\\", "###"],
];
const hostile = `${active.join("x")}\n::error::`;

function assertInert(message: string): void {
  const found = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}|##|<\{%|^\s*::/mu.exec(message);
  assert.equal(found, null, JSON.stringify(message));
}

function assertInertLine(message: string): void {
  assertInert(message);
  assert(!message.includes("\n"), JSON.stringify(message));
}

describe("no message contains an active character of", () => {
  /** The messages about a group, its provider and its settings, all of which have these names. */
  function messagesOf(text: string, other: string): string[] {
    const group = { userGroupId: text };
    const subject = { ...group, operation: "create", provider: other } as const;
    const environment = { [`USER_GROUPS_${text.toUpperCase()}_TIMEOUT`]: "x" };
    const args = { baseUrl: other, timeout: [text] };
    const ofProvider = settingSources({ name: text, args }, environment);
    const ofProgram = { ...ofProvider, environment: {}, provider: undefined };
    return [
      ...[nameOf(group), namesOf([group, group]), firstFew([group]), escaped(text)],
      ...[propertyPath(["groups", text, other]), ...settingIssues(ofProvider)],
      ...[settingName("baseUrl", subject), settingName("apiToken", {})],
      ...[waysToSet("apiToken", {}), waysToSet("baseUrl", subject)],
      ...[ofProvider, ofProgram].map((sources) => messageOf(() => readSettings(sources))),
      errors.cannot(subject, { code: "unexpected", cause: "it", remedy: "Nothing." }).message,
      ...warningNames.flatMap((name) => [warningOf(name, [group]), warningOf(name, [group, group])]),
      ...checkReasons([{ path: text, reason: other }]),
    ];
  }

  /** A text as whatever prints it shows it. */
  async function printed(text: string): Promise<string[]> {
    const lines: string[] = [];
    const log = new EngineLog({
      protocol: () => assert.fail("no engine is attached"),
      write: (line) => lines.push(line),
    });
    const logger = log.loggerFor(`pulumi-nodejs:dynamic/user-groups:UserGroups::${text}`);
    logger.info(text);
    logger.warn(`${text} [adopted]`);
    await logger.delivered();
    const error = new errors.UserGroupError("unexpected", text);
    const failure = { error, reasons: [text], warn: () => undefined };
    const recorded = caught(() => outputsOf({ id: "tenants", state: {}, failure }, {}));
    assert("reasons" in recorded && Array.isArray(recorded.reasons));
    return [...lines, escapedLines(text), error.message, ...recorded.reasons.map(String)];
  }

  it("any ID, key, name of a provider or address", async () => {
    const anyPart = fc.oneof(fc.constantFrom(...active), fc.string({ unit: "binary" }));
    const anyText = fc.array(anyPart, { maxLength: 6 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, other) => {
        messagesOf(text, other).forEach(assertInertLine);
        (await printed(text)).forEach(assertInert);
        assert.equal(escaped(escaped(text)), escaped(text));
      }),
    );
  });

  emulatorTest(
    "an argument, the address in a state, a warning or the emulator's log",
    {},
    async (emulator) => {
      const { userGroup, lines } = contextOf(emulator);
      const group = {
        userGroupId: hostile,
        mapping: { [hostile]: true },
        [hostile]: 1,
        overlapHours: hostile,
      };
      const { failures = [] } = await userGroup.check({}, group);
      const reasons = failures.map(({ property, reason }) => `${property}: ${reason}`);
      assert.equal(reasons.length, 4);
      const state = { userGroupId: hostile, name: "Acme", token: "t", baseUrl: hostile };
      const elsewhere = await failureOf(userGroup.delete(hostile, state));
      emulator.putGroup({ userGroupId: hostile, name: "Acme" });
      await userGroup.create({ userGroupId: hostile, name: "Acme" });
      assert.match(lines.join(), /existed/);
      await send(emulator, { method: "DELETE", body: { user_group_id: 7, mapping: { [hostile]: {} } } });
      await send(emulator, { path: "/\u009b31m?\u0085" });
      const logged = emulator.requests.map(String);
      [...reasons, elsewhere.message, ...lines, ...logged].forEach(assertInertLine);
    },
  );
});

it("an unexpected exception becomes an error that says where it was thrown, and nothing of its message. A request may have been sent", () => {
  const subject = { operation: "create", userGroupId: "acme" } as const;
  const { code, message, isPossiblyApplied } = toUserGroupError(new TypeError("s3cret\nmore"), subject);
  assert.deepEqual([code, isPossiblyApplied], ["unexpected", true]);
  assert.match(
    message,
    /^Cannot create user group "acme": an unexpected TypeError was thrown at errors\.test\.ts:\d+\. /,
  );
  assert.doesNotMatch(message, /s3cret/);
});

function caught(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return assert.fail("It didn't fail.");
}

function messageOf(work: () => unknown): string {
  return caught(work).message;
}
