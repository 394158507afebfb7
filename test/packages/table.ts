import * as fs from "node:fs/promises";
import { resolve } from "node:path";
import { rows, type Row } from "./rows";

/** A row that passed, with the version of @pulumi/pulumi that it got. */
export interface Passed extends Row {
  readonly version: string;
}

const page = resolve(__dirname, "../../docs/compatibility.md");
const begin = "<!-- table: written by npm run test:packages -->";
const end = "<!-- end of table -->";

/** Writes the rows that passed into the page, if all were run; a run of some of them says nothing of the others. */
export async function writeTable(passed: readonly Passed[]): Promise<void> {
  if (passed.length < rows.length) return;
  const text = await fs.readFile(page, "utf8");
  const [before = "", rest = ""] = text.split(begin);
  const [, after = ""] = rest.split(end);
  await fs.writeFile(page, [before, begin, "\n\n", tableOf(passed), "\n", end, after].join(""));
}

/** What the row's line in the page says. */
function cellsOf({ program, manager, from, sdk, node }: Row, newest: string): string[] {
  const own = process.versions.node.replace(/\..*/, "");
  const installed = from === "git" ? `${manager}, from Git` : manager;
  return [
    program,
    installed,
    sdk === "latest" ? `${newest} (newest)` : sdk,
    node ?? `${own} (the tests' own)`,
  ];
}

function tableOf(passed: readonly Passed[]): string {
  const head = ["program", "package manager", "@pulumi/pulumi", "Node.js"];
  const cells = passed.map((row) => cellsOf(row, row.version));
  const widths = head.map((title, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("");
}
