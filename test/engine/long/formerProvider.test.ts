import assert from "node:assert/strict";
import { emulatorTest } from "../../harness/emulatorTest";
import { isSecret, newStack, packageProgram, requestsTo, stepsOf, succeeds } from "../harness";

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
