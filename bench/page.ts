// Writes docs/performance.md: its text stays, and each marked section is generated from the results.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import prettier from "prettier";
import { readResults } from "./results";
import { sections } from "./sections";

const repository = dirname(__dirname);
const page = join(repository, "docs/performance.md");
const marked = /<!-- bench:([a-z0-9-]+) -->[^]*?<!-- \/bench:\1 -->/g;

/** Throws if there are no results, or if the page marks an unknown section. */
export async function writePage(resultsFile: string): Promise<void> {
  const results = readResults(resultsFile);
  if (!results) throw new Error(`There are no results in ${resultsFile}`);
  const source = relative(repository, resultsFile).replaceAll("\\", "/");
  const text = readFileSync(page, "utf8").replaceAll(marked, (_all, name: string) => {
    const section = sections[name];
    if (!section) throw new Error(`docs/performance.md marks an unknown section "${name}"`);
    return `<!-- bench:${name} -->\n\n${section(results, source)}\n\n<!-- /bench:${name} -->`;
  });
  const options = { ...(await prettier.resolveConfig(page)), parser: "markdown" };
  writeFileSync(page, await prettier.format(text, options));
}
