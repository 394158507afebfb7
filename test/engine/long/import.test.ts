import assert from "node:assert/strict";
import { fails, isSecret, newFixture, pluginProgram, requestsTo, stepsOf, succeeds } from "../harness";

const importing = (name: string, id: string, type = "UserGroup") => [
  ...["import", `user-groups:index:${type}`, name, id],
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

describe("plugin: pulumi import", () => {
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
      assert.deepEqual(recorded.inputs, inputs);
      assert(isSecret(recorded.outputs["token"]));
      assert.equal(recorded.outputs["adopted"], true);
    }
    const groups = Object.entries(imported).map(([name, { inputs }]) => [name, inputs]);
    const declaring = "new UserGroup(name, inputs)";
    await stack.program(
      pluginProgram(`for (const [name, inputs] of ${JSON.stringify(groups)}) ${declaring};`),
    );
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 4 });
  });

  for (const [what, importOf, error, env] of [
    ["an ID without a name", ["new", "acme"], /must be <userGroupId>=<name>.*\[argument-invalid\]/, {}],
    ["UserGroups", ["new", "acme=Acme", "UserGroups"], /UserGroups can't be .*\[argument-invalid\]/, {}],
    [
      "an incomplete group with changes: update",
      ["new", "acme=Acme"],
      /\[setting-conflict\]/,
      { USER_GROUPS_CHANGES: "update" },
    ],
  ] as const)
    it(`refuses ${what}, before any request`, async () => {
      const { stack, emulator } = fixture;
      emulator.clearRequests();
      const [name, id, type] = importOf;
      fails(await stack.run(importing(name, id, type), { env }), error);
      assert.deepEqual(requestsTo(emulator), []);
    });
});

describe("plugin: the import option", () => {
  const programOf = (id: string) =>
    pluginProgram(`
      const group = new UserGroup("${id}", { userGroupId: "${id}", name: "Acme" }, { import: "${id}=Acme" });
    `);
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    return { program: programOf("acme") };
  });

  it("records the group; for one that doesn't exist, it fails as pulumi import does, and creates none", async () => {
    const { stack, emulator } = fixture;
    assert.deepEqual(stepsOf(succeeds(await stack.up()), "acme"), ["import"]);
    await stack.program(programOf("missing"));
    const byCommand = await stack.run(importing("missing", "missing=Missing"));
    for (const run of [byCommand, await stack.preview(), await stack.up()])
      fails(run, /it doesn't exist .*\[no-such-group\]/);
    assert.deepEqual([...emulator.groups.keys()], ["acme"]);
  });
});
