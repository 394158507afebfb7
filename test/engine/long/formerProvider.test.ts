import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { isSecret, newStack, requestsTo, stepsOf, succeeds, type Stack } from "../harness";

/**
 * One stack through its life: each step begins where the one before it ended. The harness isn't told of the emulator,
 * because it would find the token in the copies that the engine keeps of the former state.
 */
describe("a state that a hand-written dynamic provider of the same type wrote", () => {
  let emulator: Emulator;
  let stack: Stack;
  before(async () => {
    emulator = await startEmulator();
    const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
    const env = {
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
      FORMER_TOKEN: token,
    };
    stack = await newStack({ program: handWritten, env, secrets: [emulator.apiToken] });
    succeeds(await stack.up());
    assert.equal((await stack.resource("acme")).outputs["token"], token);
    await stack.program(withPackage);
  });
  after(async () => {
    await stack.remove();
    await emulator.stop();
  });
  const token = () => emulator.groups.get("acme")?.token ?? "";

  it("shows an update in the preview", async () => {
    const preview = succeeds(await stack.preview());
    assert.deepEqual(stepsOf(preview, "acme"), ["update"]);
    assert(!preview.output.includes(token()));
  });

  it("is rewritten by one up without a request, the token encrypted", async () => {
    const up = succeeds(await stack.up());
    assert.deepEqual(stepsOf(up, "acme"), ["update"]);
    assert.deepEqual(requestsTo(emulator), []);
    const { inputs, outputs } = await stack.resource("acme");
    assert(isSecret(outputs["token"]));
    assert(!JSON.stringify(await stack.resources()).includes(token()));
    const text = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
    assert.deepEqual([inputs["__provider"], outputs["__provider"]], [text, text]);
    assert.deepEqual(await stack.plainOutputs(), { token: token() });
  });

  it("shows no change after that", async () => {
    assert.deepEqual(stepsOf(succeeds(await stack.preview()), "acme"), ["same"]);
  });

  it("is destroyed by this package's provider", async () => {
    succeeds(await stack.destroy());
    assert.deepEqual(requestsTo(emulator), ['DELETE "acme" deleted 200']);
    assert.deepEqual(await stack.resources(), []);
  });
});

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
  new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
`;

const withPackage = `
  const { UserGroup } = require("pulumi-user-groups");
  const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
  exports.token = acme.token;
`;
