// Writes what was measured into docs/performance.md, between the marks of each section, and draws its charts.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import prettier from "prettier";
import { readResults, type Results } from "../results";
import { charts } from "./charts";
import { sections } from "./sections";

/** Throws where there are no such results, or where the page has a mark that isn't known. */
export async function writePage(resultsFile: string): Promise<void> {
  const results = readResults(resultsFile);
  if (!results) throw new Error(`There are no results in ${resultsFile}`);
  const source = relative(repository, resultsFile).replaceAll("\\", "/");
  writeFileSync(page, await filled(readFileSync(page, "utf8"), results, source));
  mkdirSync(chartsFolder, { recursive: true });
  for (const [name, draw] of Object.entries(charts))
    writeFileSync(join(chartsFolder, `${name}.svg`), draw(results));
  console.log(`Written: ${relative(repository, page)} and its charts`);
}

/** The page's text with every marked section made anew, in the format of the house. */
export async function filled(text: string, results: Results, source: string): Promise<string> {
  const replaced = text.replaceAll(marked, (_all, name: string) => {
    const section = sections[name];
    if (!section)
      throw new Error(`docs/performance.md has a section "${name}", which the bench doesn't know`);
    return `<!-- bench:${name} -->\n\n${section(results, source)}\n\n<!-- /bench:${name} -->`;
  });
  const settings = await prettier.resolveConfig(page);
  return prettier.format(replaced, { ...settings, parser: "markdown" });
}

/** The results file that the page says it was made from. */
export function sourceOf(text: string): string | undefined {
  return /`(bench\/results\/[^`]+\.json)`/.exec(text)?.[1];
}

export const repository = dirname(dirname(__dirname));
export const page = join(repository, "docs", "performance.md");

const chartsFolder = join(repository, "docs", "performance");
const marked = /<!-- bench:([a-z0-9-]+) -->[^]*?<!-- \/bench:\1 -->/g;
