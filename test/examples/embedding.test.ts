import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers } from "../../examples/embedding/server/users";
import { fails, newFixture, succeeds, tokensOf } from "../engine/harness";
import { portOf } from "../harness/gate";
import { run } from "../harness/run";
import { example, pathWithTools } from "./example";

describe("examples/embedding: npm run deploy", () => {
  const files = example("embedding");
  const fixture = newFixture(() => ({ program: files, env: { USER_GROUPS_TIMEOUT: "3" } }));
  const tokens = async () =>
    JSON.parse(await fs.readFile(join(fixture.stack.folder, "tokens.json"), "utf8")) as unknown;
  const deploy = () => {
    const { folder, env } = fixture.stack;
    const all = { ...process.env, ...env, PATH: pathWithTools(), PULUMI_SKIP_CONFIRMATIONS: "true" };
    return run("npm", ["run", "deploy"], { cwd: folder, env: all });
  };

  it("writes the tokens after an update that succeeded, and none after one that failed, whose outputs are the old ones", async () => {
    succeeds(await fixture.stack.run(["stack", "select", "dev"]));
    succeeds(await deploy());
    assert.deepEqual(await tokens(), tokensOf(fixture.emulator));
    const { acme: former } = tokensOf(fixture.emulator);
    await fs.rm(join(fixture.stack.folder, "tokens.json"));
    // It fails after a while, so that acme has got its new token before.
    fixture.emulator.fault({ kind: "status", status: 503, userGroupId: "hooli", times: Infinity });
    const changed = files["index.ts"]?.replace('"Acme Corporation"', '"Acme", hooli: "Hooli"') ?? "";
    await fixture.stack.program({ "index.ts": changed });
    fails(await deploy(), /hooli.*unexpected-status/);
    await assert.rejects(tokens(), { code: "ENOENT" });
    assert.notEqual(tokensOf(fixture.emulator)["acme"], former);
    const { tokens: outputs } = await fixture.stack.plainOutputs();
    assert.deepEqual(Object.entries(Object(outputs) as object)[0], ["acme", former]);
  });
});

describe("examples/embedding: the server", () => {
  it("shows each tenant's user that tenant's token and no other, and sends everybody else to the login", async () => {
    const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-embedding-"));
    const file = join(folder, "tokens.json");
    const stored = { acme: "token</script>of-acme", globex: "token-of-globex" };
    await fs.writeFile(file, JSON.stringify(stored));
    const server = newApplication(tokensIn(file, console.log), await demoUsers("right")).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const origin = `http://127.0.0.1:${portOf(server)}`;
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(origin + path, { headers, redirect: "manual" });
    const logIn = async (name: string, password = "right") => {
      const body = new URLSearchParams({ name, password });
      const options = { method: "POST", body, headers: { origin }, redirect: "manual" } as const;
      const response = await fetch(`${origin}/login`, options);
      return response.headers.get("set-cookie")?.split(";")[0] ?? "";
    };
    try {
      for (const cookie of ["", "__Host-session=made-up", "tenant=acme", await logIn("ada", "wrong")]) {
        const response = await ask("/", { cookie });
        assert.deepEqual([response.status, response.headers.get("location")], [302, "/login"]);
      }
      const cookie = `tenant=globex; ${await logIn("ada")}`;
      const acme = await ask("/?tenant=globex&user=grace", { cookie, "x-tenant": "globex" });
      assert.equal(acme.headers.get("cache-control"), "no-store");
      const page = await acme.text();
      assert.match(page, /"token\\u003c\/script>of-acme"/);
      assert.doesNotMatch(page, /token-of-globex/);
    } finally {
      server.closeAllConnections();
      server.close();
      await fs.rm(folder, { recursive: true });
    }
  });
});
