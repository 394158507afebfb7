/**
 * `npm run docs`: writes what pages take from the code: docs/reference, and the marked parts of pages. With --check it
 * writes nothing, and fails where something would change.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import prettier from "prettier";
import { errorsTable } from "./codesTable";
import { readPage, repository } from "./markdown";
import { measuredPart, measurementsPage } from "./measurements";
import { pictureFiles } from "./pictures";
import { renamesPart } from "./pictures/renames";
import { resourcePages, settingsTable } from "./resourcePages";
import { testingPage } from "./testingPage";
import { warningsPage } from "./warningsPage";

/** File of the repository → the text that it should have. */
type Texts = ReadonlyMap<string, string>;

const reference = "docs/reference";
const pictures = "docs/pictures";

/** The marked parts of pages: `<!-- generated: name -->` … `<!-- /generated -->`. */
const parts: Readonly<Record<string, readonly [name: string, text: () => string][]>> = {
  "docs/changes.md": [["renames", renamesPart]],
  "docs/errors.md": [["codes", errorsTable]],
  "docs/performance.md": [["answer", () => measuredPart("answer")]],
  "docs/settings.md": [["settings", settingsTable]],
};

async function main(): Promise<void> {
  const fresh = await freshTexts();
  const present = [
    ...filesIn(reference),
    ...filesIn(pictures).filter((file) => file.endsWith(".svg") && !file.endsWith("icon.svg")),
  ];
  const outdated = [...fresh].filter(([file, text]) => currentText(file) !== text).map(([file]) => file);
  const removed = present.filter((file) => !fresh.has(file));
  if (!process.argv.includes("--check")) write(fresh, outdated, removed);
  else if (outdated.length + removed.length > 0)
    throw new Error(`Not as the code is: ${[...outdated, ...removed].join(", ")}. Run npm run docs.`);
}

async function freshTexts(): Promise<Texts> {
  const pages = new Map([
    ...resourcePages(),
    ["testing.md", testingPage()] as const,
    ["measurements.md", measurementsPage()] as const,
    ["warnings.md", warningsPage()] as const,
  ]);
  const indexed = [...pages].filter(([file]) => file !== "measurements.md" && file !== "warnings.md");
  const index = indexed.map(([file, text]) => `- [${titleOf(text)}](${file})`).join("\n");
  const texts: [file: string, text: string][] = [
    [
      `${reference}/README.md`,
      `# Resources and test kit\n\nInputs, outputs and members, by name:\n\n${index}\n`,
    ],
    ...[...pages].map(([file, text]): [string, string] => [`${reference}/${file}`, text]),
    ...pictureFiles().map(([file, text]): [string, string] => [`${pictures}/${file}`, text]),
    ...Object.keys(parts).map((file): [string, string] => [file, withParts(file)]),
  ];
  return new Map(
    await Promise.all(
      texts.map(async ([file, text]): Promise<[string, string]> => [file, await formatted(file, text)]),
    ),
  );
}

function withParts(file: string): string {
  let page = readPage(file);
  for (const [name, text] of parts[file] ?? []) {
    const marked = new RegExp(`(<!-- generated: ${name} -->)[^]*?(<!-- /generated -->)`);
    if (!marked.test(page)) throw new Error(`${file} has no part "${name}".`);
    page = page.replace(marked, (_all, start: string, end: string) => `${start}\n\n${text()}\n\n${end}`);
  }
  return page;
}

async function formatted(file: string, text: string): Promise<string> {
  if (!file.endsWith(".md")) return text;
  const options = await prettier.resolveConfig(join(repository, file));
  return prettier.format(text, { ...options, parser: "markdown" });
}

function filesIn(folder: string): string[] {
  return readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`);
}

function titleOf(page: string): string {
  return /^# (.*)$/m.exec(page)?.[1] ?? "";
}

function currentText(file: string): string | undefined {
  const path = join(repository, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function write(texts: Texts, outdated: readonly string[], removed: readonly string[]): void {
  for (const file of outdated) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    writeFileSync(join(repository, file), texts.get(file) ?? "");
  }
  for (const file of removed) rmSync(join(repository, file));
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
