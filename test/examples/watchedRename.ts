/** A rename of a customer of examples/embedding on the real engine, while a Chromium reloads the customer's page every 200 ms. */
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
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, succeeds } from "../engine/harness";
import { portOf } from "../harness/gate";
import { effectsOf } from "../harness/providers";
import { example } from "./example";

export interface WatchedRename {
  /** So many loads of the page. */
  readonly loads: number;
  /** The loads whose token belonged to no group of the service. */
  readonly blank: number;
  /** What the requests did that created or deleted a group, such as `DELETE acme deleted`. */
  readonly effects: readonly string[];
}

/** As the README says: `pulumi up`, then the tokens of the state into the application's file. */
export const deployCommand = "PULUMI_SKIP_CONFIRMATIONS=true npm run deploy";

const reloadInMs = 200;
const loadsBetween = 10;

export async function watchedRename({ overlap }: { overlap: boolean }): Promise<WatchedRename> {
  const emulator = await startEmulator();
  const program = (name: string) =>
    example("embedding", {
      "index.ts": { 'acme: "Acme Corporation"': `acme: "${name}"`, "overlap: true": `overlap: ${overlap}` },
    });
  const stack = await newStack({ program: program("Acme"), emulator });
  try {
    succeeds(await stack.shell(deployCommand));
    await stack.program(program("Acme International"));
    return await whileWatched(emulator, join(stack.folder, "tokens.json"), async (page) => {
      await page.moreLoads(loadsBetween);
      const former = page.loads.length;
      emulator.clearRequests();
      succeeds(await stack.shell(deployCommand));
      await page.moreLoads(loadsBetween);
      succeeds(await stack.up());
      await page.moreLoads(loadsBetween);
      const loads = page.loads.slice(former);
      const effects = effectsOf(emulator).filter((effect) => /created|deleted/.test(effect));
      const blank = loads.filter(({ isBlank }) => isBlank);
      // docs/changes.md and the README have these figures.
      console.log(`    overlap ${overlap}: ${blank.length} of ${loads.length} loads were blank`);
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
