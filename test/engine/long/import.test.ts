import assert from "node:assert/strict";
import {
  fails,
  isSecret,
  newFixture,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
} from "../harness";

const importing = (name: string, id: string, type = "UserGroup") => [
  ...["import", `user-groups:index:${type}`, name, id],
  ...["--stack", "dev", "--yes", "--generate-code=false", "--protect=false"],
];
const json = (args: object) => JSON.stringify(args);

describe("plugin: pulumi import", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { seats: 5 } });
    emulator.putGroup({ userGroupId: "a=b", name: "Equal" });
    emulator.putGroup({ userGroupId: "other", name: "Theirs", properties: { seats: 5 } });
    return { program: pluginProgram("") };
  });
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });
  const mapping = { sales: "one" };

  for (const [what, name, id, inputs] of [
    ["the group and its properties", "acme", "acme=Acme", { name: "Acme", properties: { seats: 5 } }],
    [
      "an ID with an equals sign and a mapping, from JSON",
      "equal",
      json({ userGroupId: "a=b", name: "Equal", mapping }),
      { userGroupId: "a=b", name: "Equal", mapping },
    ],
    [
      "the values of the service, if they are others",
      "other",
      json({ userGroupId: "other", name: "Ours", mapping }),
      { name: "Theirs", mapping, properties: { seats: 5 } },
    ],
  ] as const)
    it(`records ${what}; the token is a secret after import`, async () => {
      succeeds(await fixture.stack.run(importing(name, id)));
      const recorded = await fixture.stack.resource(name);
      assert.deepEqual(recorded.inputs, { userGroupId: name, ...inputs });
      assert(isSecret(recorded.outputs["token"]));
      assert.equal(recorded.outputs["adopted"], true);
    });

  for (const [what, arguments_, error, env] of [
    ["an ID without a name", ["acme2", "acme"], /must be <userGroupId>=<name>.*\[argument-invalid\]/, {}],
    [
      "UserGroups",
      ["many", "acme=Acme", "UserGroups"],
      /UserGroups can't be imported.*\[argument-invalid\]/,
      {},
    ],
    [
      "an incomplete group with changes: update",
      ["incomplete", "acme=Acme"],
      /\[setting-conflict\]/,
      { USER_GROUPS_CHANGES: "update" },
    ],
  ] as const)
    it(`refuses ${what}, before any request`, async () => {
      const [name, id, type] = arguments_;
      fails(await fixture.stack.run(importing(name, id, type), { env }), error);
      assert.deepEqual(requestsTo(fixture.emulator), []);
    });

  it("of a group that doesn't exist fails, and leaves nothing behind", async () => {
    fails(
      await fixture.stack.run(importing("missing", "missing=Missing")),
      /it doesn't exist .*\[no-such-group\]/,
    );
    assert(!fixture.emulator.groups.has("missing"));
    const names = (await fixture.stack.resources()).map(({ name }) => name);
    assert(!names.includes("missing"));
  });

  it("is followed by an up without changes", async () => {
    await fixture.stack.program(
      pluginProgram(`
        exports.token = new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: { seats: 5 } }).token;
        new UserGroup("equal", { userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
        new UserGroup("other", { userGroupId: "other", name: "Theirs", mapping: { sales: "one" }, properties: { seats: 5 } });
      `),
    );
    assert.deepEqual(succeeds(await fixture.stack.up()).changes, { same: 4 });
    assert.deepEqual(await fixture.stack.plainOutputs(), { token: tokensOf(fixture.emulator)["acme"] });
  });
});

describe("plugin: the import option", () => {
  const programOf = (id: string) =>
    pluginProgram(`
      const group = new UserGroup("${id}", { userGroupId: "${id}", name: "Acme" }, { import: "${id}=Acme" });
      exports.tokens = { acme: group.token };
    `);
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    return { program: programOf("acme") };
  });

  it("records the group, and fails for one that doesn't exist, which it doesn't leave behind", async () => {
    const { stack, emulator } = fixture;
    assert.deepEqual(stepsOf(succeeds(await stack.up()), "acme"), ["import"]);
    assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
    await stack.program(programOf("missing"));
    for (const run of [await stack.preview(), await stack.up()])
      fails(run, /it doesn't exist .*\[no-such-group\]/);
    assert.deepEqual([...emulator.groups.keys()], ["acme"]);
  });
});
