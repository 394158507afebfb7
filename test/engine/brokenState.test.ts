/** A full disk cuts the state of a file backend off. docs/messages.md says how to go on. */
import assert from "node:assert/strict";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { fails, newFixture, packageProgram, requestsTo, succeeds, tokensOf } from "../support/engine";

describe("a state that a full disk cut off", () => {
  const program = packageProgram(`
    new UserGroups("many", { overlap: true, groups: { a: { name: "A" }, b: { name: "B" } } });
  `);
  const fixture = newFixture(() => ({ program }));

  it("stops every command of its stack, and a new stack finds groups with derived IDs again", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const tokens = tokensOf(emulator);
    const backend = String(stack.env["PULUMI_BACKEND_URL"]).replace("file://", "");
    await truncate(join(backend, ".pulumi/stacks/tests/dev.json"), 300);
    for (const command of [["preview"], ["stack", "export"], ["refresh", "--yes", "--skip-preview"]])
      fails(await stack.run([...command, "--stack", "dev"]), /place 1: unexpected end of JSON input/);
    emulator.clearRequests();
    succeeds(await stack.run(["stack", "init", "--no-select", "restored"]));
    succeeds(await stack.run(["up", "--yes", "--skip-preview", "--stack", "restored"]));
    assert.deepEqual(tokensOf(emulator), tokens);
    assert(
      requestsTo(emulator).every((request) => /^GET .* returned 200$/.test(request)),
      requestsTo(emulator).join(),
    );
  });
});
