/** What the engine does with the plugin alone. test/examples/long/sdks.test.ts installs the packed one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fails, newFixture, pluginProgram, succeeds } from "../harness";
import { repository } from "../harness/programs";

describe("pulumi do, which has neither a state nor a program", () => {
  const fixture = newFixture(() => ({ program: pluginProgram(""), env: { PULUMI_EXPERIMENTAL: "true" } }));
  const plugin = join(repository, "plugin/pulumi-resource-user-groups");
  const run = (...command: string[]) =>
    fixture.stack.run(["do", "--package", plugin, "user-groups:index:UserGroup", ...command]);
  const stateless = ["--stateless", "--yes"];

  it("reads, updates and deletes a group, and fails with advice that can be followed there", async () => {
    const { emulator } = fixture;
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    for (const [command, advice] of [
      [["delete", "acme", ...stateless], /user group "acme".*<userGroupId>=<name>.*\[[a-z-]+\]/s],
      [["read", "missing=Missing"], /user group "missing".*\[[a-z-]+\]/s],
    ] as const) {
      const { output } = fails(await run(...command), advice);
      assert.doesNotMatch(output, /pulumi refresh|backup|import|state (file|is|keeps|has)|pulumi up/);
    }
    assert.deepEqual([...emulator.groups.keys()], ["acme"]);
    assert.match(succeeds(await run("read", "acme=Acme")).output, /userGroupId: "acme"/);
    const patch = ["patch", "acme=Acme", "--data-source-provided-id", "x", ...stateless];
    assert.match(succeeds(await run(...patch)).output, /1 updated/);
    succeeds(await run("delete", "acme=Acme", ...stateless));
    assert.equal(emulator.groups.size, 0);
  });
});

describe("the progress of a long operation of the plugin", () => {
  const program = pluginProgram('new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });');
  const fixture = newFixture(() => ({ program }), { latency: 11_000 });

  it("is printed while it runs, and isn't among the diagnostics afterwards", async () => {
    const { output } = succeeds(await fixture.stack.up());
    assert.match(output, /creating \(\d+s\) 0 of 1 user groups are done\./);
    assert.doesNotMatch(output, /^Diagnostics:[^]*are done/m);
  });
});

describe("a provider of the plugin whose settings come by envVarMappings, inside a component", () => {
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program: pluginProgram(`
      const envVarMappings = { EU_ADDRESS: "USER_GROUPS_BASE_URL", EU_TOKEN: "USER_GROUPS_API_TOKEN" };
      const provider = new Provider("eu", {}, { envVarMappings });
      const customer = new pulumi.ComponentResource("tests:index:Customer", "acme", {}, { providers: [provider] });
      exports.token = new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { parent: customer }).token;
    `),
    env: {
      ...{ EU_ADDRESS: baseUrl, EU_TOKEN: apiToken },
      ...{ USER_GROUPS_BASE_URL: "http://127.0.0.1:9", USER_GROUPS_API_TOKEN: "for-another-service" },
    },
  }));

  it("reaches its service, and settles", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    assert.deepEqual(await stack.plainOutputs(), { token: emulator.groups.get("acme")?.token });
    assert.deepEqual(succeeds(await stack.preview()).changes, { same: 4 });
  });
});
