import assert from "node:assert/strict";
import { startEmulator } from "../../../provider/src/testing";
import { isSecret, newStack, packageProgram, requestsTo, stepsOf, succeeds } from "../harness";

describe("a state that a hand-written dynamic provider of the same type wrote", () => {
  /** The harness isn't told of the emulator, because it would find the token in the engine's copies of the former state. */
  it("is rewritten by one up without a request, the token encrypted, and then belongs to this package", async () => {
    const emulator = await startEmulator();
    const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
    const { baseUrl, apiToken } = emulator;
    const env = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken, FORMER_TOKEN: token };
    const stack = await newStack({ program: handWritten, env, secrets: [apiToken] });
    try {
      succeeds(await stack.up());
      assert.equal((await stack.resource("acme")).outputs["token"], token);
      await stack.program(withPackage);
      const preview = succeeds(await stack.preview());
      assert(!preview.output.includes(token));
      const up = succeeds(await stack.up());
      for (const run of [preview, up]) assert.deepEqual(stepsOf(run, "acme"), ["update"]);
      assert.deepEqual(requestsTo(emulator), []);
      const { inputs, outputs } = await stack.resource("acme");
      assert(isSecret(outputs["token"]) && !JSON.stringify(await stack.resources()).includes(token));
      for (const properties of [inputs, outputs])
        assert.match(String(properties["__provider"]), /require\("pulumi-user-groups\/provider"\)/);
      assert.deepEqual(await stack.plainOutputs(), { token });
      assert.deepEqual(stepsOf(succeeds(await stack.preview()), "acme"), ["same"]);
      succeeds(await stack.destroy());
      assert.deepEqual(requestsTo(emulator), ['DELETE "acme" deleted 200']);
    } finally {
      await stack.remove();
      await emulator.stop();
    }
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
