import assert from "node:assert/strict";
import { newFixture, requestsTo, stepsOf, succeeds } from "../../engine/harness";
import { pluginEntry } from "../../engine/plugin/pluginProgram";
import { snippetOf } from "./pagePrograms";

describe("the option import, as its page shows it", () => {
  const program = `name: tests\nruntime: yaml\n${pluginEntry}\n${snippetOf("docs/existing-groups.md", "yaml")}`;
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme Corporation" });
    return { program: { "Pulumi.yaml": program } };
  });

  it("imports the group in a program in YAML, and changes nothing", async () => {
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual(stepsOf(up, "acme"), ["import"]);
    assert.deepEqual(succeeds(await fixture.stack.preview()).changes, { same: 2 });
    assert(requestsTo(fixture.emulator).every((request) => request === 'GET "acme" returned 200'));
  });
});
