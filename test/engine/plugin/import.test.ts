import assert from "node:assert/strict";
import { fails, isSecret, newWorld, requestsTo, stepsOf, succeeds, tokensOf, warningsOf } from "../harness";
import { pluginProgram } from "./program";

const importing = (...ids: string[]) => [
  ...["import", "user-groups:index:UserGroup", ...ids],
  ...["--stack", "dev", "--yes", "--generate-code=false", "--protect=false"],
];

describe("plugin: pulumi import", () => {
  const world = newWorld((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { seats: 5 } });
    emulator.putGroup({ userGroupId: "a=b", name: "Equal" });
    return { program: pluginProgram("") };
  });
  beforeEach(() => {
    world.emulator.clearRequests();
  });

  it("records the group with its properties and its token, as a secret", async () => {
    succeeds(await world.stack.run(importing("acme", "acme=Acme")));
    const { id, inputs, outputs } = await world.stack.resource("acme");
    assert.equal(id, "acme");
    assert.deepEqual(inputs, { userGroupId: "acme", name: "Acme", properties: { seats: 5 } });
    assert(isSecret(outputs["token"]));
    assert.equal(outputs["adopted"], true);
    assert.deepEqual([...world.emulator.groups.keys()], ["acme", "a=b"]);
  });

  it("takes JSON for an ID with an equals sign, and a mapping, which the service never returns", async () => {
    const id = JSON.stringify({ userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
    succeeds(await world.stack.run(importing("equal", id)));
    const { inputs } = await world.stack.resource("equal");
    assert.deepEqual(inputs, { userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
  });

  it("of a group that doesn't exist fails, and leaves nothing behind", async () => {
    const { output } = fails(await world.stack.run(importing("missing", "missing=Missing")));
    assert.match(output, /the service has no such group.*\[no-such-group\]/);
    assert(!world.emulator.groups.has("missing"));
    assert.deepEqual(
      (await world.stack.resources()).filter(({ name }) => name === "missing"),
      [],
    );
  });

  it("with an ID without a name explains the form", async () => {
    const { output } = fails(await world.stack.run(importing("acme2", "acme")));
    assert.match(output, /must be <userGroupId>=<name>.*\[argument-invalid\]/);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("is followed by an up without changes", async () => {
    await world.stack.program(
      pluginProgram(`
        exports.token = new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: { seats: 5 } }).token;
        new UserGroup("equal", { userGroupId: "a=b", name: "Equal", mapping: { sales: "one" } });
      `),
    );
    const up = succeeds(await world.stack.up());
    assert.deepEqual([stepsOf(up, "acme"), stepsOf(up, "equal")], [["same"], ["same"]]);
    assert.deepEqual(await world.stack.plainOutputs(), { token: tokensOf(world.emulator)["acme"] });
  });
});

describe("plugin: the import option and get", () => {
  const world = newWorld((emulator) => {
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
    const up = succeeds(await world.stack.up());
    assert.deepEqual([stepsOf(up, "acme"), stepsOf(up, "theirs")], [["import"], ["read"]]);
    assert.deepEqual(warningsOf(up), []);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  it("fail for a group that doesn't exist, and leave nothing behind", async () => {
    await world.stack.program(pluginProgram(`UserGroup.get("missing", "missing", { name: "Missing" });`));
    const { output } = fails(await world.stack.preview());
    assert.match(output, /\[no-such-group\]/);
    assert(!world.emulator.groups.has("missing"));
  });
});
