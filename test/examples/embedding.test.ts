import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Server } from "node:http";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers } from "../../examples/embedding/server/users";
import { fails, newFixture, succeeds, tokensOf } from "../engine/harness";
import { ended } from "../harness/run";
import { portOf } from "../harness/portOf";
import { example } from "./example";

describe("examples/embedding: npm run deploy", () => {
  const files = example("embedding");
  const fixture = newFixture(() => ({ program: files }));
  const tokens = async () =>
    JSON.parse(await fs.readFile(join(fixture.stack.folder, "tokens.json"), "utf8")) as unknown;
  const deploy = () => {
    const PATH = [resolve(__dirname, "../../node_modules/.bin"), process.env["PATH"]].join(delimiter);
    const env = { ...process.env, ...fixture.stack.env, PATH, PULUMI_SKIP_CONFIRMATIONS: "true" };
    return ended(spawn("npm", ["run", "deploy"], { cwd: fixture.stack.folder, env }));
  };
  before(async () => {
    succeeds(await fixture.stack.run(["stack", "select", "dev"]));
    succeeds(await deploy());
  });

  it("writes the tokens after an update that succeeded", async () => {
    assert.deepEqual(await tokens(), tokensOf(fixture.emulator));
  });

  it("writes none after an update that failed, when the stack's outputs are those of before", async () => {
    const { acme: former } = tokensOf(fixture.emulator);
    await fs.rm(join(fixture.stack.folder, "tokens.json"));
    fixture.emulator.fault({ kind: "refuse", userGroupId: "hooli", times: Infinity });
    const changed = files["index.ts"]?.replace('"Acme Corporation"', '"Acme", hooli: "Hooli"') ?? "";
    await fixture.stack.program({ "index.ts": changed });
    fails(await deploy(), /hooli.*service-refused/);
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
    const broken = ["", '{"acme": "secret-of-ac', "null", '{"acme": ""}', '{"acme": 7}'];
    for (const text of broken) {
      await fs.writeFile(file, text);
      assert.match(await (await ask("/", { cookie })).text(), /"token-of-acme"/);
    }
    await write({ acme: "token-of-acme", globex: "token-of-globex" });
    assert.equal(logged.length, broken.length);
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
    assert.match(cookie, /^__Host-session=s%3A[\w-]{32}\.\S+; Path=\/; Expires=[^;]+; /);
    assert.match(cookie, /; HttpOnly; Secure; SameSite=Lax$/);
    assert.notEqual(await logIn("ada"), await logIn("ada"));
  });

  it("ends the former session when another user logs in with it", async () => {
    const former = await logIn("ada");
    const response = await post("/login", credentials("grace"), { cookie: former });
    const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    assert.notEqual(cookie, former);
    assert.deepEqual(redirectOf(await ask("/", { cookie: former })), [302, "/login"]);
    assert.match(await (await ask("/", { cookie })).text(), /"token-of-globex"/);
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
    const long = await post("/login", credentials("x".repeat(5000)));
    assert.deepEqual([long.status, await long.text()], [413, "Payload Too Large"]);
  });

  it("keeps the session when another site posts a logout", async () => {
    const cookie = await logIn("ada");
    const response = await post("/logout", "", { cookie, origin: "https://elsewhere.example" });
    assert.equal(response.status, 403);
    assert.equal((await ask("/", { cookie })).status, 200);
  });

  it("gives no session to a browser that reached the proxy without https", async () => {
    const response = await post("/login", credentials("ada"), { "x-forwarded-proto": "http" });
    assert.equal(response.headers.get("set-cookie"), null);
  });

  it("ends a session for good when its user logs out", async () => {
    const cookie = await logIn("ada");
    const others = await logIn("grace");
    const loggedOut = await post("/logout", "", { cookie });
    assert.match(
      loggedOut.headers.get("set-cookie") ?? "",
      /^__Host-session=; Path=\/; Expires=Thu, 01 Jan 1970/,
    );
    assert.deepEqual(redirectOf(await ask("/", { cookie })), [302, "/login"]);
    assert.equal((await ask("/", { cookie: others })).status, 200);
  });

  it("answers other addresses with 404", async () => {
    assert.equal((await ask("/tokens.json", { cookie: await logIn("ada") })).status, 404);
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
