import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pageAt, repository } from "./pages";

const page = "docs/architecture.md";
const sources = join(repository, "provider/src");

/** The folders in the order of the page; a file imports only from its own folder and from folders after it. */
const layers = ["dynamic", "core", "service", "service/http"];
/** They serve all layers, each also those after it. */
const shared = ["settings", "validation", "values", "errors", "version"];

describe(page, () => {
  it("lists files and folders that exist", () => {
    const missing = filesIn(0).filter((file) => !existsSync(join(sources, file)));
    assert.deepEqual(missing, []);
  });

  it("lists every file and folder of provider/src", () => {
    const entries = readdirSync(sources, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    assert.deepEqual(
      entries.filter((entry) => !filesIn(0).includes(entry)),
      [],
    );
  });

  it("lists files of the core that exist", () => {
    const missing = filesIn(1).filter((file) => !existsSync(join(sources, "core", file)));
    assert.deepEqual(missing, []);
  });

  it("names files that exist where it says how to change something", () => {
    const named = pageAt(page).spans.filter((span) => /^[\w.]+\/[\w/.]+\.(ts|md)$/.test(span));
    const roots = [sources, repository];
    assert.deepEqual(
      named.filter((file) => !roots.some((root) => existsSync(join(root, file)))),
      [],
    );
  });

  for (const [place, layer] of layers.entries())
    it(`${layer} imports only what stands to its right, and what all share`, () => {
      const allowed = [...layers.slice(place), ...shared];
      assert.deepEqual(
        importsOf(layer).filter((imported) => !allowed.includes(imported)),
        [],
      );
    });

  for (const [place, name] of shared.entries())
    it(`${name} imports only what is shared after it`, () => {
      assert.deepEqual(
        importsOf(name).filter((imported) => !shared.slice(place).includes(imported)),
        [],
      );
    });

  it("is right that the core imports no package of Pulumi, reads no environment and prints nothing", () => {
    for (const text of filesOf("core").map(textOf))
      assert.doesNotMatch(text, /from "@pulumi|\bprocess\.|\bconsole\.|from "node:(fs|process)/);
  });

  it("is right that resources and providers don't import each other", () => {
    assert.deepEqual(importsOf("resources"), ["resources"]);
    assert.deepEqual(importsOf("provider"), ["dynamic"]);
  });
});

/** The files and folders in the first cells of a table. */
function filesIn(table: number): string[] {
  const cells = pageAt(page).tables[table]?.flatMap(([cell = ""]) => cell.split(", ")) ?? [];
  return cells.map((cell) => cell.replaceAll("`", ""));
}

/** The files of a folder, without those of its folders; or the file of that name. */
function filesOf(name: string): string[] {
  if (!existsSync(join(sources, name))) return [`${name}.ts`];
  const files = readdirSync(join(sources, name)).filter((file) => file.endsWith(".ts"));
  return files.map((file) => `${name}/${file}`);
}

/** The folders and shared files that the files of `name` import, each once. */
function importsOf(name: string): string[] {
  const imported = filesOf(name).flatMap((file) => {
    const relatives = [...textOf(file).matchAll(/from "(\.[^"]*)"/g)];
    return relatives.map(([, path = ""]) => posix.join(dirname(file), path));
  });
  return [...new Set(imported.map((path) => (path.includes("/") ? dirname(path) : path)))].sort();
}

function textOf(file: string): string {
  return readFileSync(join(sources, file), "utf8");
}
