/** A server with the archives of a release, from which the engine installs the plugin. */
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { portOf } from "../harness/port";
import { run, succeeds } from "../harness/run";
import { repository } from "./programs";

export async function startArchiveServer() {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-archives-"));
  succeeds(await run(process.execPath, [join(repository, "tools/release/plugin/pack.mjs"), folder]));
  const server = createServer((request, response) => {
    fs.readFile(join(folder, basename(request.url ?? ""))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    folder,
    address: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      server.close();
      await fs.rm(folder, { recursive: true });
    },
  };
}
