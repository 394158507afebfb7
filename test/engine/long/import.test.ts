import assert from "node:assert/strict";
import { fails, isSecret, newFixture, requestsTo, stepsOf, succeeds, tokensOf, warningsOf } from "../harness";
import { pluginProgram } from "./pluginProgram";

const importing = (...ids: string[]) => [
  ...["import", "user-groups:index:UserGroup", ...ids],
  ...["--stack", "dev", "--yes", "--generate-code=false", "--protect=false"],
];

describe("plugin: pulumi import", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { seats: 5 } });
    emulator.putGroup({ userGroupId: "a=b", name: "Equal" });
    return { program: pluginProgram("") };
  });
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });

  it("records the group and its properties, and the token is a secret after import", async () => {
    succeeds(await fixture.stack.run(importing("acme", "acme=Acme")));
    const { id, inputs, outputs } = await fixture.stack.resource("acme");
    assert.equal(id, "acme");
    assert.deepEqual(inputs, { userGroupId: "acme", name: "Acme", properties: { seats: 5 } });
    assert(isSecret(outputs["token"]));
    assert.equal(outputs["adopted"], true);
    assert.deepEqual([...fixture.emulator.groups.keys()], ["acme", "a=b"]);
  });

  it("takes JSON for an ID with an equals sign, and a mapping, which the service never returns", async () => {
    const id = JSON.stringify({ userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
    succeeds(await fixture.stack.run(importing("equal", id)));
    const { inputs } = await fixture.stack.resource("equal");
    assert.deepEqual(inputs, { userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
  });

  it("of a group that doesn't exist fails, and leaves nothing behind", async () => {
    const { output } = fails(await fixture.stack.run(importing("missing", "missing=Missing")));
    assert.match(output, /it doesn't exist .*\[no-such-group\]/);
    assert(!fixture.emulator.groups.has("missing"));
    assert.deepEqual(
      (await fixture.stack.resources()).filter(({ name }) => name === "missing"),
      [],
    );
  });

  it("with an ID without a name explains the form", async () => {
    const { output } = fails(await fixture.stack.run(importing("acme2", "acme")));
    assert.match(output, /must be <userGroupId>=<name>.*\[argument-invalid\]/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("is followed by an up without changes", async () => {
    await fixture.stack.program(
      pluginProgram(`
        exports.token = new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: { seats: 5 } }).token;
        new UserGroup("equal", { userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
      `),
    );
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual([stepsOf(up, "acme"), stepsOf(up, "equal")], [["same"], ["same"]]);
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
    assert.deepEqual(warningsOf(up), []);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  });

  for (const [what, program] of [
    ["get", `UserGroup.get("missing", "missing", { name: "Missing" });`],
    [
      "the import option",
      `new UserGroup("missing", { userGroupId: "missing", name: "Missing" }, { import: "missing=Missing" });`,
    ],
  ] as const)
    it(`fail for a group that doesn't exist, and leave nothing behind: ${what}`, async () => {
      await fixture.stack.program(pluginProgram(program));
      for (const { output } of [fails(await fixture.stack.preview()), fails(await fixture.stack.up())])
        assert.match(output, /it doesn't exist .*\[no-such-group\]/);
      assert(!fixture.emulator.groups.has("missing"));
      const names = (await fixture.stack.resources()).map(({ name }) => name);
      assert(!names.includes("missing"));
    });
});

describe("plugin: an import with other values than the service has", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Theirs", properties: { seats: 5 } });
    return { program: pluginProgram("") };
  });

  it("records the values of the service, and the mapping of the import", async () => {
    const id = JSON.stringify({ userGroupId: "acme", name: "Ours", mapping: { sales: "one" } });
    succeeds(await fixture.stack.run(importing("acme", id)));
    const { inputs } = await fixture.stack.resource("acme");
    const values = { name: "Theirs", mapping: { sales: "one" }, properties: { seats: 5 } };
    assert.deepEqual(inputs, { userGroupId: "acme", ...values });
    assert.deepEqual(fixture.emulator.groups.get("acme")?.name, "Theirs");
  });

  it("with changes: update is refused without mapping and properties, before any request", async () => {
    fixture.emulator.clearRequests();
    const env = { USER_GROUPS_CHANGES: "update" };
    const { output } = fails(await fixture.stack.run(importing("other", "acme=Acme"), { env }));
    assert.match(output, /\[setting-conflict\]/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("of UserGroups is refused, before any request", async () => {
    fixture.emulator.clearRequests();
    const [command, , ...others] = importing("many", "acme=Acme");
    const args = [command ?? "", "user-groups:index:UserGroups", ...others];
    const { output } = fails(await fixture.stack.run(args));
    assert.match(output, /UserGroups can't be imported.*\[argument-invalid\]/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });
});
