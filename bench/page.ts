// Writes docs/performance.md: its text stays, and each marked section is generated from the results.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import prettier from "prettier";
import { aimsTable } from "./aims";
import { charts } from "./charts";
import { readResults, type Results } from "./results";
import { sections } from "./sections";

/** Throws if there are no results, or if the page marks an unknown section. */
export async function writePage(resultsFile: string): Promise<void> {
  const results = readResults(resultsFile);
  if (!results) throw new Error(`There are no results in ${resultsFile}`);
  const source = relative(repository, resultsFile).replaceAll("\\", "/");
  writeFileSync(page, await filled(readFileSync(page, "utf8"), results, source));
  mkdirSync(chartsFolder, { recursive: true });
  for (const [name, draw] of Object.entries(charts))
    writeFileSync(join(chartsFolder, `${name}.svg`), draw(results));
  console.log(await prettier.format(aimsTable(results), { parser: "markdown" }));
}

/** Returns the page's text with every marked section generated anew. */
export async function filled(text: string, results: Results, source: string): Promise<string> {
  const replaced = text.replaceAll(marked, (_all, name: string) => {
    const section = sections[name];
    if (!section) throw new Error(`docs/performance.md marks an unknown section "${name}"`);
    return `<!-- bench:${name} -->\n\n${section(results, source)}\n\n<!-- /bench:${name} -->`;
  });
  return prettier.format(replaced, { ...(await prettier.resolveConfig(page)), parser: "markdown" });
}

/** The results file that the page names as its source. */
export function sourceOf(text: string): string | undefined {
  return /`(bench\/results\/[^`]+\.json)`/.exec(text)?.[1];
}

export const repository = dirname(__dirname);
export const page = join(repository, "docs/performance.md");

const chartsFolder = join(repository, "docs/performance");
const marked = /<!-- bench:([a-z0-9-]+) -->[^]*?<!-- \/bench:\1 -->/g;
