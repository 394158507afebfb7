/**
 * examples/embedding: its deployment, its server, and how many loads of a customer's page are blank during a rename: without overlap, and with
 * two deployments in a row.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers, type Users } from "../../examples/embedding/server/users";
import { derivedId } from "../../provider/src/core/state/derivedId";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { fails, newFixture, newStack, succeeds, type Stack } from "../engine/harness";
import { portOf } from "../harness/port";
import { effectsOf } from "../harness/providers";
import type { Ended } from "../harness/run";
import { example } from "./example";

/** As the README says: `pulumi up`, then the tokens of the state into the application's file. */
const deployCommand = "PULUMI_SKIP_CONFIRMATIONS=true npm run deploy";

const reloadInMs = 200;
const loadsBetween = 10;

describe("examples/embedding: npm run deploy", () => {
  const ids = ["acme", "globex", "hooli", "initech", "soylent"];
  const five = (suffix: string) => {
    const names = ids.map((id) => `${id}: "${id}${suffix}"`);
    const former = '{ acme: "Acme Corporation", globex: "Globex" }';
    return example("embedding", { "index.ts": { [former]: `{ ${names.join(", ")} }` } });
  };
  const fixture = newFixture(() => ({ program: five(""), env: { USER_GROUPS_TIMEOUT: "3" } }));

  it("writes the tokens of the state for its user only, also those that groups got before another one failed", async () => {
    const { emulator, stack } = fixture;
    const file = join(stack.folder, "tokens.json");
    const tokens = async () => JSON.parse(await fs.readFile(file, "utf8")) as unknown;
    const tokenNamed = (name: string) =>
      [...emulator.groups.values()].find((each) => each.name === name)?.token;
    succeeds(await stack.shell(deployCommand));
    assert.deepEqual(await tokens(), Object.fromEntries(ids.map((id) => [id, tokenNamed(id)])));
    const refused = derivedId({ userGroupId: "hooli", name: "hooli new" }, "replace");
    emulator.fault({ kind: "refuse", method: "GET", userGroupId: refused, times: Infinity });
    await stack.program(five(" new"));
    fails(await stack.shell(deployCommand), /hooli.*service-refused/);
    // The engine stops after the failure, so not every other group has changed.
    const current = ids.map((id) => [id, tokenNamed(`${id} new`) ?? tokenNamed(id)]);
    assert.equal(tokenNamed("hooli new"), undefined);
    assert.deepEqual(await tokens(), Object.fromEntries(current));
    assert.equal((await fs.stat(file)).mode & 0o777, 0o600);
  });
});

