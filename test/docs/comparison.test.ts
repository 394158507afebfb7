import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { snippetsOf } from "./pages";

describe("docs/comparison.md", () => {
  let emulator: Emulator;
  beforeEach("a service", async () => {
    emulator = await startEmulator();
  });
  afterEach("its end", () => emulator.stop());

  it("is right that fetch refuses a GET with a body", async () => {
    await assert.rejects(fetch(emulator.baseUrl, { method: "GET", body: "{}" }), TypeError);
    assert.equal(emulator.connections, 0);
  });

  it("shows how to do it with curl", async function () {
    if (spawnSync("curl", ["--version"]).status !== 0) return this.skip();
    const [script = ""] = snippetsOf("docs/comparison.md", "sh");
    const [create = "", remove = ""] = script.split("\n\n");
    await runs(create, { ...settingsOf(emulator) });
    const { token = "", mapping } = emulator.groups.get("acme") ?? {};
    assert.deepEqual(mapping, { sales: "acme-warehouse" });
    await runs(remove, { ...settingsOf(emulator), ACME_TOKEN: token });
    assert.deepEqual(emulator.requests.map(String), ['GET "acme" created 200', 'DELETE "acme" deleted 200']);
  });
});

function settingsOf({ baseUrl, apiToken }: Emulator): Record<string, string> {
  return { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken };
}

/** The emulator is in this process, which must not wait for the script without serving it. */
async function runs(script: string, env: Record<string, string>): Promise<void> {
  const child = spawn("sh", ["-c", script], {
    env: { ...process.env, no_proxy: "127.0.0.1", ...env },
    stdio: "ignore",
  });
  await once(child, "close");
  assert.equal(child.exitCode, 0);
}
