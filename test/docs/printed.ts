import assert from "node:assert/strict";

/** Asserts that every line of a snippet is found in what was printed; how far it is indented doesn't matter. */
export function assertPrinted({ output }: { readonly output: string }, snippet: string): void {
  const lines = output.split("\n").map(withOneBlank);
  for (const line of snippet.split("\n").map(withOneBlank))
    assert(
      lines.some((printed) => printed.includes(line)),
      `Not printed: ${line}\n\n${output}`,
    );
}

function withOneBlank(line: string): string {
  return line.trim().replaceAll(/\s+/g, " ");
}
