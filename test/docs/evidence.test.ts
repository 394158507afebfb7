import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./pages";

/** Rows of the table: finding, file, test, failure before the fix. */
const rows = readFileSync(join(repository, "test/engine/safety/EVIDENCE.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| [\d, ]+ *\|/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, finding = "", file = "", test = ""]) => ({ finding, file, test }));

describe("test/engine/safety/EVIDENCE.md", () => {
  it("has each of the 21 findings", () => {
    const findings = new Set(rows.flatMap(({ finding }) => finding.split(", ").map(Number)));
    assert.deepEqual(
      [...findings].sort((one, other) => one - other),
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
  });

  it("names files that exist, and tests of the contract suite that these files have", () => {
    for (const { finding, file, test } of rows) {
      const path = ["test/engine", "test"]
        .map((folder) => join(repository, folder, `${file}.test.ts`))
        .find((each) => existsSync(each));
      assert(path, `finding ${finding}: there is no ${file}.test.ts`);
      if (!file.startsWith("contract/")) continue;
      const titles = titlesIn(readFileSync(path, "utf8"));
      const isThere = candidatesIn(test).some((each) => titles.some((title) => title.test(each)));
      assert(isThere, `finding ${finding}: ${file} has no test "${test}"`);
    }
  });
});

/** A title may follow the suite's name, and may precede a remark or another title. */
function candidatesIn(test: string): string[] {
  const [first = ""] = test.replace(/^… /, "").split(/;| \(|\. | \/ /);
  const parts = first.split(": ");
  return parts.map((_part, index) => parts.slice(index).join(": "));
}

/** All texts of a file, with anything in the place of a template's variables. */
function titlesIn(source: string): RegExp[] {
  return [...source.matchAll(/"([^"\n]{12,})"|`([^`\n]{12,})`/g)].map(([, plain, template = ""]) => {
    const parts = (plain ?? template).split(/\$\{[^}]*\}/).map(escaped);
    return new RegExp(`^${parts.join(".*")}$`);
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
