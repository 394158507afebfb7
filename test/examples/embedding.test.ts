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
    const acme = await page("ada");
    assert.match(acme, /"token\\u003c\/script>of-acme"/);
    assert.doesNotMatch(acme, /globex/);
    const cookie = `tenant=globex; ${await logIn("ada")}`;
    const claims = { cookie, "x-tenant": "globex" };
    assert.match(await (await ask("/?tenant=globex&user=grace", claims)).text(), /of-acme"/);
    const { headers } = await ask("/", claims);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    const globex = await page("grace");
    assert.match(globex, /"token-of-globex"/);
    assert.doesNotMatch(globex, /acme/);
  });

  it("uses replaced tokens at once, says where there is none, and keeps the last good ones while the file is broken", async () => {
    const cookie = await logIn("ada");
    await write({ globex: "token-of-globex" });
    const response = await ask("/", { cookie });
    assert.equal(response.status, 503);
    assert.doesNotMatch(await response.text(), /token-of-globex/);
    await write({ acme: "replaced", globex: "token-of-globex" });
    assert.match(await (await ask("/", { cookie })).text(), /"replaced"/);
    logged.length = 0;
    const broken = ["", '{"acme": "secret-of-ac', "null", '{"acme": ""}', '{"acme": 7}'];
    for (const text of broken) {
      await fs.writeFile(file, text);
      assert.match(await (await ask("/", { cookie })).text(), /"replaced"/);
    }
    assert.equal(logged.length, broken.length);
    assert.doesNotMatch(logged.join("\n"), /secret|acme/);
    await write({ acme: "token-of-acme", globex: "token-of-globex" });
  });

  it("refuses a wrong password, an unknown user, and a form that isn't the server's own", async () => {
    const twice = `${credentials("ada")}&password=right`;
    for (const wrong of [credentials("ada", "wrong"), credentials("eve"), "", twice]) {
      const response = await post("/login", wrong);
      assert.deepEqual(redirectOf(response), [302, "/login?failed"]);
      assert.equal(response.headers.get("set-cookie"), null);
    }
    assert.match(await (await ask("/login?failed", {})).text(), /Name or password is wrong/);
    for (const elsewhere of ["https://elsewhere.example", "null"])
      assert.equal((await post("/login", credentials("ada"), { origin: elsewhere })).status, 403);
    const logout = { cookie: await logIn("ada"), origin: "https://elsewhere.example" };
    assert.equal((await post("/logout", "", logout)).status, 403);
  });

  it("ends a session when another user logs in with it, and when its user logs out", async () => {
    const former = await logIn("ada");
    const response = await post("/login", credentials("grace"), { cookie: former });
    const header = response.headers.get("set-cookie") ?? "";
    assert.match(header, /^__Host-session=.*; HttpOnly; Secure; SameSite=Lax$/);
    const [cookie = ""] = header.split(";");
    const others = await logIn("grace");
    assert.match(await (await ask("/", { cookie })).text(), /"token-of-globex"/);
    const { headers } = await post("/logout", "", { cookie });
    assert.match(headers.get("set-cookie") ?? "", /^__Host-session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    for (const ended of [former, cookie])
      assert.deepEqual(redirectOf(await ask("/", { cookie: ended })), [302, "/login"]);
    assert.equal((await ask("/", { cookie: others })).status, 200);
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
  const page = async (name: string) => {
    const response = await ask("/", { cookie: await logIn(name) });
    assert.equal(response.status, 200);
    return response.text();
  };
});
