import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore } from "express-session";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers, type Users } from "../../examples/embedding/server/users";
import { derivedId } from "../../provider/src/core/state/derivedId";
import { fails, newFixture, succeeds } from "../engine/harness";
import { portOf } from "../harness/port";
import { run } from "../harness/run";
import { example, pathWithTools } from "./example";
import { watchedRename } from "./watchedRename";

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

  it("writes the tokens of the state for its user only, also those that groups got before another one failed", async () => {
    const { emulator, stack } = fixture;
    const customers = ["acme", "globex", "hooli", "initech", "soylent"];
    const five = (suffix: string) => {
      const names = customers.map((id) => `${id}: "${id}${suffix}"`);
      return {
        "index.ts":
          files["index.ts"]?.replace(/const tenants = .*/, `const tenants = { ${names.join(", ")} };`) ?? "",
      };
    };
    succeeds(await stack.run(["stack", "select", "dev"]));
    await stack.program(five(""));
    succeeds(await deploy());
    const tokenNamed = (name: string) =>
      [...emulator.groups.values()].find((each) => each.name === name)?.token;
    assert.deepEqual(await tokens(), Object.fromEntries(customers.map((id) => [id, tokenNamed(id)])));
    const refused = derivedId({ userGroupId: "hooli", name: "hooli new" }, "replace");
    emulator.fault({ kind: "refuse", method: "GET", userGroupId: refused, times: Infinity });
    await stack.program(five(" new"));
    fails(await deploy(), /hooli.*service-refused/);
    // The engine stops after the failure, so not every other group has changed.
    const current = customers.map((id) => [id, tokenNamed(`${id} new`) ?? tokenNamed(id)]);
    assert.equal(tokenNamed("hooli new"), undefined);
    assert.deepEqual(await tokens(), Object.fromEntries(current));
    assert.equal((await fs.stat(join(stack.folder, "tokens.json"))).mode & 0o777, 0o600);
  });
});

describe("examples/embedding: a rename, while a browser reloads a customer's page", () => {
  it("leaves some pages blank without overlap", async () => {
    const { blank, effects } = await watchedRename({ overlap: false });
    assert.deepEqual(effects, ["acme deleted", "acme created"]);
    assert(blank > 0);
  });

  it("leaves none blank with it, also when the next up deletes the former group", async () => {
    const { loads, blank, effects } = await watchedRename({ overlap: true });
    assert.deepEqual(
      effects.map((effect) => effect.replace(/~[0-9a-f]{8}/, "~")),
      ["acme~ created", "acme~ deleted"],
    );
    assert(loads > 20);
    assert.equal(blank, 0);
  });
});

describe("examples/embedding: the server", () => {
  let folder: string;
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-embedding-"));
    const stored = { acme: "token</script>of-acme", globex: "token-of-globex" };
    await fs.writeFile(join(folder, "tokens.json"), JSON.stringify(stored));
  });
  after(() => fs.rm(folder, { recursive: true }));

  it("shows each tenant's user that tenant's token and no other, and sends everybody else to the login", async () =>
    served(
      async ({ ask, logIn }) => {
        for (const cookie of [
          "",
          "__Host-session=made-up",
          "tenant=acme",
          (await logIn("ada", "wrong")).cookie,
        ]) {
          const response = await ask("/", { cookie });
          assert.deepEqual([response.status, response.headers.get("location")], [302, "/login"]);
        }
        const cookie = `tenant=globex; ${(await logIn("ada")).cookie}`;
        const acme = await ask("/?tenant=globex&user=grace", { cookie, "x-tenant": "globex" });
        assert.equal(acme.headers.get("cache-control"), "no-store");
        const page = await acme.text();
        assert.match(page, /"token\\u003c\/script>of-acme"/);
        assert.doesNotMatch(page, /token-of-globex/);
      },
      { users: await demoUsers("right") },
    ));

  it("refuses further logins after ten failed ones for a name, or fifty from an address", () =>
    served(async ({ logIn }) => {
      for (let n = 0; n < 10; n++) assert.equal((await logIn("ada", "wrong", `192.0.2.${n}`)).status, 401);
      assert.equal((await logIn("ADA", "right", "192.0.2.20")).status, 429);
      assert.equal((await logIn("grace")).status, 302);
      for (let n = 0; n < 50; n++) await logIn(`name-${n}`, "wrong", "192.0.2.30");
      assert.equal((await logIn("grace", "right", "192.0.2.30")).status, 429);
      assert.equal((await logIn("grace")).status, 302);
    }));

  it("logs nobody in if the session can't be renewed", () =>
    served(
      async ({ ask, logIn }) => {
        const { status, cookie } = await logIn("ada");
        assert.equal(status, 500);
        assert.equal((await ask("/", { cookie })).headers.get("location"), "/login");
      },
      { store: new BrokenStore() },
    ));

  async function served(
    test: (browser: Browser) => Promise<void>,
    { users = anybody, store }: { users?: Users; store?: MemoryStore } = {},
  ): Promise<void> {
    const tokens = tokensIn(join(folder, "tokens.json"), console.log);
    const server = newApplication(tokens, users, store).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await test(new Browser(`http://127.0.0.1:${portOf(server)}`));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
});

const anybody: Users = {
  authenticate: (name, password) =>
    Promise.resolve(password === "right" ? { name, tenant: "acme" } : undefined),
};

class BrokenStore extends MemoryStore {
  override destroy(_: string, callback?: (error?: unknown) => void): void {
    callback?.(Object.assign(new Error("The store is down"), { status: 500 }));
  }
}

class Browser {
  constructor(private readonly origin: string) {}

  readonly ask = (path: string, headers: Record<string, string>) =>
    fetch(this.origin + path, { headers, redirect: "manual" });

  /** `address`: the one that a proxy says. */
  readonly logIn = async (name: string, password = "right", address = "192.0.2.99") => {
    const { origin } = this;
    const body = new URLSearchParams({ name, password });
    const headers = { origin, "x-forwarded-for": address };
    const response = await fetch(`${origin}/login`, { method: "POST", body, headers, redirect: "manual" });
    return { status: response.status, cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
}
