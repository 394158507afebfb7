/** What the engine does with the plugin alone. test/commands has `pulumi import` by ID. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fails, newFixture, pluginProgram, succeeds } from "../harness";
import { repository } from "../harness/programs";

describe("pulumi do, which has neither a state nor a program", () => {
  const fixture = newFixture(() => ({ program: pluginProgram(""), env: { PULUMI_EXPERIMENTAL: "true" } }));
  const plugin = join(repository, "plugin/pulumi-resource-user-groups");
  const run = (...command: string[]) =>
    fixture.stack.run(["do", "--package", plugin, "user-groups:index:UserGroup", ...command]);

  it("reads and deletes a group, and fails with advice that can be followed there", async () => {
    const { emulator } = fixture;
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    for (const [command, advice] of [
      [["delete", "acme", "--stateless", "--yes"], /user group "acme".*<userGroupId>=<name>.*\[[a-z-]+\]/s],
      [["read", "missing=Missing"], /user group "missing".*\[[a-z-]+\]/s],
    ] as const) {
      const { output } = fails(await run(...command), advice);
      assert.doesNotMatch(output, /pulumi refresh|backup|import|state (file|is|keeps|has)|pulumi up/);
    }
    assert.match(succeeds(await run("read", "acme=Acme")).output, /userGroupId: "acme"/);
    succeeds(await run("delete", "acme=Acme", "--stateless", "--yes"));
    assert.equal(emulator.groups.size, 0);
  });
});
