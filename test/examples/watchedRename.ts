/** A rename of a customer of examples/embedding on the real engine, while a Chromium reloads the customer's page every 200 ms. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newApplication } from "../../examples/embedding/server/application";
import { tokensIn } from "../../examples/embedding/server/tokens";
import { startEmulator, type Emulator, type RequestLogEntry } from "../../provider/src/testing";
import { newStack, type Stack } from "../engine/harness";
import { portOf } from "../harness/port";
import { run, succeeds } from "../harness/run";
import { example, pathWithTools } from "./example";

export interface WatchedRename {
  /** So many loads of the page. */
  readonly loads: number;
  /** The loads whose token belonged to no group of the service. */
  readonly blank: number;
  /** What the requests did that created or deleted a group, such as `acme deleted`. */
  readonly effects: readonly string[];
}

const reloadInMs = 200;
const loadsBetween = 10;

export async function watchedRename({ overlap }: { overlap: boolean }): Promise<WatchedRename> {
  const requests: RequestLogEntry[] = [];
  const emulator = await startEmulator({ log: (request) => requests.push(request) });
  const program = (name: string) =>
    example("embedding", {
      "index.ts": { 'acme: "Acme Corporation"': `acme: "${name}"`, "overlap: true": `overlap: ${overlap}` },
    });
  const stack = await newStack({ program: program("Acme"), emulator });
  try {
    await deploy(stack);
    await stack.program(program("Acme International"));
    const tokensFile = join(stack.folder, "tokens.json");
    return await whileWatched(emulator, tokensFile, async (page) => {
      await page.moreLoads(loadsBetween);
      const start = Date.now();
      const former = page.loads.length;
      await deploy(stack);
      await page.moreLoads(loadsBetween);
      succeeds(await stack.up());
      await page.moreLoads(loadsBetween);
      const loads = page.loads.slice(former);
      const blank = loads.filter(({ isBlank }) => isBlank);
      // docs/changes.md and the README have these figures.
      console.log(`    overlap ${overlap}: ${blank.length} of ${loads.length} loads were blank`);
      return { loads: loads.length, blank: blank.length, effects: effectsSince(start, requests) };
    });
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

function effectsSince(start: number, requests: readonly RequestLogEntry[]): string[] {
  return requests
    .filter(({ receivedAt, effect }) => receivedAt >= start && /created|deleted/.test(effect))
    .map(({ userGroupId = "", effect }) => `${userGroupId} ${effect}`);
}

/** As the README says: `pulumi up`, then the tokens of the state into the application's file. */
async function deploy({ folder, env }: Stack): Promise<void> {
  const all = {
    ...process.env,
    ...env,
    PATH: pathWithTools(),
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_STACK: "dev",
  };
  succeeds(await run("npm", ["run", "deploy"], { cwd: folder, env: all }));
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
  const onDashboard = (token: string | null) => {
    const isBlank = ![...groups.values()].some((group) => group.token === token);
    loads.push({ isBlank });
    return isBlank ? 404 : 200;
  };
  const server = createServer(handler(newApplication(tokensIn(tokensFile), anybody), onDashboard));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const browser = await startBrowser(`http://127.0.0.1:${portOf(server)}/start`);
  const moreLoads = async (count: number) => {
    const last = loads.length + count;
    while (loads.length < last) {
      assert(browser.isRunning(), "Chromium has ended");
      await sleep(50);
    }
  };
  try {
    return await use({ loads, moreLoads });
  } finally {
    await browser.stop();
    server.closeAllConnections();
    server.close();
  }
}

function handler(
  application: RequestListener,
  onDashboard: (token: string | null) => number,
): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/start") response.setHeader("content-type", "text/html").end(loginPage);
    else if (pathname === "/snippet.js") response.setHeader("content-type", "text/javascript").end(snippet);
    else if (pathname === "/dashboard") response.writeHead(onDashboard(searchParams.get("token"))).end();
    else application(request, response);
  };
}

/** `chromium` on the PATH, or the program that CHROMIUM names. */
async function startBrowser(url: string) {
  const profile = await fs.mkdtemp(join(tmpdir(), "user-groups-chromium-"));
  const { CHROMIUM: chromium = "chromium" } = process.env;
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
  await once(browser, "spawn");
  return {
    isRunning: () => browser.exitCode === null && browser.signalCode === null,
    async stop() {
      const ended = once(browser, "close");
      if (browser.kill()) await ended;
      await fs.rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

const anybody = {
  authenticate: (name: string) => Promise.resolve({ name, tenant: "acme" }),
};

const loginPage = `<form method="post" action="/login">
  <input name="name" value="ada"><input name="password" value="any">
</form><script>document.forms[0].submit()</script>`;

const snippet = `
  const { userGroupToken } = JSON.parse(document.getElementById("embedding").textContent);
  const dashboard = document.getElementById("dashboard");
  fetch("/dashboard?token=" + encodeURIComponent(userGroupToken)).then(({ ok }) => {
    dashboard.textContent = ok ? "Here the dashboards appear." : "";
    setTimeout(() => location.reload(), Math.max(0, ${reloadInMs} - performance.now()));
  });
`;
