import assert from "node:assert/strict";
import { fails, newFixture, requestsTo, succeeds } from "../../engine/harness";
import { argumentsOf, commands, programOf as commandOf } from "../commands";
import { snippetOf } from "./pagePrograms";

const page = "docs/getting-started.md";

describe(page, () => {
  // What `npm init --yes` writes names no TypeScript.
  const manifest = JSON.stringify({ name: "folder", version: "1.0.0", main: "index.js", type: "commonjs" });
  const files = { "Pulumi.yaml": snippetOf(page, "yaml"), "index.ts": snippetOf("README.md", "ts") };
  const fixture = newFixture(() => ({ program: { ...files, "package.json": manifest } }));
  const printed = commands.filter((command) => command.page === page && commandOf(command) === "pulumi");

  it("logs in and makes a stack first, which tests do in their own way", () => {
    const texts = printed.map((command) => argumentsOf(command).join(" "));
    assert.deepEqual(texts.slice(0, 3), ["login --local", "stack init dev", "up"]);
  });

  it("creates the groups, as the emulator then says", async () => {
    succeeds(await fixture.stack.up());
    assert.deepEqual(requestsTo(fixture.emulator).sort(), snippetOf(page, "text").split("\n"));
  });

  it("leaves a stack that can be removed", async () => {
    const remove = ["stack", "rm", "dev", "--yes"];
    fails(await fixture.stack.run(remove));
    succeeds(await fixture.stack.destroy());
    succeeds(await fixture.stack.run(remove));
    assert.equal(fixture.emulator.groups.size, 0);
  });
});
