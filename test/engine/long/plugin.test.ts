/** The packed plugin, and what the engine does with the plugin alone. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../provider/src/version";
import { run, withFolder } from "../../harness/run";
import { fails, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "../harness";
import { repository } from "../harness/programs";

/** examples/languages installs it from a server (test/examples/long/sdks.test.ts). */
describe("the packed plugin", () => {
  const fixture = newFixture(() => ({ program: packageProgram("") }));

  it("is there for each system, and runs a program if it was installed from its file", () =>
    withFolder(async (folder) => {
      const archives = ["linux", "darwin", "windows"].flatMap((system) =>
        ["amd64", "arm64"].map((each) => `pulumi-resource-user-groups-v${version}-${system}-${each}.tar.gz`),
      );
      succeeds(await run(process.execPath, [join(repository, "release/plugin/pack.mjs"), folder]));
      const packed = (await fs.readdir(folder)).filter((name) => name.endsWith(".tar.gz"));
      assert.deepEqual(packed.sort(), archives.sort());
      const system = process.platform === "win32" ? "windows" : process.platform;
      const suffix = `-${system}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;
      const own = join(folder, archives.find((name) => name.endsWith(suffix)) ?? "");
      const { stack, emulator } = fixture;
      succeeds(await stack.run(["plugin", "install", "resource", "user-groups", version, "--file", own]));
      const { "index.js": program = "" } = pluginProgram(
        'new UserGroup("acme", { userGroupId: "acme", name: "Acme" });',
      );
      await stack.program({ "index.js": program });
      succeeds(await stack.up());
      assert.deepEqual(requestsTo(emulator), ['GET "acme" created 200']);
    }));
});

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
