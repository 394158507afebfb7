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

describe("plugin: the import option and get", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    emulator.putGroup({ userGroupId: "theirs", name: "Theirs" });
    return {
      program: pluginProgram(`
        const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { import: "acme=Acme" });
        const theirs = UserGroup.get("theirs", "theirs", { name: "Theirs" });
        exports.tokens = { acme: acme.token, theirs: theirs.token };
      `),
    };
  });

  it("record the groups, and create none", async () => {
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual([stepsOf(up, "acme"), stepsOf(up, "theirs")], [["import"], ["read"]]);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  });

  for (const program of [
    'UserGroup.get("missing", "missing", { name: "Missing" });',
    'new UserGroup("missing", { userGroupId: "missing", name: "Missing" }, { import: "missing=Missing" });',
  ])
    it(`fail for a group that doesn't exist, and leave nothing behind: ${program}`, async () => {
      await fixture.stack.program(pluginProgram(program));
      for (const run of [await fixture.stack.preview(), await fixture.stack.up()])
        fails(run, /it doesn't exist .*\[no-such-group\]/);
      assert(!fixture.emulator.groups.has("missing"));
      const names = (await fixture.stack.resources()).map(({ name }) => name);
      assert(!names.includes("missing"));
    });
});
