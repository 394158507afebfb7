import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { aimsTable } from "../../../bench/aims";
import { charts } from "../../../bench/charts";
import { filled, page, repository, sourceOf } from "../../../bench/page";
import { readResults } from "../../../bench/results";
import { resultsOf, runOf } from "./results";

describe("docs/performance.md", () => {
  const text = readFileSync(page, "utf8");

  it("shows the figures of its results file, in tables and charts", async () => {
    const source = sourceOf(text) ?? "";
    const results = readResults(join(repository, source));
    assert(results, `There is no results file "${source}"`);
    assert.equal(text, await filled(text, results, source));
    for (const [name, draw] of Object.entries(charts)) {
      assert(text.includes(`(performance/${name}.svg)`), name);
      assert.equal(readFileSync(join(repository, "docs/performance", `${name}.svg`), "utf8"), draw(results));
    }
  });

  it("has at most 150 lines", () => {
    assert(text.split("\n").length <= 150);
  });
});

describe("the page of the benchmark", () => {
  const results = resultsOf(
    runOf("a-user-groups", 1000, 1, [1, 2, 3, 4]),
    runOf("a-user-groups", 1000, 2, [3, 3, 3, 4]),
    runOf("a-user-groups", 10_000, 1, [11, 2, 3, 4]),
    runOf("f-opentofu", 1000, 1, [4, 4, 4, 1]),
  );

  it("shows the median and the range in a marked section, and keeps the rest", async () => {
    const text = await filled(section("preview", "| old |"), results, "r.json");
    assert.match(text, /^# Before$/m);
    assert.match(text, /^\| `UserGroups`, JavaScript +\| 2.50 \(2.00–3.00\) \| +2.00 \|$/m);
    assert.match(text, /^\| OpenTofu, `count`, tuned +\| +4.00 \| +– \|$/m);
    assert.doesNotMatch(text, /old/);
    assert.equal(await filled(text, results, "r.json"), text);
  });

  it("interpolates 5,000 groups between 1,000 and 10,000", async () => {
    const text = await filled(section("up", ""), results, "r.json");
    assert.match(text, /^\| `UserGroups`, JavaScript +\| +2.00 \| +6.00 \| +11.0 \|$/m);
    assert.match(text, /^\| OpenTofu, `count`, tuned +\| +4.00 \| +– \| +– \|$/m);
  });

  it("marks where OpenTofu is ahead", async () => {
    const text = await filled(section("peer-ahead", ""), results, "r.json");
    assert.match(text, /1,000 groups +\| +4.00 \| +2.00 \| +1.33 \| +\*\*0.25\*\* \|/);
  });

  it("says of each aim whether it is reached", () => {
    const table = aimsTable(results);
    assert.match(
      table,
      /^\| 1,000 \| JavaScript to OpenTofu \| [^|]+ \| [^|]+ \| 0.75 \| 4.00 \| 0.9 \| no \|$/m,
    );
    assert.match(table, /^\| 10,000 \| JavaScript to the floor \| – \| – \| – \| – \| 1.4 \| – \|$/m);
  });

  it("refuses an unknown section", async () => {
    await assert.rejects(filled(section("nonsense", ""), results, "r.json"), /unknown section "nonsense"/);
  });
});

function section(name: string, content: string): string {
  return `# Before\n\n<!-- bench:${name} -->${content}<!-- /bench:${name} -->\n\nAfter\n`;
}
