import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "node:http";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers } from "../../examples/embedding/server/users";
import { portOf } from "../harness/portOf";

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
    server = newApplication({ tokens, users: demoUsers("right") }).listen(0, "127.0.0.1");
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
      assert.deepEqual([response.status, response.headers.get("location")], [303, "/login"]);
      assert.doesNotMatch(await response.text(), /token/);
    }
  });

  it("shows each tenant's user that tenant's token, and no other", async () => {
    const acme = await page("ada");
    assert.match(acme, /"token\\u003c\/script>of-acme"/);
    assert.doesNotMatch(acme, /globex/);
    const globex = await page("grace");
    assert.match(globex, /"token-of-globex"/);
    assert.doesNotMatch(globex, /acme/);
  });

  it("uses a token that was replaced at once, and says so where there is none yet", async () => {
    const cookie = await logIn("ada");
    await write({ acme: "replaced" });
    assert.match(await (await ask("/", { cookie })).text(), /"replaced"/);
    await write({ globex: "token-of-globex" });
    const response = await ask("/", { cookie });
    assert.equal(response.status, 503);
    assert.doesNotMatch(await response.text(), /token-of-globex/);
    await write({ acme: "token-of-acme", globex: "token-of-globex" });
  });

  it("keeps the last good tokens while the file is broken, and logs no part of it", async () => {
    const cookie = await logIn("ada");
    await write({ acme: "token-of-acme", globex: "token-of-globex" });
    await page("ada");
    logged.length = 0;
    for (const broken of ["", '{"acme": "secret-of-ac', "null"]) {
      await fs.writeFile(file, broken);
      assert.match(await (await ask("/", { cookie })).text(), /"token-of-acme"/);
    }
    await write({ acme: "token-of-acme", globex: "token-of-globex" });
    assert.equal(logged.length, 3);
    assert.doesNotMatch(logged.join("\n"), /secret|acme/);
  });

  it("lets no cache keep a page with a token, and no other site frame it", async () => {
    const { headers } = await ask("/", { cookie: await logIn("ada") });
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  });

  it("gives each login a session of its own, in a cookie that scripts can't read", async () => {
    const response = await post("/login", credentials("ada"), { cookie: "__Host-session=planted" });
    const cookie = response.headers.get("set-cookie") ?? "";
    assert.match(cookie, /^__Host-session=[\w-]{43}; Path=\/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax$/);
    assert.notEqual(await logIn("ada"), await logIn("ada"));
  });

  it("refuses a wrong password, an unknown user, and forms of another site", async () => {
    for (const wrong of [credentials("ada", "wrong"), credentials("eve"), ""]) {
      const response = await post("/login", wrong);
      assert.deepEqual([response.status, response.headers.get("set-cookie")], [401, null]);
    }
    for (const elsewhere of ["https://elsewhere.example", "null"])
      assert.equal((await post("/login", credentials("ada"), { origin: elsewhere })).status, 403);
    assert.equal((await post("/login", credentials("x".repeat(5000)))).status, 403);
  });

  it("ends a session for good when its user logs out", async () => {
    const cookie = await logIn("ada");
    const others = await logIn("grace");
    assert.match((await post("/logout", "", { cookie })).headers.get("set-cookie") ?? "", /Max-Age=0/);
    assert.equal((await ask("/", { cookie })).status, 303);
    assert.equal((await ask("/", { cookie: others })).status, 200);
  });

  it("answers other addresses with 404", async () => {
    assert.equal((await ask("/tokens.json", { cookie: await logIn("ada") })).status, 404);
  });

  const write = (tokens: object) => fs.writeFile(file, JSON.stringify(tokens));
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(origin + path, { headers, redirect: "manual" });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { method: "POST", body, headers: { origin, ...headers }, redirect: "manual" });
  const credentials = (name: string, password = "right") =>
    new URLSearchParams({ name, password }).toString();
  const logIn = async (name: string) => {
    const response = await post("/login", credentials(name));
    assert.deepEqual([response.status, response.headers.get("location")], [303, "/"]);
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const page = async (name: string) => {
    const response = await ask("/", { cookie: await logIn(name) });
    assert.equal(response.status, 200);
    return response.text();
  };
});
