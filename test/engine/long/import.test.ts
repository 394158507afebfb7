/** `pulumi import` with the plugin. importFile.test.ts has many groups at once. */
import assert from "node:assert/strict";
import { fails, isSecret, newFixture, pluginProgram, requestsTo, stepsOf, succeeds } from "../harness";

const importing = (name: string, id: string) => [
  ...["import", "user-groups:index:UserGroup", name, id],
  ...["--stack", "dev", "--yes", "--generate-code=false", "--protect=false"],
];
const mapping = { sales: "one" };
const properties = { seats: 5 };

/** Group → its import ID, and the inputs that are recorded. */
const imported = {
  acme: { id: "acme=Acme", inputs: { userGroupId: "acme", name: "Acme", properties } },
  "from JSON, with an equals sign and a mapping": {
    id: JSON.stringify({ userGroupId: "a=b", name: "Equal", mapping }),
    inputs: { userGroupId: "a=b", name: "Equal", mapping },
  },
  "with other values in the service": {
    id: JSON.stringify({ userGroupId: "other", name: "Ours", mapping }),
    inputs: { userGroupId: "other", name: "Theirs", mapping, properties },
  },
};

describe("plugin: an import", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties });
    emulator.putGroup({ userGroupId: "a=b", name: "Equal" });
    emulator.putGroup({ userGroupId: "other", name: "Theirs", properties });
    return { program: pluginProgram("") };
  });

  it("records the service's values, and the token as a secret; up then changes nothing, also with a first mapping", async () => {
    const { stack, emulator } = fixture;
    for (const [name, { id, inputs }] of Object.entries(imported)) {
      succeeds(await stack.run(importing(name, id)));
      const recorded = await stack.resource(name);
      // The service showed the properties, so they may be secret.
      const { properties: shown, ...plain } = recorded.inputs;
      const { properties: expected, ...others } = { properties: undefined, ...inputs };
      assert.deepEqual([plain, isSecret(shown)], [others, expected !== undefined]);
      assert(isSecret(recorded.outputs["token"]));
      assert.equal(recorded.outputs["adopted"], true);
    }
    const programOf = (changes: object) => {
      const groups = Object.entries(imported).map(([name, { inputs }]) => [name, { ...inputs, ...changes }]);
      const text = `for (const [name, inputs] of ${JSON.stringify(groups)}) new UserGroup(name, inputs);`;
      return stack.program(pluginProgram(text));
    };
    await programOf({});
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 4 });
    emulator.clearRequests();
    await programOf({ mapping });
    for (const run of [await stack.preview(), await stack.up()])
      assert.deepEqual(succeeds(run).changes, { same: 3, update: 1 });
    assert.deepEqual(requestsTo(emulator), []);
    assert.deepEqual(succeeds(await stack.preview()).changes, { same: 4 });
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
