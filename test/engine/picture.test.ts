/** The picture of the README: what `pulumi preview` prints after a rename in examples/quickstart. RECORD=true writes it anew. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { example } from "../examples/example";
import { newFixture, succeeds } from "../support/engine";
import { repository } from "../support/engine/programs";

const recorded = join(repository, "test/support/fixtures/preview.txt");

describe("the preview in the README's picture", () => {
  const fixture = newFixture(() => ({ program: example("quickstart") }));

  it("is what the engine prints", async () => {
    const { stack } = fixture;
    succeeds(await stack.up());
    await stack.program(
      example("quickstart", { "index.ts": { 'name: "Globex"': 'name: "Globex Corporation"' } }),
    );
    const { output } = succeeds(await stack.preview());
    const shown = linesOf(output);
    if (process.env["RECORD"] === "true") writeFileSync(recorded, `${shown.join("\n")}\n`);
    assert.deepEqual(readFileSync(recorded, "utf8").trimEnd().split("\n"), shown);
  });
});

/** The resource that changes, without the progress beside it, and what follows the resources. */
function linesOf(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const resource = lines.findLast((line) => /^ ~ +pulumi-nodejs.* update \[diff/.test(line)) ?? "";
  const rest = lines.slice(lines.findLastIndex((line) => line === "Diagnostics:"));
  return [resource.replace(/;? *warning:.*/, ""), ...rest].filter((line) => line !== "");
}
