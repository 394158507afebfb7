import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kinds } from "../../../provider/src/testing/faultQueue";
import { settingsFrom } from "../../../provider/src/testing/options";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "testing.md"), "utf8");

describe("docs/testing.md", () => {
  it("lists every option with its default, and no other", () => {
    const { apiToken, tls, log, ...plain } = settingsFrom({});
    const none = { tls: tls ?? "none", log: log ?? "none", normalize: "none" };
    const options = { ...plain, ...none, apiToken: apiToken && "random" };
    const expected = Object.entries(options).map(([option, value]) => `${option}: ${shown(value)}`);
    const listed = rowsUnder("### Options").map(
      ([option, value]) => `${option}: ${value.replaceAll("`", "")}`,
    );
    assert.deepEqual(listed.sort(), expected.sort());
  });

  it("lists every fault, and no other", () => {
    const listed = rowsUnder("### Faults").map(([kind]) => kind);
    assert.deepEqual(new Set(listed), new Set(Object.keys(kinds)));
  });
});

/** The first two cells of the rows of the table under a heading, the first without its backquotes. */
function rowsUnder(heading: string): [string, string][] {
  const section = page.split(heading)[1]?.split(/\n#{2,3} /)[0] ?? "";
  return [...section.matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\|/gm)].map(([, first = "", second = ""]) => [
    first,
    second,
  ]);
}

function shown(value: unknown): string {
  return value === "random" || value === "none" ? value : JSON.stringify(value).replaceAll(",", ", ");
}
