import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Page } from "playwright-core";
import { newFixture, succeeds, tokensOf } from "../../engine/harness";
import { portOf } from "../../harness/portOf";
import { example } from "../example";
import { withChromium } from "./chromium";

describe("examples/embedding, in a browser", () => {
  const fixture = newFixture(() => ({ program: example("embedding") }));
  const browser = withChromium();
  let server: Server | undefined;

  before("the tokens in a file, and the server", async () => {
    succeeds(await fixture.stack.up());
    const { tokens } = await fixture.stack.plainOutputs();
    assert.deepEqual(tokens, tokensOf(fixture.emulator));
    await fs.writeFile(join(fixture.stack.folder, "tokens.json"), JSON.stringify(tokens));
    server = await startServer(fixture.stack.folder);
  });
  after("their end", async () => {
    await server?.stop();
  });

  it("lets nobody in without the right password", async () => {
    const page = await visit();
    assert.equal(new URL(page.url()).pathname, "/login");
    await logIn(page, "ada", "wrong");
    assert.equal(await page.getByRole("alert").textContent(), "Name or password is wrong.");
  });

  it("renders the dashboards of two tenants at once, each with its own token only", async () => {
    const { acme, globex } = tokensOf(fixture.emulator);
    assert(acme && globex);
    const [ada, grace] = [await visit(), await visit()];
    await logIn(ada, "ada");
    await logIn(grace, "grace");
    for (const [page, own, others] of [
      [ada, acme, globex],
      [grace, globex, acme],
    ] as const) {
      await page.reload();
      assert.equal(await renderedToken(page), own);
      assert((await page.content()).includes(own));
      assert(!(await page.content()).includes(others));
    }
  });

  it("renders the next tenant's dashboards when another user logs in with the same browser", async () => {
    const { acme, globex } = tokensOf(fixture.emulator);
    assert(acme && globex);
    const page = await visit();
    await logIn(page, "ada");
    assert.equal(await renderedToken(page), acme);
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, "grace");
    assert.equal(await renderedToken(page), globex);
    assert(!(await page.content()).includes(acme));
  });

  it("keeps the session from the page's scripts", async () => {
    const page = await visit();
    await logIn(page, "ada");
    assert.equal(await page.evaluate("document.cookie"), "");
    const cookies = await page.context().cookies();
    assert.deepEqual(
      cookies.map(({ name, secure, httpOnly, sameSite }) => [name, secure, httpOnly, sameSite]),
      [["__Host-session", true, true, "Lax"]],
    );
  });

  it("renders with a snippet that loads from the service, once its origin is listed", async () => {
    const service = createServer((_, response) => {
      response.end('document.getElementById("dashboard").textContent = "From the service.";');
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const origin = `http://127.0.0.1:${portOf(service)}`;
    try {
      assert.match(await shownWith({ origin, origins: [origin] }), /From the service/);
      assert.match(await shownWith({ origin, origins: [] }), /Blocked/);
    } finally {
      service.close();
      service.closeAllConnections();
    }
  });

  /** The text of the dashboard, with a snippet that loads a script from the origin. */
  async function shownWith(places: { origin: string; origins: string[] }): Promise<string> {
    const script = `
      const script = document.createElement("script");
      script.src = "${places.origin}";
      script.onerror = () => { document.getElementById("dashboard").textContent = "Blocked."; };
      document.body.append(script);`;
    const [snippet, snippetOrigins] = [script, places.origins].map((value) => JSON.stringify(value));
    const text = `export const snippet = ${snippet};\nexport const snippetOrigins: string[] = ${snippetOrigins};\n`;
    await fixture.stack.program({ "server/snippet.ts": text });
    const other = await startServer(fixture.stack.folder);
    try {
      const page = await visit(other);
      await logIn(page, "ada", other.password);
      const dashboard = page.locator("#dashboard:not(:text('Loading'))");
      await dashboard.waitFor();
      return (await dashboard.textContent()) ?? "";
    } finally {
      await other.stop();
    }
  }

  /** The first page, in a window that shares nothing with another. */
  async function visit(visited = server): Promise<Page> {
    assert(visited);
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(visited.address);
    return page;
  }

  async function logIn(page: Page, name: string, password = server?.password ?? ""): Promise<void> {
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  }

  async function renderedToken(page: Page): Promise<string | null> {
    await page.getByText("Here the dashboards appear.").waitFor();
    return page.locator("#dashboard").getAttribute("data-user-group-token");
  }
});

interface Server {
  readonly address: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** `npm start`, without npm. */
async function startServer(folder: string): Promise<Server> {
  const env = { ...process.env, TOKENS_FILE: "tokens.json", PORT: "0" };
  const child = spawn(process.execPath, [require.resolve("ts-node/dist/bin"), "server/main.ts"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first = "", second = ""] = await firstLines(child.stdout, 2);
  const [address, password] = [/^\S+/.exec(first)?.[0], /\S+$/.exec(second)?.[0]];
  assert(address && password, "The server said neither its address nor a password");
  return {
    address,
    password,
    async stop() {
      if (child.kill()) await once(child, "exit");
    },
  };
}

/** Fewer, where the stream ends before. */
async function firstLines(stream: Readable, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(stream)) if (lines.push(line) === count) break;
  return lines;
}
