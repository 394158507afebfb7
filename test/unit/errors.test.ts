/** How messages name groups, and that no text of others acts on a terminal, a log or the engine. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { lineLogger } from "../../provider/src/adapter/lineLogger";
import { checkReasons, outputsOf } from "../../provider/src/adapter/results";
import { warningOf, warnings, type Warning } from "../../provider/src/core/messages/warnings";
import { settingIssues, settingSources } from "../../provider/src/plugin/settingSources";
import { EngineLog } from "../../provider/src/plugin/engineLog";
import * as errors from "../../provider/src/errors";
import { readSettings, settingName, waysToSet } from "../../provider/src/settings/readSettings";
import { escaped, escapedLines, propertyPath, quoted } from "../../provider/src/text";
import { isObject } from "../../provider/src/values";
import { emulatorTest } from "../harness/emulatorTest";
import { EngineLogServer } from "../harness/pluginProcess";
import { contextOf, failureOf } from "../harness/providers";
import { runCommand } from "./cli/runCommand";
import { send } from "./testing/rawRequest";

const { firstFew, nameOf, namesOf, toUserGroupError } = errors;

describe("an error for people", () => {
  it("names groups in one short line, whatever their IDs are", () => {
    const groups = ["a", "b", "c", "d", "e", "f", "g"].map((userGroupId) => ({
      userGroupId,
      connection: "eu",
    }));
    const cases: [text: string, expected: string][] = [
      [nameOf({ userGroupId: "acme" }), 'user group "acme"'],
      [nameOf({ userGroupId: "acme", connection: "eu" }), 'user group "acme" (connection "eu")'],
      [nameOf({ userGroupId: 'a"\n::error::' }), 'user group "a\\"\\n::error::"'],
      [nameOf({ userGroupId: "##[error]" }), 'user group "\\u0023#[error]"'],
      [nameOf({ userGroupId: "\u009b\u202e" }), 'user group "\\u009b\\u202e"'],
      [nameOf({ userGroupId: "é 漢 😀 # <{" }), 'user group "é 漢 😀 # <{"'],
      [nameOf({ userGroupId: "x".repeat(80) }), `user group "${"x".repeat(80)}"`],
      [nameOf({ userGroupId: "x".repeat(100_000) }), `user group "${"x".repeat(80)}…"`],
      [namesOf(groups.slice(0, 1)), 'user group "a" (connection "eu")'],
      [namesOf(groups), 'user groups "a", "b", "c", "d", "e" and 2 more (connection "eu")'],
      [namesOf([{ userGroupId: "a" }, { userGroupId: "b" }]), 'user groups "a", "b"'],
      [firstFew([{ userGroupId: "a\nb" }, ...groups.slice(1, 5)]), '"a\\nb", "b", "c", "d", "e"'],
    ];
    for (const [text, expected] of cases) assert.equal(text, expected);
  });
});

/** Everything that a terminal, the log of a pipeline or the engine acts on. The engine ends at an unknown color. */
const parts = ["\n", "\r", "\t", "\0", "\u001b[2J", "\u007f", "\u0085", "\u009b31m", "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\ufeff"]; // prettier-ignore
const commands = ["::error::", "##[error]", "##vso[task]", "<{%fg 99%}>", '"', "\\", "###", "a", "é"];
const hostile = `${parts.join("x")}${commands.join("")}\n::error::`;

const warningNames = Object.keys(warnings).filter((name): name is Warning => name in warnings);

/** The files that print, or that send a text which the engine prints. */
const sinks = [
  "cli.ts",
  "dynamic/dynamicProviders.ts",
  "plugin/engineLog.ts",
  "plugin/main.ts", // Its port
  "plugin/providerMethods.ts",
  "plugin/resourceMethods.ts",
];

/** `lines`: the number of lines that the message has for any group; undefined: not known. */
function assertInert(message: string, lines?: number): void {
  assert.doesNotMatch(
    message,
    /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}|##|<\{%|^\s*::/mu,
    JSON.stringify(message),
  );
  if (lines !== undefined) assert.equal(message.split("\n").length, lines, JSON.stringify(message));
}

