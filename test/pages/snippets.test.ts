/** The code on the pages: programs compile, and the rest parses. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import { repository, snippets, snippetsOf, type Snippet } from "./pages";

const parsers: Readonly<Record<string, (text: string) => void>> = {
  json: (text) => void JSON.parse(text),
  yaml: (text) => {
    assert.deepEqual(
      parseAllDocuments(text).flatMap(({ errors }) => errors),
      [],
    );
  },
  python: parsedBy("python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"),
  // A snippet may be a part of a function.
  go: (text) => {
    const isWhole = text.includes("package ");
    parsedBy("gofmt", "-e")(isWhole ? text : `package main\nfunc main() {\n${text}\n}`);
  },
};

describe("snippets", () => {
  const programs = snippets.filter(({ language }) => /^[tj]s$/.test(language));
  const files = new Map(programs.map((snippet) => [fileOf(snippet), snippet]));
  let flaws: ReadonlyMap<string, string[]>;
  before("compile all programs at once", () => {
    flaws = compile(files);
  });

  for (const [file, { page, line }] of files)
    it(`${page}:${line} compiles`, () => {
      assert.deepEqual(flaws.get(file), []);
    });

  for (const { page, line, language, text } of snippets)
    if (language in parsers) it(`${page}:${line} is ${language}`, () => parsers[language]?.(text));

  it("of the page about tests are parts of the example", () => {
    const files = ["unit", "integration"];
    const parts = snippetsOf("docs/testing.md", "ts");
    for (const [index, file] of files.entries()) {
      const example = readFileSync(join(repository, `examples/testing/test/${file}.test.ts`), "utf8");
      assert(unindented(example).includes(unindented(parts[index] ?? "nothing")), file);
    }
  });
});

function unindented(text: string): string {
  return text.trim().replaceAll(/^ +/gm, "");
}

function parsedBy(command: string, ...args: string[]): (text: string) => void {
  return (input) => {
    const { status, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
}

/** A file beside the page, so that what it imports is found as by its reader; in a module `await` may stand alone. */
function fileOf({ page, line, language, text }: Snippet): string {
  const isModule = /^(const .*= |export .*= )?await /m.test(text);
  return join(repository, dirname(page), `${basename(page)}-${line}.${isModule ? "m" : ""}${language}`);
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node20,
  types: ["node", "mocha"],
  typeRoots: [join(repository, "node_modules/@types")],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What the compiler says of each file, none of which is on the disk. */
function compile(files: ReadonlyMap<string, Snippet>): Map<string, string[]> {
  const host = ts.createCompilerHost(options);
  const onDisk = { fileExists: host.fileExists.bind(host), readFile: host.readFile.bind(host) };
  host.fileExists = (file) => files.has(file) || onDisk.fileExists(file);
  host.readFile = (file) => sourceOf(files.get(file)) ?? onDisk.readFile(file);
  const program = ts.createProgram([...files.keys()], options, host);
  const found = [...files.keys()].map((file): [string, string[]] => [
    file,
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  ]);
  return new Map(found);
}

/** What is assumed comes last, so that imports stand first; types and declared functions hold everywhere. */
function sourceOf(snippet: Snippet | undefined): string | undefined {
  return snippet && `${snippet.text}\n${snippet.given}\nexport {};\n`;
}
