import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { version } from "../../../provider/src/version";
import { newFixture, requestsTo, succeeds } from "../harness";
import { pluginProgram } from "./pluginProgram";
import { portOf } from "../../harness/portOf";

const run = promisify(execFile);
/** Go's names by those of Node.js. */
const systems = new Map([
  ["linux", "linux"],
  ["darwin", "darwin"],
  ["win32", "windows"],
]);
const architectures = new Map([
  ["x64", "amd64"],
  ["arm64", "arm64"],
]);

describe("the packed plugin", () => {
  let folder: string;
  let archives: string[];
  let server: Server;
  let address: string;
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-archives-"));
    const script = resolve(__dirname, "../../../release/plugin/pack.mjs");
    const { stdout } = await run(process.execPath, [script, folder]);
    archives = stdout.trim().split("\n");
    server = createServer((request, response) => {
      const archive = archives.find((each) => basename(each) === basename(request.url ?? ""));
      if (archive === undefined) response.writeHead(404).end();
      else void fs.readFile(archive).then((content) => response.end(content));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    address = `http://127.0.0.1:${portOf(server)}`;
  });
  after(async () => {
    server.close();
    await fs.rm(folder, { recursive: true });
  });

  it("is there for each system and architecture", () => {
    const names = [...systems.values()].flatMap((os) =>
      [...architectures.values()].map(
        (arch) => `pulumi-resource-user-groups-v${version}-${os}-${arch}.tar.gz`,
      ),
    );
    assert.deepEqual(archives.map((archive) => basename(archive)).sort(), names.sort());
  });

  for (const source of ["--file", "--server"] as const)
    describe(`installed by ${source}`, () => {
      const fixture = newFixture(() => ({
        program: {
          ...pluginProgram(`new UserGroup("acme", { userGroupId: "acme", name: "Acme" });`),
          "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
        },
      }));

      it("runs a program", async () => {
        const system = `-${systems.get(process.platform)}-${architectures.get(process.arch)}.`;
        const own = archives.find((archive) => archive.includes(system)) ?? "";
        const from = source === "--file" ? [source, own] : [source, address];
        succeeds(await fixture.stack.run(["plugin", "install", "resource", "user-groups", version, ...from]));
        succeeds(await fixture.stack.up());
        assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" created 200']);
      });
    });
});
