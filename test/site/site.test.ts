import assert from "node:assert/strict";
import { posix } from "node:path";
import type { Page } from "playwright-core";
import { pages as sources } from "../docs/pages";
import { withChromium } from "./chromium";
import { buildSite, type BuiltPage, type BuiltSite } from "./builtSite";

describe("the site", () => {
  let built: BuiltSite | undefined;
  before("its build", async () => {
    built = await buildSite();
  });
  after("its end", () => built?.remove());

  it("has every page of the repository", () => {
    const expected = sources.map(({ file }) => file).filter((file) => !isElsewhere(file));
    const paths = site().pages.map(({ path }) => path);
    assert.deepEqual(paths.sort(), expected.map(builtPath).sort());
  });

  it("lists every page in its sidebar", () => {
    const page = site().pages.find(({ path }) => path === "docs/concepts.html");
    const listed = new Set(page?.addresses.map((address) => fileOf("docs/concepts.html", address)));
    const missing = site().pages.filter(({ path }) => !listed.has(path) && !isListedElsewhere(path));
    assert.deepEqual(
      missing.map(({ path }) => path),
      [],
    );
  });

  it("has no link that leads nowhere", () => {
    const broken = site().pages.flatMap((page) =>
      page.addresses
        .filter((address) => !leadsSomewhere(page, address))
        .map((address) => `${page.path}: ${address}`),
    );
    assert.deepEqual(broken, []);
  });

  describe("in Chromium", () => {
    const browser = withChromium();
    const foreign: string[] = [];

    it('finds "rotate a token" where the change of keepers is explained', async () => {
      const page = await open({ width: 1200, height: 800 });
      await page.goto(site().url);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("rotate a token");
      const results = page.locator(".VPLocalSearchBox .result");
      await results.first().waitFor();
      const found = await results.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      assert.equal(found[0], "/docs/changes.html#rotate-a-token");
    });

    it("has no page that a phone must scroll sideways", async () => {
      const page = await open({ width: 360, height: 740 });
      const tooWide: string[] = [];
      for (const { path } of site().pages) {
        await page.goto(site().url + path);
        const [content, window] = await page.evaluate(
          () => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const,
        );
        if (content > window) tooWide.push(`${path}: ${content} of ${window}`);
      }
      assert.deepEqual(tooWide, []);
    });

    it("has requested nothing from another host so far", () => {
      assert.deepEqual(foreign, []);
    });

    /** A window that gets nothing but the site. */
    async function open(viewport: { width: number; height: number }): Promise<Page> {
      const context = await browser().newContext({ viewport });
      await context.route(
        (address) => !address.href.startsWith(site().url),
        (route) => {
          foreign.push(route.request().url());
          return route.abort();
        },
      );
      return context.newPage();
    }
  });

  function site(): BuiltSite {
    assert(built);
    return built;
  }

  function leadsSomewhere(page: BuiltPage, address: string): boolean {
    if (/^[a-z]+:/.test(address)) return /^(https|data):/.test(address) && URL.canParse(address);
    const file = fileOf(page.path, address);
    const anchor = new URL(address, "http://site").hash.slice(1);
    const target = site().pages.find(({ path }) => path === file);
    return site().files.includes(file) && (anchor === "" || target?.ids.has(decodeURI(anchor)) === true);
  }
});

/** The Pulumi Registry shows two pages, and the site has a home page instead of the README. */
function isElsewhere(source: string): boolean {
  return ["README.md", "docs/_index.md", "docs/installation-configuration.md"].includes(source);
}

/** The reference and the examples have a page of their own that lists them. */
function isListedElsewhere(path: string): boolean {
  return path === "index.html" || /^(docs\/reference|examples\/.+)\//.test(path);
}

function builtPath(source: string): string {
  if (source === "docs/index.md") return "index.html";
  return source.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
}

/** The file of the site that an address on a page leads to. */
function fileOf(page: string, address: string): string {
  const { pathname } = new URL(address, `http://site/${page}`);
  return posix.join(pathname, pathname.endsWith("/") ? "index.html" : ".").slice(1);
}
