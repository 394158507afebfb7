import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { run } from "../harness/run";

/**
 * Starts Chromium before the tests of the `describe` that calls it, and closes it after them. Without Chromium, the tests fail in
 * CI and are left out elsewhere. Returns a function that gives the browser to hooks and tests.
 */
export function withChromium(): () => Browser {
  let browser: Browser | undefined;
  before("Chromium", async function () {
    browser = await startChromium();
    if (browser) return;
    assert.notEqual(process.env["CI"], "true", "There is no Chromium, and it can't be installed");
    console.log("      left out: there is no Chromium (CHROMIUM may name its program)");
    this.skip();
  });
  after("its end", () => browser?.close());
  return () => {
    assert(browser);
    return browser;
  };
}

/** The system's Chromium, which CI installs where it is missing; undefined where there is none. */
async function startChromium(): Promise<Browser | undefined> {
  if (installedChromium() === undefined) await install();
  const executablePath = installedChromium();
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: flags });
}

/** Without them it asks its maker's hosts for updates and the like at every start. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function installedChromium(): string | undefined {
  const { CHROMIUM: named } = process.env;
  const known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return [...(named === undefined ? [] : [named]), ...known].find((path) => existsSync(path));
}

/** On a machine of CI's, not on a developer's. */
async function install(): Promise<void> {
  const mayInstall = process.env["CI"] === "true" && process.getuid?.() === 0;
  if (!mayInstall || !existsSync("/usr/bin/apt-get")) return;
  console.log("      installing chromium");
  await run("apt-get", ["update", "-qq"]);
  await run("apt-get", ["install", "-qq", "--yes", "--no-install-recommends", "chromium"]);
}
