import assert from "node:assert/strict";
import { emulatorTest } from "../../harness/emulatorTest";
import {
  isSecret,
  newFixture,
  newStack,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
} from "../harness";

const unchanged = ["child", "nested", "kept", "tenants"];

/** `alias`: the beginning of the type that the resources had before. */
const text = (name: string, alias = "") => `
  const group = (id, name, opts) => {
    const aliases = "${alias}" ? [{ type: "${alias}UserGroup" }] : [];
    return new UserGroup(id, { userGroupId: id, name, keepers: { a: "b" } }, { ...opts, aliases });
  };
  const child = group("child", "Child", { parent: new pulumi.ComponentResource("tests:index:Customer", "customer") });
  const nested = group("nested", "Nested", { parent: child });
  const kept = group("kept", "Kept", { protect: true });
  const renamed = group("renamed", "${name}");
  const aliases = "${alias}" ? [{ type: "${alias}UserGroups" }] : [];
  const { tokens } = new UserGroups("tenants", { groups: { one: { name: "One" } } }, { aliases });
  exports.tokens = { child: child.token, nested: nested.token, kept: kept.token, renamed: renamed.token, one: tokens.one };
`;

describe("moving from the dynamic resources to the plugin", () => {
  const fixture = newFixture(() => ({ program: packageProgram(text("Renamed")) }));
  const assertOutputs = async () => {
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  };
  const types = async () => (await fixture.stack.resources()).map(({ type }) => type).join("\n");

  it("changes no token and sends no request, except for a group whose name changes in the same run", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const { renamed: former, ...kept } = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(pluginProgram(text("Renamed since")));
    for (const run of [await stack.preview(), await stack.up()])
      for (const name of unchanged) assert.deepEqual(stepsOf(succeeds(run), name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), ['DELETE "renamed" deleted 200', 'GET "renamed" created 200']);
    const { renamed, ...others } = tokensOf(emulator);
    assert(renamed !== former);
    assert.deepEqual(others, kept);
    await assertOutputs();
    assert.doesNotMatch(await types(), /dynamic/);

    assert.deepEqual(succeeds(await stack.up()).changes, { same: 7 });
    assert.equal((await stack.resource("kept")).protect, true);
    assert.match((await stack.resource("nested")).urn, /\$user-groups:index:UserGroup::nested$/);
  });

  it("goes back in one up, without a request: each resource has the plugin's type as alias", async () => {
    const { stack, emulator } = fixture;
    emulator.clearRequests();
    await stack.program(packageProgram(text("Renamed since", "user-groups:index:")));
    const up = succeeds(await stack.up());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), []);
    await assertOutputs();
    assert.deepEqual(Object.keys(succeeds(await stack.preview()).changes), ["same"]);
    assert.doesNotMatch(await types(), /^user-groups:/m);
  });
});

/** The harness isn't told of the emulator, because it would find the token in the engine's copies of the former state. */
describe("a state that a hand-written dynamic provider of the same type wrote", () => {
  emulatorTest("is rewritten by one up without a request, the token encrypted", {}, async (emulator) => {
    const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
    const { baseUrl, apiToken } = emulator;
    const env = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken, FORMER_TOKEN: token };
    const stack = await newStack({ program: handWritten, env, secrets: [apiToken] });
    succeeds(await stack.up());
    assert.equal((await stack.resource("acme")).outputs["token"], token);
    await stack.program(withPackage);
    const preview = succeeds(await stack.preview());
    assert(!preview.output.includes(token));
    for (const run of [preview, succeeds(await stack.up())])
      assert.deepEqual(stepsOf(run, "acme"), ["update"]);
    assert.deepEqual(requestsTo(emulator), []);
    const { outputs } = await stack.resource("acme");
    assert(isSecret(outputs["token"]) && !JSON.stringify(await stack.resources()).includes(token));
    assert.deepEqual(await stack.plainOutputs(), { token });
    assert.deepEqual(stepsOf(succeeds(await stack.preview()), "acme"), ["same"]);
    succeeds(await stack.destroy());
    assert.deepEqual(requestsTo(emulator), ['DELETE "acme" deleted 200']);
    await stack.remove();
  });
});

const args = `{ userGroupId: "acme", name: "Acme", properties: { region: "eu" } }`;

const handWritten = `
  const pulumi = require("@pulumi/pulumi");
  const provider = {
    async create(inputs) {
      return { id: inputs.userGroupId, outs: { ...inputs, token: process.env.FORMER_TOKEN } };
    },
    async delete() {
      throw new Error("the former provider was called");
    },
  };
  class UserGroup extends pulumi.dynamic.Resource {
    constructor(name, args, opts) {
      super(provider, name, { token: undefined, ...args }, opts, "user-groups", "UserGroup");
    }
  }
  new UserGroup("acme", ${args});
`;

const withPackage = packageProgram(`exports.token = new UserGroup("acme", ${args}).token;`);
