/** What the engine does with the plugin alone: `pulumi import` and `pulumi do`. importFile.test.ts imports many groups at once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fails, isSecret, newFixture, pluginProgram, requestsTo, succeeds } from "../harness";
import { repository } from "../harness/programs";

describe("pulumi import", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
    return { program: pluginProgram("") };
  });
  const importing = (id: string) =>
    fixture.stack.run([
      ...["import", "user-groups:index:UserGroup", "acme", id, "--stack", "dev", "--yes"],
      ...["--generate-code=false", "--protect=false"],
    ]);
  const declare = (args: object, options: object = {}) => {
    const text = `new UserGroup("acme", ${JSON.stringify(args)}, ${JSON.stringify(options)});`;
    return fixture.stack.program(pluginProgram(text));
  };

  it("records the service's values, and the token as a secret; up then changes nothing, also with a first mapping", async () => {
    const { stack, emulator } = fixture;
    succeeds(await importing("acme=Ours"));
    const { inputs, outputs } = await stack.resource("acme");
    assert.deepEqual([inputs, outputs["adopted"]], [{ userGroupId: "acme", name: "Theirs" }, true]);
    assert(isSecret(outputs["token"]));
    emulator.clearRequests();
    await declare({ ...inputs, mapping: { sales: "one" } });
    for (const run of [await stack.preview(), await stack.up()])
      assert.deepEqual(succeeds(run).changes, { same: 1, update: 1 });
    assert.deepEqual(requestsTo(emulator), []);
    succeeds(await stack.preview({ flags: ["--expect-no-changes"] }));
    succeeds(await stack.destroy());
  });

  it("of a group that doesn't exist fails by the command and by the option, and creates none", async () => {
    const { stack, emulator } = fixture;
    const byCommand = await importing("acme=Acme");
    await declare({ userGroupId: "acme", name: "Acme" }, { import: "acme=Acme" });
    for (const run of [byCommand, await stack.preview(), await stack.up()])
      fails(run, /it doesn't exist .*\[no-such-group\]/);
    assert.equal(emulator.groups.size, 0);
  });
});

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
