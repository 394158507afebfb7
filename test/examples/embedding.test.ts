import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "node:http";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers } from "../../examples/embedding/server/users";
import { fails, newFixture, succeeds, tokensOf } from "../engine/harness";
import { portOf } from "../harness/portOf";
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
  let folder: string;
  let file: string;
  let server: Server;
  let origin: string;
  const logged: string[] = [];
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-embedding-"));
    file = join(folder, "tokens.json");
    await write({ acme: "token</script>of-acme", globex: "token-of-globex" });
    const tokens = tokensIn(file, (line) => logged.push(line));
    const users = await demoUsers("right");
    server = newApplication(tokens, users).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${portOf(server)}`;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await fs.rm(folder, { recursive: true });
  });

  it("sends a browser without a session, or with one that it made up, to the login", async () => {
    for (const cookie of ["", "__Host-session=", "__Host-session=made-up", "tenant=acme"]) {
      const response = await ask("/", { cookie });
      assert.deepEqual(redirectOf(response), [302, "/login"]);
      assert.doesNotMatch(await response.text(), /token/);
    }
  });

  it("shows each tenant's user that tenant's token, and no other", async () => {
    const cookie = `tenant=globex; ${await logIn("ada")}`;
    const acme = await ask("/?tenant=globex&user=grace", { cookie, "x-tenant": "globex" });
    assert.equal(acme.headers.get("cache-control"), "no-store");
    assert.match(await acme.clone().text(), /"token\\u003c\/script>of-acme"/);
    assert.doesNotMatch(await acme.text(), /token-of-globex/);
    const globex = await (await ask("/", { cookie: await logIn("grace") })).text();
    assert.match(globex, /"token-of-globex"/);
    assert.doesNotMatch(globex, /acme/);
  });

  it("uses replaced tokens at once, and keeps the last good ones while the file is broken", async () => {
    const cookie = await logIn("ada");
    await write({ globex: "token-of-globex" });
    assert.equal((await ask("/", { cookie })).status, 503);
    await write({ acme: "replaced", globex: "token-of-globex" });
    for (const text of [undefined, "", '{"acme": "secret-of-ac', '{"acme": ""}']) {
      if (text !== undefined) await fs.writeFile(file, text);
      assert.match(await (await ask("/", { cookie })).text(), /"replaced"/);
    }
    assert.doesNotMatch(logged.join("\n"), /secret|acme/);
  });

  it("refuses a wrong password and a form that isn't the server's own, and ends the session at the logout", async () => {
    for (const wrong of [credentials("ada", "wrong"), credentials("eve")])
      assert.deepEqual(redirectOf(await post("/login", wrong)), [302, "/login?failed"]);
    const elsewhere = { origin: "https://elsewhere.example" };
    assert.equal((await post("/login", credentials("ada"), elsewhere)).status, 403);
    const cookie = await logIn("ada");
    await post("/logout", "", { cookie });
    assert.deepEqual(redirectOf(await ask("/", { cookie })), [302, "/login"]);
  });

  const write = (tokens: object) => fs.writeFile(file, JSON.stringify(tokens));
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(origin + path, { headers, redirect: "manual" });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, {
      method: "POST",
      body,
      headers: { origin, "content-type": "application/x-www-form-urlencoded", ...headers },
      redirect: "manual",
    });
  const redirectOf = ({ status, headers }: Response) => [status, headers.get("location")];
  const credentials = (name: string, password = "right") =>
    new URLSearchParams({ name, password }).toString();
  const logIn = async (name: string) => {
    const response = await post("/login", credentials(name));
    assert.deepEqual(redirectOf(response), [302, "/"]);
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
});
