import assert from "node:assert/strict";
import { isSecret, newFixture, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";
import { pluginProgram, warningsByResource } from "./pluginProgram";

const settings = ["USER_GROUPS_BASE_URL", "USER_GROUPS_API_TOKEN"];
const withoutSettings = Object.fromEntries(settings.map((name) => [name, undefined]));

/** One stack through its life: each test continues from the one before it. */
describe("plugin: the resources of a program", () => {
  const fixture = newFixture(() => ({
    program: programOf("Acme", { one: { name: "One" }, "a.b": { name: "Dotted" }, gone: { name: "Gone" } }),
    secrets: ["hidden-key", "hidden-later"],
  }));
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });
  const tokens = async () => (await fixture.stack.plainOutputs())["tokens"];

  it("are previewed without a request and without settings", async () => {
    const preview = succeeds(await fixture.stack.preview({ env: withoutSettings }));
    assert.deepEqual([stepsOf(preview, "acme"), stepsOf(preview, "tenants")], [["create"], ["create"]]);
    assert.match(preview.output, /tokens: \[unknown\]/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("are created, with tokens and secret arguments encrypted, and their address in the state", async () => {
    succeeds(await fixture.stack.up());
    const [acme, tenants] = [await fixture.stack.resource("acme"), await fixture.stack.resource("tenants")];
    const { token, properties, ...others } = acme.outputs;
    const args = { userGroupId: "acme", name: "Acme", mapping: { sales: "one" } };
    assert.deepEqual([acme.id, tenants.id], ["acme", "user-groups"]);
    assert(isSecret(token) && isSecret(tenants.outputs["tokens"]));
    assert.deepEqual(others, { ...args, adopted: false, baseUrl: fixture.emulator.baseUrl });
    assert.deepEqual({ ...acme.inputs, properties }, { ...args, properties });
    assert.deepEqual(fixture.emulator.groups.get("acme")?.properties, { seats: 5, key: "hidden-key" });
    assert.deepEqual(await tokens(), tokensOf(fixture.emulator));
  });

  it("have other tokens and values recorded by a refresh, and secrets stay encrypted", async () => {
    const properties = { seats: 5, key: "hidden-later" };
    fixture.emulator.putGroup({ userGroupId: "acme", name: "Acme", properties });
    fixture.emulator.rotateToken("acme");
    fixture.emulator.renameGroup("one", "Theirs");
    succeeds(await fixture.stack.refresh({ flags: ["--diff"] }));
    assert.equal(requestsTo(fixture.emulator).length, 4);
    const state = JSON.stringify(await fixture.stack.plainState());
    for (const text of [tokensOf(fixture.emulator)["acme"] ?? "no token", "hidden-later"])
      assert(state.includes(text));
    const { inputs } = await fixture.stack.resource("tenants");
    assert.match(JSON.stringify(inputs["groups"]), /"one":\{"name":"Theirs"\}/);
    fixture.emulator.renameGroup("one", "One");
    succeeds(await fixture.stack.refresh());
  });

  describe("changed", () => {
    let preview: Result;
    before(async () => {
      await fixture.stack.program(
        programOf("Acme Corporation", {
          one: { name: "One" },
          "a.b": { name: "Dotted", properties: { seats: 6 } },
          added: { name: "Added" },
        }),
      );
      preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    });

    it("have a diff that names each property and each group", () => {
      const shown = preview.output.replaceAll(/^ +/gm, "");
      assert.match(shown, /^~ name *: "Acme" => "Acme Corporation"/m);
      assert.match(shown, /^\+ added: \{\n\+ name: "Added"/m);
      assert.match(shown, /^- gone *: \{\n- name: "Gone"/m);
      assert.match(shown, /^\+ properties: \{\n\+ seats: 6/m);
      assert.doesNotMatch(shown, /One/);
      assert.deepEqual(stepsOf(preview, "tenants"), ["update"]);
      assert.deepEqual(requestsTo(fixture.emulator), []);
    });

    it("are changed with a warning under each resource", async () => {
      const up = succeeds(await fixture.stack.up());
      const replaced = ['DELETE "acme" deleted 200', 'GET "acme" created 200'];
      assert.deepEqual(requestsTo(fixture.emulator, "acme"), replaced);
      const [acme = "", tenants = "", ...others] = [...new Set(warningsByResource(up))].sort();
      assert.match(acme, /^acme: user group "acme" is deleted and created again/);
      assert.match(tenants, /^tenants: .*1 to create.*1 to delete.*1 to delete and/);
      assert.deepEqual(others, []);
      const step = up.steps.find(({ name, op }) => name === "acme" && op === "replace");
      assert.deepEqual(step?.diffs, ["name", "properties"]);
      assert.deepEqual(await tokens(), tokensOf(fixture.emulator));
    });
  });

  describe("at the end", () => {
    it("are deleted by destroy", async () => {
      succeeds(await fixture.stack.destroy());
      assert.equal(requestsTo(fixture.emulator).filter((line) => line.startsWith("DELETE")).length, 4);
      assert.equal(fixture.emulator.groups.size, 0);
    });
  });
});

function programOf(name: string, groups: object): Record<string, string> {
  return pluginProgram(`
    const properties = { seats: 5, key: pulumi.secret("hidden-key") };
    const acme = new UserGroup("acme", { userGroupId: "acme", name: "${name}", mapping: { sales: "one" }, properties });
    const tenants = new UserGroups("tenants", { groups: ${JSON.stringify(groups)} });
    exports.tokens = pulumi.all([acme.token, tenants.tokens]).apply(([token, others]) => ({ acme: token, ...others }));
  `);
}
