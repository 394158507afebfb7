/** The site as it is built, served on a loopback port. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { repository } from "../docs/pages";
import { portOf } from "../harness/portOf";

export interface BuiltSite {
  readonly url: string;
  /** The paths of all files, such as `docs/changes.html`. */
  readonly files: readonly string[];
  readonly pages: readonly BuiltPage[];
  remove(): Promise<void>;
}

export interface BuiltPage {
  /** Such as `docs/changes.html`. */
  readonly path: string;
  /** Of its links, pictures, scripts and styles. */
  readonly addresses: readonly string[];
  readonly ids: ReadonlySet<string>;
}

export async function buildSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), "user-groups-site-"));
  try {
    const vitepress = join(repository, "node_modules/vitepress/bin/vitepress.js");
    await promisify(execFile)(process.execPath, [vitepress, "build", "docs", "--outDir", folder], {
      cwd: repository,
    });
    const files = filesIn(folder);
    const { url, close } = await serve(folder, new Set(files));
    const pages = files.filter(isPage).map((path) => readPage(folder, path));
    const remove = async () => {
      await close();
      rmSync(folder, { recursive: true });
    };
    return { url, files, pages, remove };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.split(sep).join("/"));
}

/** The page for addresses that don't exist has no place of its own. */
function isPage(file: string): boolean {
  return file.endsWith(".html") && file !== "404.html";
}

function readPage(folder: string, path: string): BuiltPage {
  const html = readFileSync(join(folder, path), "utf8");
  const valuesOf = (names: string) =>
    [...html.matchAll(new RegExp(` (?:${names})="([^"]*)"`, "g"))].map(([, value = ""]) =>
      value.replaceAll("&amp;", "&"),
    );
  return { path, addresses: valuesOf("href|src"), ids: new Set(valuesOf("id")) };
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

async function serve(folder: string, files: ReadonlySet<string>) {
  const send = (path: string, response: ServerResponse) => {
    const file = path.endsWith("/") ? `${path}index.html` : path;
    if (!files.has(file.slice(1))) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(file)] ?? "text/plain");
    return response.end(readFileSync(join(folder, file)));
  };
  const server = createServer(({ url = "" }, response) => {
    send(decodeURI(new URL(url, "http://site").pathname), response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${portOf(server)}/`, close };
}
