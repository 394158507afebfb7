import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, warningsOf, type Result } from "./harness";

describe("drift", () => {
  const world = newWorld(() => ({ program }));
  let formerTokens: Record<string, string>;
  let refreshed: Result;
  let preview: Result;
  before(async () => {
    const { emulator, stack } = world;
    succeeds(await stack.up());
    formerTokens = tokensOf(emulator);
    emulator.rotateToken("rotated");
    emulator.renameGroup("renamed", "theirs");
    emulator.putGroup({ userGroupId: "altered", name: "Tenant", properties: { region: "us", seats: [1] } });
    emulator.putGroup({ userGroupId: "cleared", name: "Tenant" });
    emulator.configure({ emptyProperties: "null" });
    emulator.removeGroup("gone");
    emulator.clearRequests();
    refreshed = succeeds(await stack.refresh());
    preview = succeeds(await stack.preview({ flags: ["--diff"] }));
  });

  it("is looked for with one request for each group, and with none in the preview", () => {
    assert.deepEqual(requestsTo(world.emulator).sort(), [
      'GET "altered" returned 200',
      'GET "cleared" returned 200',
      'GET "gone" created 200',
      'GET "renamed" returned 200',
      'GET "rotated" returned 200',
    ]);
  });

  it("of the token is recorded, and is no change", () => {
    assert.deepEqual(stepsOf(preview, "rotated"), ["same"]);
    assert.notEqual(tokensOf(world.emulator)["rotated"], formerTokens["rotated"]);
  });

  it("of the name is recorded, and the preview shows what up would do", async () => {
    const { inputs, outputs } = await world.stack.resource("renamed");
    assert.deepEqual([inputs["name"], outputs["name"]], ["theirs", "theirs"]);
    assert.match(preview.output, /~ name *: "theirs" => "Tenant"/);
    assert(stepsOf(preview, "renamed").includes("replace"));
    assert.match(warningsOf(preview).join("\n"), /"renamed" is deleted and created again/);
  });

  it("of the properties is recorded, and the preview shows what up would do", async () => {
    const { inputs, outputs } = await world.stack.resource("altered");
    assert.deepEqual(inputs["properties"], { region: "us", seats: [1] });
    assert.deepEqual(outputs["properties"], { region: "us", seats: [1] });
    assert.match(preview.output, /~ region: "us" => "eu"/);
    assert(stepsOf(preview, "altered").includes("replace"));
  });

  it("isn't seen where the service shows no properties", async () => {
    assert.deepEqual(stepsOf(preview, "cleared"), ["same"]);
    assert.deepEqual((await world.stack.resource("cleared")).outputs["properties"], { region: "eu" });
  });

  describe("by deletion", () => {
    it("creates the group again, says so, and is no change", async () => {
      const [warning, ...others] = warningsOf(refreshed);
      assert.match(warning ?? "", /"gone" was gone.*created again.*new token/);
      assert.deepEqual(others, []);
      assert.deepEqual(stepsOf(preview, "gone"), ["same"]);
      const { outputs } = await world.stack.resource("gone");
      assert.equal(outputs["adopted"], false);
      assert.deepEqual(world.emulator.groups.get("gone")?.mapping, { sales: "one" });
    });
  });

  describe("followed by up", () => {
    before(async () => {
      world.emulator.clearRequests();
      succeeds(await world.stack.up());
    });

    it("ends with what the program says", () => {
      assert.equal(world.emulator.groups.get("renamed")?.name, "Tenant");
      assert.deepEqual(world.emulator.groups.get("altered")?.properties, { region: "eu" });
      assert.deepEqual(requestsTo(world.emulator).sort(), [
        'DELETE "altered" deleted 200',
        'DELETE "renamed" deleted 200',
        'GET "altered" created 200',
        'GET "renamed" created 200',
      ]);
    });

    it("ends with the tokens that the service holds", async () => {
      assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
    });
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  exports.tokens = {};
  for (const [userGroupId, args] of Object.entries({
    rotated: {},
    renamed: {},
    altered: { properties: { region: "eu" } },
    cleared: { properties: { region: "eu" } },
    gone: { mapping: { sales: "one" } },
  }))
    exports.tokens[userGroupId] = new UserGroup(userGroupId, { userGroupId, name: "Tenant", ...args }).token;
`;
