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

  it("records the service's values, and the token as a secret after import; up then changes nothing", async () => {
    const { stack } = fixture;
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
    const groups = Object.entries(imported).map(([name, { inputs }]) => [name, inputs]);
    const text = `for (const [name, inputs] of ${JSON.stringify(groups)}) new UserGroup(name, inputs);`;
    await stack.program(pluginProgram(text));
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 4 });
  });

  it("without a mapping leaves the mapping to the program, whose first one changes nothing in the service", async () => {
    const { stack, emulator } = fixture;
    emulator.putGroup({ userGroupId: "claimed", name: "Claimed", mapping });
    const { token } = emulator.groups.get("claimed") ?? assert.fail();
    await stack.program(pluginProgram(""));
    succeeds(await stack.run(importing("claimed", "claimed=Claimed")));
    const programOf = (source: string) => {
      const args = { userGroupId: "claimed", name: "Claimed", mapping: { sales: source }, overlap: true };
      return pluginProgram(`new UserGroup("claimed", ${JSON.stringify(args)});`);
    };
    await stack.program(programOf("one"));
    emulator.clearRequests();
    for (const run of [await stack.preview(), await stack.up()])
      assert(!stepsOf(succeeds(run), "claimed").includes("replace"), run.output);
    assert.deepEqual([requestsTo(emulator, "claimed"), emulator.groups.get("claimed")?.token], [[], token]);
    assert.deepEqual(stepsOf(succeeds(await stack.preview()), "claimed"), ["same"]);
    await stack.program(programOf("two"));
    succeeds(await stack.up());
    const renewed = [...emulator.groups.values()].find(({ userGroupId }) =>
      userGroupId.startsWith("claimed~"),
    );
    assert.deepEqual(renewed?.mapping, { sales: "two" });
    assert.equal(emulator.groups.get("claimed")?.token, token);
  });

  it("by the option records the group; of a group that doesn't exist, each way fails and creates none", async () => {
    const { stack, emulator } = fixture;
    const programOf = (id: string) =>
      pluginProgram(
        `new UserGroup("${id}", { userGroupId: "${id}", name: "New" }, { import: "${id}=New" });`,
      );
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
