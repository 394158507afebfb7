/** examples/embedding: its server, and how many loads of a customer's page are blank during a rename. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { demoUsers, type Users } from "../../examples/embedding/server/users";
import { requestsTo, succeeds, withFixture } from "../support/engine";
import { portOf } from "../support/harness/port";
import { withFolder } from "../support/harness/run";
import { example } from "./example";

/** As the README says: `pulumi up`, then the tokens of the state into the application's file. */
const deployCommand = "PULUMI_SKIP_CONFIRMATIONS=true npm run deploy";

/** The example with another name of a customer. */
const renamed = (name: string, overlap = "overlap: true") =>
  example("embedding", {
    "index.ts": { 'acme: "Acme Corporation"': `acme: "${name}"`, "overlap: true": overlap },
  });

describe("examples/embedding: a rename, while a browser reloads a customer's page", () => {
  it("leaves some pages blank without overlap", async () => {
    const { blank, changes } = await watchedRename("overlap: false");
    assert.deepEqual(changes, ['DELETE "acme" deleted 200', 'GET "acme" created 200']);
    assert(blank > 0);
  });

  it("leaves none blank with it, also when the next up deletes the former group", async () => {
    const { blank, changes } = await watchedRename("overlap: true, overlapHours: 0");
    assert.match(changes.join(), /^GET "acme~\w+" created 200,DELETE "acme~\w+" deleted 200$/);
    assert.equal(blank, 0);
  });
});

describe("examples/embedding: the server", () => {
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

  function served(users: Users, test: (browser: Browser) => Promise<void>): Promise<void> {
    return withFolder(async (folder) => {
      const file = join(folder, "tokens.json");
      const stored = { acme: "token</script>of-acme", globex: "token-of-globex" };
      await fs.writeFile(file, JSON.stringify(stored));
      const application = newApplication(tokensIn(file, console.log), users);
      await listening(application, (origin) => test(new Browser(origin)));
    });
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

/** Gives `use` the address of a server, which ends after it. */
async function listening<Result>(
  listener: RequestListener,
  use: (origin: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await use(`http://127.0.0.1:${portOf(server)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Renames a customer, while a Chromium reloads the customer's page. Resolves to the number of loads whose token belonged
 * to no group of the service, and the requests that created or deleted a group.
 */
function watchedRename(overlap: string) {
  return withFixture(
    () => ({ program: renamed("Acme", overlap) }),
    {},
    async ({ stack, emulator }) => {
      succeeds(await stack.shell(deployCommand));
      await stack.program(renamed("Acme International", overlap));
      /** Of each load, whether the page is blank. */
      const loads: boolean[] = [];
      const tokens = join(stack.folder, "tokens.json");
      const pages = withDashboards(tokens, (token) => {
        const isBlank = ![...emulator.groups.values()].some((group) => group.token === token);
        loads.push(isBlank);
        return !isBlank;
      });
      return listening(pages, (origin) =>
        inBrowser(`${origin}/start`, async (isRunning) => {
          const untilMoreLoads = async () => {
            const last = loads.length + 10;
            while (loads.length < last) {
              assert(isRunning(), "Chromium has ended");
              await sleep(50);
            }
          };
          await untilMoreLoads();
          loads.length = 0;
          emulator.clearRequests();
          for (const command of [deployCommand, "pulumi up --yes"]) {
            succeeds(await stack.shell(command));
            await untilMoreLoads();
          }
          const blank = loads.filter((isBlank) => isBlank).length;
          // docs/changes.md and the README have these figures.
          console.log(`    ${overlap}: ${blank} of ${loads.length} loads were blank`);
          const changes = requestsTo(emulator).filter((line) => /created|deleted/.test(line));
          return { blank, changes };
        }),
      );
    },
  );
}

/** The example's server, with a page that logs in, and a snippet that renders as the service would if the token is valid. */
function withDashboards(tokensFile: string, isValid: (token: string | null) => boolean): RequestListener {
  const application = newApplication(tokensIn(tokensFile), anybody);
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/start") response.setHeader("content-type", "text/html").end(loginPage);
    else if (pathname === "/snippet.js") response.setHeader("content-type", "text/javascript").end(snippet);
    else if (pathname === "/dashboard")
      response.writeHead(isValid(searchParams.get("token")) ? 200 : 404).end();
    else application(request, response);
  };
}

/** `chromium` on the PATH, or the program that CHROMIUM names. */
function inBrowser<Result>(url: string, use: (isRunning: () => boolean) => Promise<Result>): Promise<Result> {
  return withFolder(async (profile) => {
    const { CHROMIUM: chromium = "chromium" } = process.env;
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
    const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
    await once(browser, "spawn");
    try {
      return await use(() => browser.exitCode === null && browser.signalCode === null);
    } finally {
      const ended = once(browser, "close");
      if (browser.kill()) await ended;
    }
  });
}

const loginPage = `<form method="post" action="/login">
  <input name="name" value="ada"><input name="password" value="right">
</form><script>document.forms[0].submit()</script>`;

const snippet = `
  const { userGroupToken } = JSON.parse(document.getElementById("embedding").textContent);
  fetch("/dashboard?token=" + encodeURIComponent(userGroupToken)).then(() => {
    setTimeout(() => location.reload(), Math.max(0, 200 - performance.now()));
  });
`;
