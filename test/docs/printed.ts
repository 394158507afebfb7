import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./pages";

/** Asserts that every line of a snippet is found in what was printed; how far it is indented doesn't matter. */
export function assertPrinted({ output }: { readonly output: string }, snippet: string): void {
  const lines = output.split("\n").map(withOneBlank);
  for (const line of snippet.split("\n").map(withOneBlank))
    assert(
      lines.some((printed) => printed.includes(line)),
      `Not printed: ${line}\n\n${output}`,
    );
}

/**
 * Asserts that a picture shows what was printed; `RECORD_PICTURES=true` writes it, for `npm run docs` to draw. The engine works
 * on several resources at a time, so that the order of its lines varies.
 */
export function assertPictured(printed: string, file: string): void {
  const path = join(repository, "docs/pictures", file);
  const lines = printed.trim().split("\n");
  const text = `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
  if (process.env["RECORD_PICTURES"] === "true") writeFileSync(path, text);
  assert.deepEqual(text.split("\n").sort(), readFileSync(path, "utf8").split("\n").sort());
}

function withOneBlank(line: string): string {
  return line.trim().replaceAll(/\s+/g, " ");
}
