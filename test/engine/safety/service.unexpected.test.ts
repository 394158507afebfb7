import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorOf, fails, newFixture, requestsTo, succeeds, tokensOf, type Result } from "../harness";

/** The text of the exceptions, which may hold a secret. */
const message = "hidden-message";
const fine = ["fine-0", "fine-1", "fine-2", "fine-3"];

/** One stack through its life: each step begins where the one before it ended. */
describe("an unexpected exception in the provider process", () => {
  const fixture = newFixture(() => ({
    program: { "index.js": program, "trap.js": trap },
    env: { USER_GROUPS_TIMEOUT: "6" },
  }));
  const trapped = () => {
    const [script, log] = ["trap.js", "trap.log"].map((name) => join(fixture.stack.folder, name));
    return {
      flags: ["--continue-on-error"],
      env: { NODE_OPTIONS: `--require ${script ?? ""}`, TRAP_LOG: log },
    };
  };
  let up: Result;
  before(async () => {
    up = await fixture.stack.up(trapped());
  });

  it("is reported as such for its group, without a stack and without its message", () => {
    fails(up);
    for (const [resource, userGroupId] of [
      ["one-request", "request-one"],
      ["one-response", "response-one"],
      ["many", "request-many"],
      ["many", "response-many"],
    ] as const) {
      const lines = errorOf(up, resource).split("\n");
      const line = lines.find((each) => each.includes(`"${userGroupId}"`));
      assert.match(line ?? "", /\[unexpected\]/, userGroupId);
    }
    assert(!up.output.includes(message));
  });

  it("is not retried", async () => {
    const thrown = (await readFile(join(fixture.stack.folder, "trap.log"), "utf8")).trim().split("\n").sort();
    assert.deepEqual(thrown, ["request-many", "request-one", "response-many", "response-one"]);
    for (const id of ["response-one", "response-many"])
      assert.deepEqual(requestsTo(fixture.emulator, id), [`GET "${id}" created 200`]);
  });

  it("leaves the results of the other groups in the state", async () => {
    assert.equal((await fixture.stack.resource("one-fine")).id, "fine");
    assert.deepEqual(Object.keys((await fixture.stack.resource("many")).outputs["groups"] ?? {}), fine);
  });

  it("is made good by the next up", async () => {
    succeeds(await fixture.stack.up());
    const { tokens } = await fixture.stack.plainOutputs();
    assert.deepEqual(tokens, tokensOf(fixture.emulator));
  });

  it("stops no other deletion, and is reported for its group", async () => {
    const destroyed = fails(await fixture.stack.destroy(trapped()));
    assert(!destroyed.output.includes(message));
    assert.match(errorOf(destroyed, "one-request"), /"request-one"[^\n]*\[unexpected\]/);
    assert.match(errorOf(destroyed, "many"), /"request-many"[^\n]*\[unexpected\]/);
    assert.deepEqual([...fixture.emulator.groups.keys()].sort(), ["request-many", "request-one"]);
  });

  it("is made good by another destroy", async () => {
    succeeds(await fixture.stack.destroy());
    assert.equal(fixture.emulator.groups.size, 0);
  });
});

/** Throws while a request of some groups is made, and while the response of others is read. */
const trap = `
  const fs = require("node:fs");
  const { parse, stringify } = JSON;
  const spring = (userGroupId) => {
    fs.appendFileSync(process.env.TRAP_LOG, userGroupId + "\\n");
    throw new TypeError("${message}");
  };
  JSON.stringify = (value, ...rest) => {
    const id = value?.user_group_id;
    return id?.startsWith("request-") ? spring(id) : stringify(value, ...rest);
  };
  JSON.parse = (...args) => {
    const value = parse(...args);
    const id = value?.user_group?.provided_id;
    if (id?.startsWith("response-"))
      Object.defineProperty(value.user_group, "token", { enumerable: true, get: () => spring(id) });
    return value;
  };
`;

const program = `
  const pulumi = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const name = "Tenant";
  const single = { fine: "fine", request: "request-one", response: "response-one" };
  const ones = Object.entries(single).map(([key, userGroupId]) => [
    userGroupId,
    new UserGroup("one-" + key, { userGroupId, name }).token,
  ]);
  const ids = [...${JSON.stringify(fine)}, "request-many", "response-many"];
  const many = new UserGroups("many", { groups: Object.fromEntries(ids.map((id) => [id, { name }])) });
  exports.tokens = pulumi
    .all([many.tokens, Object.fromEntries(ones)])
    .apply(([tokens, others]) => ({ ...tokens, ...others }));
`;
