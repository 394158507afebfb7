import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { run, succeeds } from "../harness/run";
import { pages, repository, type Page } from "./pages";

describe("what pages take from the code", () => {
  it("is as the code is", async () => {
    succeeds(
      await run(process.execPath, ["--require", "ts-node/register", "docs/generate/main.ts", "--check"], {
        cwd: repository,
      }),
    );
  });
});

describe("links", () => {
  for (const page of pages.filter(({ links }) => links.length > 0)) {
    it(`of ${page.file} lead somewhere`, () => {
      assert.deepEqual(
        page.links.filter((link) => !leadsSomewhere(page, link)),
        [],
      );
    });
  }

  it("lead to every page of docs/, from the README on", () => {
    const reached = new Set(["README.md"]);
    for (const file of reached)
      for (const link of pages.find((page) => page.file === file)?.links ?? [])
        reached.add(target(file, link));
    const unreached = pages.filter(
      ({ file }) => file.startsWith("docs/") && !reached.has(file) && !isEntry(file),
    );
    assert.deepEqual(
      unreached.map(({ file }) => file),
      [],
    );
  });
});

/** The home page of the site, and the pages that the Pulumi Registry shows. */
function isEntry(file: string): boolean {
  return /^docs\/(index|_index|installation-configuration)\.md$/.test(file);
}

/** The web isn't asked: only its addresses' form is looked at. */
function leadsSomewhere({ file }: Page, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return link.startsWith("https://") && URL.canParse(link);
  const path = target(file, link);
  const anchor = link.split("#")[1];
  const anchors = pages.find((page) => page.file === path)?.anchors;
  return existsSync(join(repository, path)) && (anchor === undefined || anchors?.has(anchor) === true);
}

/** The file that a relative link leads to; a folder's slash is dropped. */
function target(file: string, link: string): string {
  const path = link.split("#")[0] ?? "";
  return path === "" ? file : posix.join(dirname(file), path).replace(/\/$/, "");
}