describe("no message contains an active character of", () => {
  it("any ID, key, connection, name of a provider or address", () => {
    const anyPart = fc.oneof(fc.constantFrom(...parts, ...commands), fc.string({ unit: "binary" }));
    const anyText = fc.array(anyPart, { maxLength: 6 }).map((each) => each.join(""));
    const messagesOf = (text: string, connection: string): string[] => {
      const group = { userGroupId: text, connection };
      const subject = { ...group, operation: "create", provider: text } as const;
      const environment = { [`USER_GROUPS_${connection.toUpperCase()}_TIMEOUT`]: "x" };
      const explicit = settingSources(
        { name: text, args: { baseUrl: connection, timeout: [text] } },
        environment,
      );
      return [
        ...[nameOf(group), namesOf([group, group]), firstFew([group]), quoted(text), escaped(text)],
        ...[propertyPath(["groups", text, connection]), ...settingIssues(explicit)],
        ...[settingName("baseUrl", subject), settingName("apiToken", group), waysToSet("apiToken", group)],
        ...[subject, group].map((owner) => waysToSet("baseUrl", owner)),
        ...[explicit, { ...explicit, environment: {}, provider: undefined }].map((sources) => {
          return assertThrows(() => readSettings(sources, connection)).message;
        }),
        errors.cannot(subject, "unexpected", "it", "Nothing.").message,
        ...warningNames.flatMap((name) => [warningOf(name, [group]), warningOf(name, [group, group])]),
        ...checkReasons([{ path: text, reason: connection }]),
      ];
    };
    const sinksOf = (text: string): string[] => {
      const lines: string[] = [];
      const logger = lineLogger((line) => lines.push(line));
      logger.info(text);
      logger.warn(`${text} [adopted]`);
      const error = new errors.UserGroupError("unexpected", text);
      const state = { id: "tenants", state: {}, failure: { error, reasons: [text] } };
      const failure: unknown = assertThrows(() => outputsOf(state, {}));
      assert(isObject(failure) && Array.isArray(failure["reasons"]));
      return [...lines, escapedLines(text), error.message, ...failure["reasons"].map(String)];
    };
    fc.assert(
      fc.property(anyText, anyText, (text, connection) => {
        for (const message of messagesOf(text, connection)) assertInert(message, 1);
        for (const message of sinksOf(text)) assertInert(message);
        assert.equal(escaped(escaped(text)), escaped(text));
      }),
    );
  });

  it("a text that reaches a sink of its own: each is one of those above", () => {
    const sink =
      /process\.std(out|err)\.write|(?<!`)console\.\w+\(|\.set(Message|Reason)\([^"]|log\.(warn|info|error)\(/;
    const folder = join(__dirname, "../../provider/src");
    const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => file.endsWith(".ts"));
    const found = sources.filter((file) => sink.test(fs.readFileSync(join(folder, file), "utf8"))).sort();
    assert.deepEqual(found, sinks);
  });

  it("a text in the engine's log", async () => {
    const lines: string[] = [];
    const server = await EngineLogServer.start((line) => lines.push(line));
    const log = new EngineLog();
    log.attach(server.address);
    const logger = log.loggerFor("urn");
    logger.info(hostile);
    logger.warn(hostile);
    await logger.delivered();
    server.stop();
    assert.equal(lines.length, 2);
    for (const line of lines) assertInert(line);
  });

  emulatorTest("an argument, the address in a state or a warning", {}, async (emulator) => {
    const { userGroup, userGroups, lines } = contextOf(emulator);
    const group = { name: 7, mapping: { [hostile]: true }, [hostile]: 1 };
    const ofMany = await userGroups.check({ groups: { [hostile]: group }, [hostile]: 1 });
    const ofOne = await userGroup.check({ userGroupId: hostile, ...group, connection: hostile });
    assert.equal(ofMany.failures.length, 4);
    const state = { userGroupId: hostile, name: "Acme", token: "t", baseUrl: hostile };
    const elsewhere = await failureOf(userGroup.provider.delete(hostile, state));
    emulator.putGroup({ userGroupId: hostile, name: "Acme" });
    await userGroup.create({ userGroupId: hostile, name: "Acme" });
    assert.match(lines.join(), /existed/);
    const texts = [...ofMany.failures, ...ofOne.failures, elsewhere.message, ...lines];
    for (const text of texts) assertInert(text, 1);
  });

  emulatorTest("a request, in the emulator's log", {}, async (emulator) => {
    await send(emulator, { body: { user_group_id: hostile, name: hostile } });
    await send(emulator, { method: "DELETE", body: { user_group_id: 7, mapping: { [hostile]: {} } } });
    await send(emulator, { path: "/\u009b31m?\u0085" });
    assert.equal(emulator.requests.length, 3);
    for (const entry of emulator.requests) assertInert(String(entry), 1);
  });

  it("an option or a stack, in the output of a command", async () => {
    const environment = { PULUMI_STACK: hostile, PATH: "" };
    for (const args of [[hostile], ["emulate", `--${hostile}`], ["doctor"], ["doctor", hostile]]) {
      const { out, err } = await runCommand(args, { environment });
      assertInert(out);
      assertInert(err, 1);
    }
  });
});

function assertThrows(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return assert.fail("It didn't fail.");
}

it("an unexpected exception becomes an error that says where it was thrown, and nothing of its message", () => {
  const subject = { operation: "create", userGroupId: "acme" } as const;
  const { code, message } = toUserGroupError(new TypeError("s3cret\nmore"), subject);
  assert.equal(code, "unexpected");
  const cause =
    /^Cannot create user group "acme": an unexpected TypeError was thrown at errors\.test\.ts:\d+\. /;
  assert.match(message, cause);
  assert.doesNotMatch(message, /s3cret/);
  for (const thrown of ["s3cret", undefined, { s3cret: 1 }]) {
    const unknown = /^Cannot continue: an unexpected exception was thrown\. This is a bug/;
    assert.match(toUserGroupError(thrown).message, unknown);
  }
});
