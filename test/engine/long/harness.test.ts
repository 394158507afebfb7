import assert from "node:assert/strict";
import * as fs from "node:fs";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { isSecret, newStack, succeeds, type Stack, type StackOptions } from "../harness";

describe("the harness", () => {
  let emulator: Emulator;
  const stacks: Stack[] = [];
  const stackOf = async (program: string, options: Omit<StackOptions, "program"> = {}) => {
    const stack = await newStack({ ...options, program });
    stacks.push(stack);
    return stack;
  };
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(async () => {
    for (const stack of stacks.splice(0)) await stack.remove();
    await emulator.stop();
  });

  it("fails a test in whose output a token can be read", async () => {
    const printing = `acme.token.apply((token) => console.log("It is " + token));`;
    const stack = await stackOf(acme + printing, { emulator });
    await assert.rejects(stack.up(), /A secret can be read in \d+: pulumi up/);
  });

  it("fails a test in whose state a secret of its own can be read", async () => {
    const stack = await stackOf(`exports.seat = "front row";`, { secrets: ["front row"] });
    await assert.rejects(stack.up(), /A secret can be read in /);
  });

  it("gives a program its configuration, plain and secret, and nothing of the shell's", async () => {
    const config = { "tests:plain": "one", "tests:hidden": { secret: "two words" } };
    process.env["USER_GROUPS_TIMEOUT"] = "7";
    const stack = await stackOf(settings, { config, env: { EXTRA: "three" } });
    delete process.env["USER_GROUPS_TIMEOUT"];
    succeeds(await stack.up());
    const { outputs } = await stack.resource("tests-dev");
    assert(isSecret(outputs["hidden"]));
    assert.deepEqual(await stack.plainOutputs(), { plain: "one", hidden: "two words", extra: "three" });
  });

  it("shows what the engine said when a program fails", async () => {
    const stack = await stackOf(`throw new Error("no such luck");`);
    const failed = await stack.preview();
    assert.notEqual(failed.code, 0);
    assert(
      failed.diagnostics.some(({ severity, message }) => severity === "error" && message.includes("luck")),
    );
    assert.throws(() => succeeds(failed), /The engine failed:[^]*no such luck/);
  });

  it("refuses a second operation at the same time, and removes all when it is told to", async () => {
    const stack = await stackOf("");
    const first = stack.preview();
    await assert.rejects(stack.preview(), /still running/);
    await assert.rejects(stack.remove(), /still running/);
    succeeds(await first);
    await stack.remove();
    assert(!fs.existsSync(stack.folder));
  });
});

const acme = `
  const { UserGroup } = require("pulumi-user-groups");
  const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
`;

const settings = `
  const { Config } = require("@pulumi/pulumi");
  const config = new Config("tests");
  exports.plain = config.require("plain");
  exports.hidden = config.requireSecret("hidden");
  exports.extra = process.env.EXTRA;
  exports.timeout = process.env.USER_GROUPS_TIMEOUT;
`;
