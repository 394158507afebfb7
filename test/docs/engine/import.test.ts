import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds } from "../../engine/harness";
import { pluginEntry } from "../../engine/plugin/program";
import { snippetOf } from "./program";

describe("the option import, as its page shows it", () => {
  const program = `name: tests\nruntime: yaml\n${pluginEntry}\n${snippetOf("docs/import.md", "yaml")}`;
  const world = newWorld((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme Corporation" });
    return { program: { "Pulumi.yaml": program } };
  });

  it("imports the group in a program in YAML, and changes nothing", async () => {
    const up = succeeds(await world.stack.up());
    assert.deepEqual(stepsOf(up, "acme"), ["import"]);
    assert.deepEqual(succeeds(await world.stack.preview()).changes, { same: 2 });
    assert(requestsTo(world.emulator).every((request) => request === 'GET "acme" returned 200'));
  });
});
