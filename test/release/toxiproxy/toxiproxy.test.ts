/** Shopify/toxiproxy in front of the service. It is built from tools/engine/toxiproxy, as the engine is from its modules. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { behavior, declareMany } from "../../contract/contract";
import type { Program } from "../../contract/drivers";
import type { StackContext } from "../../contract/stackContext";
import { until } from "../../support/harness/clock";
import { numbered } from "../../support/harness/providers";
import { portOf } from "../../support/harness/port";

const faults = {
  latency: { latency: 50, jitter: 50 },
  slicer: { average_size: 20, size_variation: 10, delay: 500 },
  limit_data: { bytes: 2000 },
  reset_peer: { timeout: 20 },
  slow_close: { delay: 100 },
  bandwidth: { rate: 20 },
};

describe("toxiproxy", () => {
  const folder = mkdtempSync(join(tmpdir(), "user-groups-toxiproxy-"));
  let server: ChildProcess;
  let api = "";
  before("builds and starts it", async function () {
    this.timeout("600s");
    const module = resolve(__dirname, "../../../tools/engine/toxiproxy");
    const file = join(folder, "toxiproxy");
    const env = { ...process.env, GOWORK: "off" };
    const tool = "github.com/Shopify/toxiproxy/v2/cmd/server";
    execFileSync("go", ["build", "-mod=readonly", "-o", file, tool], { cwd: module, env });
    const free = createServer().listen(0, "127.0.0.1");
    await until(() => free.listening);
    const port = portOf(free);
    await new Promise((closed) => free.close(closed));
    server = spawn(file, ["-host", "127.0.0.1", "-port", String(port)], { stdio: "ignore" });
    api = `http://127.0.0.1:${port}/proxies`;
    while (
      !(await fetch(api).then(
        ({ ok }) => ok,
        () => false,
      ))
    );
  });
  after(() => {
    server.kill();
    rmSync(folder, { recursive: true });
  });

  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(api + path, { method: "POST", body: JSON.stringify(body) });
    assert(response.ok, await response.clone().text());
    return response.json();
  };

  /** As a user does: again, with a refresh after an error, until nothing is left to do. Returns what was said. */
  const apply = async (context: StackContext, program: Program): Promise<string> => {
    let said = "";
    for (let run = 1; run <= 10; run += 1) {
      const { errors, warnings } = await context.up(program);
      said += [errors, ...warnings].join("\n");
      if (errors !== "") await context.refresh();
      else if (await context.isUpToDate(program)) return said;
    }
    assert.fail(`Ten runs were not enough: ${said.slice(-1000)}`);
  };

  for (const [type, attributes] of Object.entries(faults))
    behavior(
      `${type}: 30 groups are created, changed with overlap, and deleted`,
      { drivers: ["provider"] },
      async (context) => {
        const upstream = new URL(context.emulator.baseUrl).host;
        const proxy = await post("", { name: type, listen: "127.0.0.1:0", upstream });
        assert(typeof proxy === "object" && proxy !== null && "listen" in proxy);
        Object.assign(context.settings, { baseUrl: `http://${String(proxy.listen)}` });
        const toxicity = type === "reset_peer" ? 0.3 : 1;
        await post(`/${type}/toxics`, { type, stream: "downstream", toxicity, attributes });
        const shared = { overlap: true, overlapHours: 0 };
        // One connection: the attempt after a lost one has a new connection.
        if (type === "limit_data") context.settings["maxConnections"] = "1";
        let said = await apply(context, declareMany(numbered(30), shared));
        said += await apply(context, declareMany(numbered(30, { name: "New" }), shared));
        assert.equal(new Set(Object.values(context.tokens())).size, context.emulator.groups.size);
        said += await apply(context, []);
        const count = (effect: string) =>
          context.emulator.requests.filter((each) => each.effect === effect).length;
        assert(count("created") >= 60);
        // After two lost responses in a row, a group may stay. A message names it.
        for (const id of context.emulator.groups.keys()) assert(said.includes(JSON.stringify(id)), id);
        assert.equal(count("deleted") + context.emulator.groups.size, count("created"));
      },
    );
});
