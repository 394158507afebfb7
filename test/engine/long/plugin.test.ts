/** What the engine does with the plugin alone: `pulumi import` and `pulumi do`. importFile.test.ts imports many groups at once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fails, isSecret, newFixture, pluginProgram, requestsTo, stepsOf, succeeds } from "../harness";
import { repository } from "../harness/programs";

const importing = (name: string, id: string) => [
  ...["import", "user-groups:index:UserGroup", name, id],
  ...["--stack", "dev", "--yes", "--generate-code=false", "--protect=false"],
];
const mapping = { sales: "one" };
const properties = { seats: 5 };

/** Group → its import ID, and the inputs that are recorded. */
const imported = {
  acme: { id: "acme=Acme", inputs: { userGroupId: "acme", name: "Acme", properties } },
  "with other values in the service": {
    id: JSON.stringify({ userGroupId: "other", name: "Ours", mapping }),
    inputs: { userGroupId: "other", name: "Theirs", mapping, properties },
  },
};

describe("pulumi import", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties });
    emulator.putGroup({ userGroupId: "other", name: "Theirs", properties });
    return { program: pluginProgram("") };
  });
  /** The groups with these values as well. */
  const declare = (changes: object = {}) => {
    const groups = Object.entries(imported).map(([name, { inputs }]) => [name, { ...inputs, ...changes }]);
    const text = `for (const [name, inputs] of ${JSON.stringify(groups)}) new UserGroup(name, inputs);`;
    return fixture.stack.program(pluginProgram(text));
  };

  it("records the service's values, and the token as a secret; up then changes nothing, also with a first mapping", async () => {
    const { stack, emulator } = fixture;
    for (const [name, { id, inputs }] of Object.entries(imported)) {
      succeeds(await stack.run(importing(name, id)));
      const recorded = await stack.resource(name);
      // The service showed the properties, so they may be secret.
      const { properties: shown, ...others } = recorded.inputs;
      assert.deepEqual({ ...others, properties }, inputs);
      assert(isSecret(shown) && isSecret(recorded.outputs["token"]));
      assert.equal(recorded.outputs["adopted"], true);
    }
    await declare();
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    emulator.clearRequests();
    await declare({ mapping });
    for (const run of [await stack.preview(), await stack.up()])
      assert.deepEqual(succeeds(run).changes, { same: 2, update: 1 });
    assert.deepEqual(requestsTo(emulator), []);
    assert.deepEqual(succeeds(await stack.preview()).changes, { same: 3 });
  });

  it("by the option records the group; of a group that doesn't exist, each way fails and creates none", async () => {
    const { stack, emulator } = fixture;
    const programOf = (id: string) => {
      const args = JSON.stringify({ userGroupId: id, name: "New" });
      return pluginProgram(`new UserGroup("${id}", ${args}, { import: "${id}=New" });`);
    };
    emulator.putGroup({ userGroupId: "new", name: "New" });
    await stack.program(programOf("new"));
    assert.deepEqual(stepsOf(succeeds(await stack.up()), "new"), ["import"]);
    await stack.program(programOf("missing"));
    const byCommand = await stack.run(importing("missing", "missing=Missing"));
    for (const run of [byCommand, await stack.preview(), await stack.up()])
      fails(run, /it doesn't exist .*\[no-such-group\]/);
    assert.deepEqual([...emulator.groups.keys()], ["new"]);
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
