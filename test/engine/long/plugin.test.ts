import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { version } from "../../../provider/src/version";
import { portOf } from "../../harness/gate";
import { run } from "../../harness/run";
import { fails, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "../harness";
import { repository } from "../harness/programs";

describe("the packed plugin", () => {
  let folder: string;
  let server: Server;
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-archives-"));
    succeeds(await run(process.execPath, [join(repository, "release/plugin/pack.mjs"), folder]));
    server = createServer((request, response) => {
      fs.readFile(join(folder, basename(request.url ?? ""))).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  after(async () => {
    server.close();
    await fs.rm(folder, { recursive: true });
  });
  const fixture = newFixture(() => ({ program: packageProgram("") }));

  for (const source of ["--file", "--server"])
    it(`is there for each system, and runs a program if it was installed by ${source}`, async () => {
      const archives = ["linux", "darwin", "windows"].flatMap((system) =>
        ["amd64", "arm64"].map((each) => `pulumi-resource-user-groups-v${version}-${system}-${each}.tar.gz`),
      );
      assert.deepEqual((await fs.readdir(folder)).sort(), archives.sort());
      const system = process.platform === "win32" ? "windows" : process.platform;
      const suffix = `-${system}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;
      const own = archives.find((name) => name.endsWith(suffix)) ?? "";
      const from = source === "--file" ? join(folder, own) : `http://127.0.0.1:${portOf(server)}`;
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
  const fixture = newFixture(() => ({ program: pluginProgram("") }));
  const plugin = join(repository, "plugin/pulumi-resource-user-groups");

  for (const command of [
    ["delete", "acme", "--stateless", "--yes"],
    ["read", "missing=Missing"],
  ])
    it(`${command.join(" ")} fails with advice that can be followed there`, async () => {
      const { stack, emulator } = fixture;
      emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      const type = ["do", "--package", plugin, "user-groups:index:UserGroup"];
      const { output } = fails(
        await stack.run([...type, ...command], { env: { PULUMI_EXPERIMENTAL: "true" } }),
        /user group "(acme|missing)".*\[[a-z-]+\]/s,
      );
      if (command.includes("delete")) assert.match(output, /<userGroupId>=<name>/);
      assert.doesNotMatch(output, /pulumi refresh|backup|import|state (file|is|keeps|has)|pulumi up/);
      assert.deepEqual([...emulator.groups.keys()], ["acme"]);
    });
});

describe("the progress of a long operation of the plugin", () => {
  const program = pluginProgram('new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });');
  const fixture = newFixture(() => ({ program }), { latency: 11_000 });

  it("is printed while it runs, and isn't among the diagnostics afterwards", async () => {
    const { output } = succeeds(await fixture.stack.up());
    assert.match(output, /creating \(\d+s\) 0 of 1 user groups are done\./);
    assert.doesNotMatch(output, /^Diagnostics:/m);
  });
});
