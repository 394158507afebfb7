import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../provider/src/version";
import { fails, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "../harness";
import { startArchiveServer } from "../harness/archiveServer";
import { repository } from "../harness/programs";

describe("the packed plugin", () => {
  let server: Awaited<ReturnType<typeof startArchiveServer>>;
  before(async () => {
    server = await startArchiveServer();
  });
  after(() => server.stop());
  const fixture = newFixture(() => ({ program: packageProgram("") }));

  for (const source of ["--file", "--server"])
    it(`is there for each system, and runs a program if it was installed by ${source}`, async () => {
      const archives = ["linux", "darwin", "windows"].flatMap((system) =>
        ["amd64", "arm64"].map((each) => `pulumi-resource-user-groups-v${version}-${system}-${each}.tar.gz`),
      );
      const packed = (await fs.readdir(server.folder)).filter((name) => name.endsWith(".tar.gz"));
      assert.deepEqual(packed.sort(), archives.sort());
      const system = process.platform === "win32" ? "windows" : process.platform;
      const suffix = `-${system}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;
      const own = archives.find((name) => name.endsWith(suffix)) ?? "";
      const from = source === "--file" ? join(server.folder, own) : server.address;
      const { stack, emulator } = fixture;
      succeeds(await stack.run(["plugin", "install", "resource", "user-groups", version, source, from]));
      const { "index.js": program = "" } = pluginProgram(
        'new UserGroup("acme", { userGroupId: "acme", name: "Acme" });',
      );
      await stack.program({ "index.js": program });
      emulator.clearRequests();
      succeeds(await stack.up());
      assert.deepEqual(requestsTo(emulator), ['GET "acme" created 200']);
      succeeds(await stack.destroy());
      succeeds(await stack.run(["plugin", "rm", "resource", "user-groups", "--yes"]));
    });
});

describe("pulumi do, which has neither a state nor a program", () => {
  const fixture = newFixture(() => ({ program: pluginProgram(""), env: { PULUMI_EXPERIMENTAL: "true" } }));
  const plugin = join(repository, "plugin/pulumi-resource-user-groups");
  const run = (...command: string[]) =>
    fixture.stack.run(["do", "--package", plugin, "user-groups:index:UserGroup", ...command]);
  const stateless = ["--stateless", "--yes"];

  for (const command of [
    ["delete", "acme", ...stateless],
    ["read", "missing=Missing"],
  ])
    it(`${command.join(" ")} fails with advice that can be followed there`, async () => {
      const { emulator } = fixture;
      emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      const { output } = fails(await run(...command), /user group "(acme|missing)".*\[[a-z-]+\]/s);
      if (command.includes("delete")) assert.match(output, /<userGroupId>=<name>/);
      assert.doesNotMatch(output, /pulumi refresh|backup|import|state (file|is|keeps|has)|pulumi up/);
      assert.deepEqual([...emulator.groups.keys()], ["acme"]);
    });

  it("reads, updates and deletes a group, and shows no token", async () => {
    const { emulator } = fixture;
    const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    for (const [command, shown] of [
      [["read", "acme=Acme"], /userGroupId: "acme"/],
      [["patch", "acme=Acme", "--data-source-provided-id", "x", ...stateless], /1 updated/],
      [["delete", "acme=Acme", ...stateless], /delete/],
    ] as const) {
      const { output } = succeeds(await run(...command));
      assert.match(output, shown);
      assert(!output.includes(token));
    }
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
    succeeds(await stack.destroy());
    assert.deepEqual(requestsTo(emulator), ['GET "acme" created 200', 'DELETE "acme" deleted 200']);
  });
});
