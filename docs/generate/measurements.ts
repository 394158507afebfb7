/** What pages say about the newest results in bench/results. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readResults, type Results } from "../../bench/results";
import { sections } from "../../bench/sections";
import { repository } from "./markdown";

/** The file of the last measurement. Its name is its date. */
export function newestResults(): { results: Results; file: string } {
  const file = `bench/results/${readdirSync(join(repository, "bench/results")).sort().at(-1) ?? ""}`;
  const results = readResults(join(repository, file));
  if (!results) throw new Error(`There are no results in ${file}.`);
  return { results, file };
}

export function measuredPart(name: keyof typeof sections): string {
  const { results, file } = newestResults();
  return sections[name](results, file);
}

export function measurementsPage(): string {
  return [
    "# All measurements",
    'The tables show the median of the rounds, with the range in parentheses; ratios compare programs within a round. "At 50 ms" means ' +
      "that the service waits 50 ms before each response. [Performance](../performance.md#how-it-was-measured) explains the programs.",
    measuredPart("setting"),
    ...tables.flatMap(([heading, name]) => [`## ${heading}`, measuredPart(name)]),
  ].join("\n\n");
}

const tables: readonly [heading: string, name: keyof typeof sections][] = [
  ["Up", "up"],
  ["Preview", "preview"],
  ["Languages and options", "languages"],
  ["Refresh and destroy", "others"],
  ["State", "state"],
];
