import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filled, page, repository, sourceOf } from "../../../bench/page";
import { charts } from "../../../bench/page/charts";
import { readResults } from "../../../bench/results";
import { resultsOf, runOf } from "./results";

describe("docs/performance.md", () => {
  it("shows what its results file holds, in tables and charts, or nothing where it has none", async () => {
    const text = readFileSync(page, "utf8");
    const source = sourceOf(text);
    if (source === undefined) {
      assert.doesNotMatch(text, /<!-- bench:\S+ -->(?!<!-- \/bench)/);
      return;
    }
    const results = readResults(join(repository, source));
    assert(results, `${source} isn't there`);
    assert.equal(text, await filled(text, results, source));
    for (const name of Object.keys(charts))
      assert(existsSync(join(repository, "docs", "performance", `${name}.svg`)), name);
  });
});

describe("the page of the benchmark", () => {
  const results = resultsOf(
    runOf("a-user-groups", 1000, 1, [1, 2, 3, 4]),
    runOf("a-user-groups", 1000, 2, [3, 2, 3, 4]),
    runOf("e-opentofu", 1000, 1, [4, 4, 4, 1]),
  );

  it("shows the median and the range in the marked section, and leaves the rest alone", async () => {
    const text = await filled(section("times-1000", "| old |"), results, "r.json");
    assert.match(text, /^# Before$/m);
    assert.match(text, /^\| `UserGroups`, JavaScript +\| 2 \(1–3\) \| +2 \| +3 \| +4 \| +2 \|$/m);
    assert.match(text, /^\| OpenTofu, restapi +\| +4 \| +4 \| +4 \| +1 \| +1 \|$/m);
    assert.doesNotMatch(text, /old/);
    assert.equal(await filled(text, results, "r.json"), text);
  });

  it("says of each goal whether every operation reached it", async () => {
    const text = await filled(section("goals", ""), results, "r.json");
    assert.match(
      text,
      /JavaScript, to OpenTofu, 1,000 groups +\| +0.25 \| +0.50 \| +0.75 \| +4 \| +0.90 \| +no \|/,
    );
    assert.match(text, /state bytes a group, 1,000 groups +\| +200 \| +\| +\| +\| +300 \| +yes \|/);
    assert.match(text, /TypeScript, to OpenTofu, 1,000 groups +\|( +– \|){4} +1.15 \| +– \|/);
  });

  it("marks where the peer is ahead", async () => {
    const text = await filled(section("peer-ahead", ""), results, "r.json");
    assert.match(text, /OpenTofu, restapi, 1,000 groups +\| +4 \| +2 \| +1.33 \| +\*\*0.25\*\* \|/);
  });

  it("names runs that failed", async () => {
    const broken = resultsOf({ contestant: "c-inline", groups: 100, repetition: 1, failure: "up broke" });
    assert.match(
      await filled(section("setting", ""), broken, "r.json"),
      /Failed: c-inline, 100 groups: up broke/,
    );
  });

  it("refuses a mark that it doesn't know", async () => {
    await assert.rejects(filled(section("nonsense", ""), results, "r.json"), /section "nonsense"/);
  });

  it("draws charts as SVG with what was measured", () => {
    for (const [name, draw] of Object.entries(charts))
      assert.match(draw(results), /^<svg [^]*UserGroups, JavaScript[^]*<\/svg>\n$/, name);
  });
});

function section(name: string, content: string): string {
  return `# Before\n\n<!-- bench:${name} -->${content}<!-- /bench:${name} -->\n\nAfter\n`;
}
