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

  it("writes the tokens of the state for its user only, also those that four groups got before a fifth failed", async () => {
    const { emulator, stack } = fixture;
    const five = (suffix: string) => {
      const names = ["acme", "globex", "hooli", "initech", "soylent"].map((id) => `${id}: "${id}${suffix}"`);
      return {
        "index.ts":
          files["index.ts"]?.replace(/const tenants = .*/, `const tenants = { ${names.join(", ")} };`) ?? "",
      };
    };
    succeeds(await stack.run(["stack", "select", "dev"]));
    await stack.program(five(""));
    succeeds(await deploy());
    const former = tokensOf(emulator);
    assert.deepEqual(await tokens(), former);
    emulator.fault({ kind: "refuse", method: "GET", userGroupId: "hooli", times: Infinity });
    await stack.program(five(" new"));
    fails(await deploy(), /hooli.*service-refused/);
    const current = tokensOf(emulator);
    assert.deepEqual(Object.keys(current).sort(), ["acme", "globex", "initech", "soylent"]);
    for (const [id, token] of Object.entries(current)) assert.notEqual(token, former[id]);
    assert.deepEqual(await tokens(), current);
    assert.equal((await fs.stat(join(stack.folder, "tokens.json"))).mode & 0o777, 0o600);
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
