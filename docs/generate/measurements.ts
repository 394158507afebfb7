/** What pages say about the newest results in bench/results. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readResults, type Results } from "../../bench/results";
import { sections } from "../../bench/sections";
import { repository } from "./markdown";

/** The file of the last measurement. Its name is its date. */
export function newestResults(): { results: Results; file: string } {
  const file = `bench/results/${readdirSync(join(repository, "bench/results")).sort().at(-1) ?? ""}`;
  return { results: resultsIn(file), file };
}

/** A state has the same size on each machine, so its table has the compressed states of another run as well. */
const compressed = "bench/zstd-2026-11-25.json";
/** Small programs, measured by themselves. */
const small = "bench/small-2026-11-26.json";

export function measuredPart(name: keyof typeof sections): string {
  const { results, file } = newestResults();
  if (name === "languages") return smallPart();
  if (name !== "state") return sections[name](results, file);
  const { runs } = resultsIn(compressed);
  return sections[name]({ ...results, runs: [...results.runs, ...runs] }, file);
}

function smallPart(): string {
  const results = resultsIn(small);
  return [sections.setting(results, small), sections.languages(results, small)].join("\n\n");
}

function resultsIn(file: string): Results {
  const results = readResults(join(repository, file));
  if (!results) throw new Error(`There are no results in ${file}.`);
  return results;
}

export function measurementsPage(): string {
  return [
    "# All measurements",
    'The tables show the median of the rounds, with the range in parentheses; ratios compare programs within a round. "At 50 ms" means ' +
      "that the service waits 50 ms before each response.",
    programs,
    measuredPart("setting"),
    ...tables.flatMap(([heading, name]) => [`## ${heading}`, measuredPart(name)]),
  ].join("\n\n");
}

const programs = `Each program creates the same groups in the emulator, with an ID and a name each. \`up\`, \`refresh\` and \`destroy\` run
without the preview before them, and the benchmark verifies every operation.

- **\`UserGroups\`**: all groups in one resource. JavaScript and TypeScript use the dynamic resources; "plugin" and YAML the plugin.
  In the table of languages and options, programs in YAML have the plugin installed, and programs in JavaScript no TypeScript.
- **\`UserGroup\` each**: one resource for each group. "Checkpoints skipped" sets \`PULUMI_EXPERIMENTAL=true\` and
  \`PULUMI_SKIP_CHECKPOINTS=true\`.
- **Compressed state**: with \`PULUMI_DIY_BACKEND_ZSTD=true\`; only its size, measured on 2026-11-25.
- **Inline dynamic provider**: written by hand in the program, without this package.
- **Floor**: a dynamic provider that sends no request. It shows the time of Pulumi itself.
- **OpenTofu**: with Mastercard/restapi, both built from the Go module proxy. "\`count\`, tuned" is their best form: \`count\`, 16
  requests at a time, and no requests before a plan. "\`for_each\`" is the usual form: \`for_each\` over a map, default settings.

Programs with one resource for each group, and OpenTofu with \`for_each\`, are measured only up to 1,000 groups.`;

const tables: readonly [heading: string, name: keyof typeof sections][] = [
  ["Up", "up"],
  ["Preview", "preview"],
  ["Languages and options", "languages"],
  ["Refresh and destroy", "others"],
  ["State", "state"],
];
