/**
 * `npm run docs`: writes the marked parts of pages, `<!-- generated: name -->` … `<!-- /generated -->`, from the code and the newest
 * results of the benchmark. With --check it writes nothing, and fails where something would change.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import prettier from "prettier";
import { readResults, type Results } from "../bench/results";
import { answer, setting, tables } from "../bench/tables";
import { declarations } from "./declarations";
import { readPage, repository } from "./markdown";
import { previewPicture } from "./terminalPicture";
import { errorSections, listOf, warningSections } from "./messagesPage";
import { inputs, introduction, outputs, settingsList } from "./resourcePages";

type Parts = Readonly<Record<string, () => string | Promise<string>>>;

/** The file of the last measurement. Its name is its date. */
const newest = `tools/bench/results/${readdirSync(join(repository, "tools/bench/results")).sort().at(-1) ?? ""}`;
/** Small programs, measured by themselves. */
const small = "tools/bench/small-2026-11-26.json";

const pages: Readonly<Record<string, Parts>> = {
  "docs/messages.md": {
    "list of errors": () => listOf("error"),
    "list of warnings": () => listOf("warning"),
    errors: errorSections,
    warnings: warningSections,
  },
  "docs/reference.md": {
    "UserGroup introduction": () => introduction("UserGroup"),
    "UserGroup inputs": () => inputs("UserGroup"),
    "UserGroup outputs": () => outputs("UserGroup"),
    "UserGroups introduction": () => introduction("UserGroups"),
    "UserGroups inputs": () => inputs("UserGroups"),
    "UserGroups outputs": () => outputs("UserGroups"),
    settings: settingsList,
  },
  "docs/pull-requests.md": { review: recordedReview },
  "docs/scale.md": {
    answer: () => answer(resultsIn(newest), resultsIn(small)),
    setting: () => setting(resultsIn(newest), newest),
    thousand: () => tables.large(1000)(resultsIn(newest)),
    "ten thousand": () => tables.large(10_000)(resultsIn(newest)),
    small: () => tables.small(resultsIn(small)),
  },
  "docs/testing.md": { options: () => declarations("options") },
};

/** A file → what it is to be. */
const files: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/pictures/preview.svg": previewPicture,
  ...Object.fromEntries(Object.entries(pages).map(([file, parts]) => [file, () => formatted(file, parts)])),
};

async function main(): Promise<void> {
  const outdated: string[] = [];
  for (const [file, write] of Object.entries(files)) {
    const text = await write();
    if (text === readPage(file)) continue;
    outdated.push(file);
    if (!process.argv.includes("--check")) writeFileSync(join(repository, file), text);
  }
  if (process.argv.includes("--check") && outdated.length > 0)
    throw new Error(`Not as the code is: ${outdated.join(", ")}. Run npm run docs.`);
}

async function formatted(file: string, parts: Parts): Promise<string> {
  const options = await prettier.resolveConfig(join(repository, file));
  return prettier.format(await withParts(file, parts), { ...options, parser: "markdown" });
}

async function withParts(file: string, parts: Parts): Promise<string> {
  let page = readPage(file);
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- generated: ${name} -->)[^]*?(<!-- /generated -->)`);
    if (!marked.test(page)) throw new Error(`${file} has no part "${name}".`);
    const text = await part();
    page = page.replace(marked, (_all, start: string, end: string) => `${start}\n\n${text}\n\n${end}`);
  }
  return page;
}

/** The comment of a pull request, as the review of a real preview (test/engine/review.test.ts). */
function recordedReview(): string {
  const [, ...lines] = readPage("test/support/fixtures/reviews/all-at-once.txt").trimEnd().split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

function resultsIn(file: string): Results {
  const results = readResults(join(repository, file));
  if (!results) throw new Error(`There are no results in ${file}.`);
  return results;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