describe("examples/embedding: a rename, while a browser reloads a customer's page", () => {
  it("leaves some pages blank without overlap", async () => {
    const { blank, effects } = await watchedRename("overlap: false", deliveredAtOnce);
    assert.deepEqual(effects, ["DELETE acme deleted", "GET acme created"]);
    assert(blank > 0);
  });

  it("leaves none blank with it, also when the next up deletes the former group", async () => {
    const { loads, blank, effects } = await watchedRename("overlap: true", deliveredAtOnce);
    assert.deepEqual(
      effects.map((effect) => effect.replace(/~[0-9a-f]{8}/, "~")),
      ["GET acme~ created", "DELETE acme~ deleted"],
    );
    assert(loads > 20);
    assert.equal(blank, 0);
  });

  it("leaves none blank if another deployment comes before the delivery, but within overlapHours", async () => {
    assert.equal((await watchedRename("overlap: true, overlapHours: 24", deliveredLate)).blank, 0);
  });

  it("leaves some blank if another deployment comes before the delivery, with overlapHours 0", async () => {
    assert((await watchedRename("overlap: true, overlapHours: 0", deliveredLate)).blank > 0);
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
    served(await demoUsers("right"), async ({ ask, logIn }) => {
      const wrong = await logIn("ada", "wrong");
      for (const cookie of ["", "__Host-session=made-up", "tenant=acme", wrong.cookie]) {
        const response = await ask("/", { cookie });
        assert.deepEqual([response.status, response.headers.get("location")], [302, "/login"]);
      }
      const cookie = `tenant=globex; ${(await logIn("ada")).cookie}`;
      const acme = await ask("/?tenant=globex&user=grace", { cookie, "x-tenant": "globex" });
      assert.equal(acme.headers.get("cache-control"), "no-store");
      const page = await acme.text();
      assert.match(page, /"token\\u003c\/script>of-acme"/);
      assert.doesNotMatch(page, /token-of-globex/);
    }));

  it("refuses further logins after ten failed ones for a name, or fifty from an address", () =>
    served(anybody, async ({ logIn }) => {
      for (let n = 0; n < 10; n++) assert.equal((await logIn("ada", "wrong", `192.0.2.${n}`)).status, 401);
      assert.equal((await logIn("ADA", "right", "192.0.2.20")).status, 429);
      assert.equal((await logIn("grace")).status, 302);
      for (let n = 0; n < 50; n++) await logIn(`name-${n}`, "wrong", "192.0.2.30");
      assert.equal((await logIn("grace", "right", "192.0.2.30")).status, 429);
      assert.equal((await logIn("grace")).status, 302);
    }));

  async function served(users: Users, test: (browser: Browser) => Promise<void>): Promise<void> {
    const tokens = tokensIn(join(folder, "tokens.json"), console.log);
    const server = newApplication(tokens, users).listen(0, "127.0.0.1");
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

type Command = (stack: Stack) => Promise<Ended>;
const deploy: Command = (stack) => stack.shell(deployCommand);
const up: Command = (stack) => stack.up();
const deliver: Command = (stack) => stack.shell("npm run deliver");
const deliveredAtOnce = [deploy, up];
const deliveredLate = [up, up, deliver];

/**
 * Renames a customer on the real engine by the first command, while a Chromium reloads the customer's page. Resolves to the number of loads, that of loads whose
 * token belonged to no group of the service, and the requests that created or deleted a group.
 */
async function watchedRename(overlap: string, commands: readonly Command[]) {
  const emulator = await startEmulator();
  const program = (name: string) =>
    example("embedding", {
      "index.ts": { 'acme: "Acme Corporation"': `acme: "${name}"`, "overlap: true": overlap },
    });
  const stack = await newStack({ program: program("Acme"), emulator });
  try {
    succeeds(await stack.shell(deployCommand));
    await stack.program(program("Acme International"));
    return await whileWatched(emulator, join(stack.folder, "tokens.json"), async (page) => {
      await page.moreLoads(loadsBetween);
      const former = page.loads.length;
      emulator.clearRequests();
      for (const command of commands) {
        succeeds(await command(stack));
        await page.moreLoads(loadsBetween);
      }
      const loads = page.loads.slice(former);
      const effects = effectsOf(emulator).filter((effect) => /created|deleted/.test(effect));
      const blank = loads.filter(({ isBlank }) => isBlank);
      // docs/changes.md and the README have these figures.
      console.log(`    ${overlap}: ${blank.length} of ${loads.length} loads were blank`);
      return { loads: loads.length, blank: blank.length, effects };
    });
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

interface Page {
  readonly loads: readonly { readonly isBlank: boolean }[];
  /** Waits for so many further loads. */
  readonly moreLoads: (count: number) => Promise<void>;
}

/** The example's server, with a snippet that renders as the service would: the token must belong to a group. */
async function whileWatched<Result>(
  { groups }: Emulator,
  tokensFile: string,
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const loads: { isBlank: boolean }[] = [];
  const application = newApplication(tokensIn(tokensFile), anybody);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/start") response.setHeader("content-type", "text/html").end(loginPage);
    else if (pathname === "/snippet.js") response.setHeader("content-type", "text/javascript").end(snippet);
    else if (pathname === "/dashboard") {
      const token = searchParams.get("token");
      const isBlank = ![...groups.values()].some((group) => group.token === token);
      loads.push({ isBlank });
      response.writeHead(isBlank ? 404 : 200).end();
    } else application(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await inBrowser(`http://127.0.0.1:${portOf(server)}/start`, (isRunning) => {
      const moreLoads = async (count: number) => {
        const last = loads.length + count;
        while (loads.length < last) {
          assert(isRunning(), "Chromium has ended");
          await sleep(50);
        }
      };
      return use({ loads, moreLoads });
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** `chromium` on the PATH, or the program that CHROMIUM names. */
async function inBrowser<Result>(
  url: string,
  use: (isRunning: () => boolean) => Promise<Result>,
): Promise<Result> {
  const profile = await fs.mkdtemp(join(tmpdir(), "user-groups-chromium-"));
  const { CHROMIUM: chromium = "chromium" } = process.env;
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
  await once(browser, "spawn");
  try {
    return await use(() => browser.exitCode === null && browser.signalCode === null);
  } finally {
    const ended = once(browser, "close");
    if (browser.kill()) await ended;
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const loginPage = `<form method="post" action="/login">
  <input name="name" value="ada"><input name="password" value="right">
</form><script>document.forms[0].submit()</script>`;

const snippet = `
  const { userGroupToken } = JSON.parse(document.getElementById("embedding").textContent);
  const dashboard = document.getElementById("dashboard");
  fetch("/dashboard?token=" + encodeURIComponent(userGroupToken)).then(({ ok }) => {
    dashboard.textContent = ok ? "Here the dashboards appear." : "";
    setTimeout(() => location.reload(), Math.max(0, ${reloadInMs} - performance.now()));
  });
`;
