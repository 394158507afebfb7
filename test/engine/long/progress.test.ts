import assert from "node:assert/strict";
import { newFixture, succeeds } from "../harness";
import { pluginProgram } from "./pluginProgram";

describe("plugin: the progress of a long operation", () => {
  const program = pluginProgram('new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });');
  const fixture = newFixture(() => ({ program }), { latency: 11_000 });

  it("is printed while it runs, and isn't among the diagnostics afterwards", async () => {
    const { output } = succeeds(await fixture.stack.up());
    assert.match(output, /creating \(\d+s\) 0 of 1 user groups are done\./);
    assert.doesNotMatch(output, /^Diagnostics:/m);
  });
});
