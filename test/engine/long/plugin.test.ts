import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { version } from "../../../provider/src/version";
import { portOf } from "../../harness/portOf";
import { run } from "../../harness/run";
import { newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "../harness";
import { repository } from "../harness/programs";

/** Go's names for systems and architectures. */
const systems = ["linux", "darwin", "windows"];
const architectures = ["amd64", "arm64"];
const archiveFor = (system: string, architecture: string) =>
  `pulumi-resource-user-groups-v${version}-${system}-${architecture}.tar.gz`;

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

  it("is there for each system and architecture", async () => {
    const all = systems.flatMap((system) => architectures.map((each) => archiveFor(system, each)));
    assert.deepEqual((await fs.readdir(folder)).sort(), all.sort());
  });

  for (const source of ["--file", "--server"])
    it(`runs a program if it was installed by ${source}`, async () => {
      const system = process.platform === "win32" ? "windows" : process.platform;
      const own = archiveFor(system, process.arch === "x64" ? "amd64" : process.arch);
      const from = source === "--file" ? join(folder, own) : `http://127.0.0.1:${portOf(server)}`;
      const { stack, emulator } = fixture;
      const install = ["plugin", "install", "resource", "user-groups", version, source, from];
      succeeds(await stack.run(install));
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

describe("the progress of a long operation of the plugin", () => {
  const program = pluginProgram('new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });');
  const fixture = newFixture(() => ({ program }), { latency: 11_000 });

  it("is printed while it runs, and isn't among the diagnostics afterwards", async () => {
    const { output } = succeeds(await fixture.stack.up());
    assert.match(output, /creating \(\d+s\) 0 of 1 user groups are done\./);
    assert.doesNotMatch(output, /^Diagnostics:/m);
  });
});
