/**
 * The site on a phone and on a desk, in Chromium: nothing but code scrolls sideways, no picture is cut, and the home page shows at once what
 * the package is, how to install it, and a program.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { z } from "zod";
import { portOf } from "../../support/harness/port";
import { run, succeeds, withFolder } from "../../support/harness/run";
import { repository } from "../pages";

const phone = { width: 400, height: 860 };
const desk = { width: 1280, height: 800 };
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

const report = z.array(z.object({ page: z.string(), wide: z.array(z.string()), lowest: z.number() }));

describe("the site", () => {
  let site: string;
  before("build the site", async () => {
    site = await fs.mkdtemp(join(tmpdir(), "site-"));
    const build = ["node_modules/vitepress/bin/vitepress.js", "build", "docs", "--outDir", site];
    succeeds(await run(process.execPath, build, { cwd: repository }));
  });
  after(() => fs.rm(site, { recursive: true, force: true }));

  for (const screen of [phone, desk])
    it(`fits into ${screen.width} pixels, except for code`, () =>
      inBrowser(site, screen, (reports) => {
        assert(reports.length > 15);
        for (const { page, wide } of reports) assert.deepEqual(wide, [], page);
      }));

  it("shows code, the install line and the status at once", () =>
    inBrowser(site, desk, (reports) => {
      const home = reports.find(({ page }) => page === "index.html");
      assert(home && home.lowest > 0 && home.lowest <= desk.height, `${home?.lowest} pixels`);
    }));
});

type Report = z.infer<typeof report>;

/** Every page that isn't an address which has moved. */
async function pagesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of await fs.readdir(folder, { recursive: true })) {
    if (!/^(index|docs[/\\].*|examples[/\\].*)\.html$/.test(file)) continue;
    const text = await fs.readFile(join(folder, file), "utf8");
    if (!text.includes('http-equiv="refresh"')) found.push(file.replaceAll("\\", "/"));
  }
  return found;
}

/** Lets a Chromium measure each page in a frame of the size of the screen. */
function inBrowser(site: string, screen: typeof phone, check: (reports: Report) => void): Promise<void> {
  return withFolder(async (folder) => {
    const page = measuringPage(await pagesIn(site), screen);
    let received: (text: string) => void = () => undefined;
    const measured = new Promise<string>((resolve) => (received = resolve));
    const respond = async (request: IncomingMessage, response: ServerResponse) => {
      const path = decodeURIComponent(request.url?.split("?")[0] ?? "");
      if (request.method === "POST") {
        let body = "";
        for await (const part of request) body += String(part);
        received(body);
        response.end();
        return;
      }
      const text = path === "/measure" ? page : await fs.readFile(join(site, path)).catch(() => undefined);
      response.setHeader(
        "content-type",
        types[path === "/measure" ? ".html" : extname(path)] ?? "text/plain",
      );
      response.writeHead(text === undefined ? 404 : 200).end(text);
    };
    const server = createServer((request, response) => void respond(request, response));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { CHROMIUM: chromium = "chromium" } = process.env;
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      `--user-data-dir=${join(folder, "profile")}`,
    ];
    const url = `http://127.0.0.1:${portOf(server)}/measure`;
    const size = `--window-size=${screen.width + 100},${screen.height + 100}`;
    const browser = spawn(chromium, [...flags, size, "--remote-debugging-port=0", url], { stdio: "ignore" });
    const ended = once(browser, "close");
    try {
      await once(browser, "spawn");
      const text = await Promise.race([measured, ended.then(() => assert.fail("Chromium has ended"))]);
      check(report.parse(JSON.parse(text)));
    } finally {
      browser.kill();
      await ended;
      server.closeAllConnections();
      server.close();
    }
  });
}

/** It reports, of each page, what is wider than the frame, and where the last block of the first screen ends. */
function measuringPage(pages: readonly string[], { width, height }: typeof phone): string {
  return `<!doctype html><iframe width="${width}" height="${height}" style="border: 0"></iframe><script type="module">
    const frame = document.querySelector("iframe");
    const reports = [];
    for (const page of ${JSON.stringify(pages)}) {
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      frame.src = "/" + page;
      await loaded;
      const { document: shown } = frame.contentWindow;
      await Promise.all([...shown.images].map((image) => ((image.loading = "eager"), image.decode().catch(() => undefined))));
      const wide = [];
      const room = shown.documentElement.clientWidth;
      if (shown.documentElement.scrollWidth > room) wide.push("the page");
      for (const table of shown.querySelectorAll(".vp-doc table"))
        if (table.scrollWidth > table.clientWidth + 1) wide.push("a table: " + table.innerText.slice(0, 40));
      for (const image of shown.querySelectorAll(".vp-doc img")) {
        const { left, right, width } = image.getBoundingClientRect();
        if (width === 0 || left < 0 || right > room) wide.push("a picture: " + image.getAttribute("src"));
      }
      const first = [...shown.querySelectorAll(".first-screen > div")].map((part) => part.getBoundingClientRect().bottom);
      reports.push({ page, wide, lowest: Math.max(0, ...first) });
    }
    await fetch("/", { method: "POST", body: JSON.stringify(reports) });
  </script>`;
}
