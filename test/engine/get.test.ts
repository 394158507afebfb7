import assert from "node:assert/strict";
import {
  isSecret,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "./harness";

const lookups = ["found", "missing", "linked"];

describe("UserGroup.get", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "found", name: "Theirs", properties: { region: "eu" } });
    return { program };
  });
  let preview: Result;
  let up: Result;
  before(async () => {
    preview = succeeds(await fixture.stack.preview());
    assert.deepEqual(requestsTo(fixture.emulator), []);
    up = succeeds(await fixture.stack.up());
  });

  it("sends no request in a preview, which can't know the outputs", () => {
    assert.deepEqual(preview.changes, { create: 2 });
    assert.deepEqual(warningsOf(preview), []);
  });

  it("gives what the service shows of a group, and changes nothing there", async () => {
    assert.deepEqual(requestsTo(fixture.emulator, "found"), ['GET "found" returned 200']);
    const { id, outputs, external } = await fixture.stack.resource("found");
    assert.deepEqual([id, external], ["found", true]);
    assert.deepEqual(
      [outputs["name"], outputs["properties"], outputs["adopted"]],
      ["Theirs", { region: "eu" }, true],
    );
    assert.equal(fixture.emulator.groups.get("found")?.name, "Theirs");
  });

  it("keeps the tokens secret, and gives each to the program", async () => {
    for (const name of lookups) assert(isSecret((await fixture.stack.resource(name)).outputs["token"]), name);
    const { owned, ...tokens } = tokensOf(fixture.emulator);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: { ...tokens, linked: owned } });
  });

  it("creates a group that doesn't exist from the arguments, with a warning", async () => {
    const [request] = fixture.emulator.requests.filter(({ userGroupId }) => userGroupId === "missing");
    assert.deepEqual(request?.body, {
      user_group_id: "missing",
      name: "Missing",
      mapping: { sales: "one" },
      properties: { seats: 1 },
    });
    assert.match(warningsOf(up).join("\n"), /"missing" didn't exist.*created again/);
    assert.equal((await fixture.stack.resource("missing")).outputs["adopted"], false);
  });

  it("reads again in the next up, and gives the token of then", async () => {
    const former = tokensOf(fixture.emulator)["found"];
    fixture.emulator.rotateToken("found");
    const next = succeeds(await fixture.stack.up());
    assert.deepEqual(stepsOf(next, "owned"), ["same"]);
    const { owned, ...tokens } = tokensOf(fixture.emulator);
    assert.notEqual(tokens["found"], former);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: { ...tokens, linked: owned } });
  });

  it("doesn't make destroy delete the group", async () => {
    fixture.emulator.clearRequests();
    succeeds(await fixture.stack.destroy());
    assert.deepEqual(requestsTo(fixture.emulator), ['DELETE "owned" deleted 200']);
    assert.deepEqual([...fixture.emulator.groups.keys()].sort(), ["found", "missing"]);
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  const owned = new UserGroup("owned", { userGroupId: "owned", name: "Owned" });
  const found = UserGroup.get("found", "found", { name: "Any" });
  const missing = UserGroup.get("missing", "missing", {
    name: "Missing", mapping: { sales: "one" }, properties: { seats: 1 },
  });
  const linked = UserGroup.get("linked", owned.id, { name: owned.name });
  exports.tokens = { found: found.token, missing: missing.token, linked: linked.token };
`;
