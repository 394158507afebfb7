/** The parts of pages that the suites make: compared with the results of a run, or written by it. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";

/** Whole suites, not the short form of `npm test`. */
export const isWhole = process.env["RELIABILITY"] === "whole";

/** Whether the parts are written, not compared: `RELIABILITY_WRITES=true npm run test:faults`. */
const isWriting = process.env["RELIABILITY_WRITES"] === "true";

/** The parts of test/faults/matrix.md; all others are in docs/reliability.md. */
const matrices = new Set(["UserGroup", "UserGroups"]);

/** The rows of the committed tables of a part: row → column → cell. */
export function committedTable(part: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const lines = committed(part)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const [columns = [], , ...rows] = lines.map(cellsOf);
  return new Map(
    rows.map(([name = "", ...cells]) => [
      name,
      new Map(cells.map((cell, at) => [columns[at + 1] ?? "", cell])),
    ]),
  );
}

/** Asserts that a part is what this run gives, or makes it so. */
export function keep(part: string, text: string): void {
  if (!isWriting) {
    assert.equal(committed(part), text, `${pageOf(part)}, part ${part}, is another`);
    return;
  }
  const page = fileOf(part);
  const whole = fs.readFileSync(page, "utf8");
  fs.writeFileSync(
    page,
    whole.replace(partOf(part), (_, head: string, __, foot: string) => head + text + foot),
  );
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

function committed(part: string): string {
  const found = partOf(part).exec(fs.readFileSync(fileOf(part), "utf8"));
  assert(found, `${pageOf(part)} has no part ${part}`);
  return found[2] ?? "";
}

function fileOf(part: string): string {
  return join(__dirname, "../..", pageOf(part));
}

function pageOf(part: string): string {
  return matrices.has(part) ? "test/faults/matrix.md" : "docs/reliability.md";
}

/** Prettier leaves such a part as it is. */
function partOf(part: string): RegExp {
  return new RegExp(
    `(<!-- prettier-ignore-start -->\n<!-- ${part}: made by the suite -->\n\n)([^]*?)(\n\n<!-- prettier-ignore-end -->)`,
  );
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}
