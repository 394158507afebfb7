import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pageAt, repository } from "./pages";

/** The order in which docs/architecture.md says that everything flows; the first three may be used by all after the state. */
const shared = ["errors", "schema", "settings"];
const flow = ["index", "userGroup", "userGroups", "resource", "providerText"];
const flowAfterState = ["provider/", "client", "explain", "transport", "send", "transportError", "agents"];

const sources = join(repository, "provider/src");

describe("docs/architecture.md", () => {
  it("lists files and folders that are there", () => {
    const listed = pageAt("docs/architecture.md").tables[0]?.flatMap(([cell = ""]) => cell.split(", ")) ?? [];
    const missing = listed
      .map((cell) => cell.replaceAll("`", ""))
      .filter((file) => !existsSync(join(sources, file)));
    assert.deepEqual(missing, []);
  });

  it("lists every file of the two flows", () => {
    const spans = new Set(pageAt("docs/architecture.md").spans);
    const names = [...shared, ...flow, ...flowAfterState].map((name) =>
      name.endsWith("/") ? name : `${name}.ts`,
    );
    assert.deepEqual(
      names.filter((name) => !spans.has(name)),
      [],
    );
  });

  for (const [place, name] of flow.entries())
    it(`${name} imports only what stands to its right`, () => {
      assert.deepEqual(
        importsOf(name).filter((imported) => !flow.slice(place + 1).includes(imported)),
        [],
      );
    });

  for (const [place, name] of flowAfterState.entries())
    it(`${name} imports only what stands to its right, and what all share`, () => {
      const allowed = [...flowAfterState.slice(place + 1), ...shared, ...(name.endsWith("/") ? [name] : [])];
      assert.deepEqual(
        importsOf(name).filter((imported) => !allowed.includes(imported)),
        [],
      );
    });

  for (const [place, name] of shared.entries())
    it(`${name} imports only what is shared before it`, () => {
      assert.deepEqual(
        importsOf(name).filter((imported) => !shared.slice(0, place).includes(imported)),
        [],
      );
    });
});

/** What a file, or the files of a folder, import from provider/src: files by name, folders with their slash. */
function importsOf(name: string): string[] {
  const files = name.endsWith("/")
    ? readdirSync(join(sources, name)).map((file) => name + file)
    : [`${name}.ts`];
  return files.flatMap((file) => {
    const text = readFileSync(join(sources, file), "utf8");
    const relatives = [...text.matchAll(/from "(\.[^"]*)"/g)].map(([, path = ""]) =>
      posix.join(dirname(file), path),
    );
    return relatives.map((path) => path.replace(/\/.*/, "/"));
  });
}
