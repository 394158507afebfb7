import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kinds } from "../../../provider/src/testing/faultQueue";
import { settingsFrom } from "../../../provider/src/testing/options";

const page = readFileSync(join(__dirname, "../../../docs/testing.md"), "utf8");

describe("docs/testing.md", () => {
  it("lists every option with its default, and every fault", () => {
    const shown = { normalize: "none", tls: "none", log: "none", apiToken: "random" };
    const options = Object.entries({ ...settingsFrom({}), ...shown }).map(([option, value]) => {
      const text = option in shown ? value : JSON.stringify(value).replaceAll(",", ", ");
      return `${option}: ${String(text)}`;
    });
    assert.deepEqual(rowsUnder("### Options", "$1: $2").sort(), options.sort());
    assert.deepEqual(rowsUnder("### Faults", "$1").sort(), Object.keys(kinds).sort());
  });
});

/** The rows of the table under a heading, of which `$1` is the first cell and `$2` the second one. */
function rowsUnder(heading: string, format: string): string[] {
  const section = page.split(heading)[1]?.split(/\n#{2,3} /)[0] ?? "";
  const rows = [...section.matchAll(/^\| `\w+`.*$/gm)].map(([row]) => row.replaceAll("`", ""));
  return rows.map((row) => row.replace(/^\| (\w+) +\| (.*?) +\|.*$/, format));
}
