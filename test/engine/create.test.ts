import assert from "node:assert/strict";
import {
  isSecret,
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "./harness";

describe("create", () => {
  const world = newWorld(() => ({ program }));
  let created: Result;
  before(async () => {
    created = succeeds(await world.stack.up());
  });

  it("sends what the program says, and nothing else", () => {
    const [whole] = world.emulator.requests.filter(({ userGroupId }) => userGroupId === "acme");
    assert(whole?.authorised);
    assert.deepEqual(whole.body, {
      user_group_id: "acme",
      name: "Acme",
      mapping: { sales: "acme-warehouse", 7: 42 },
      properties: { region: "eu", seats: 0, flags: [true, null, { deep: "é" }], none: {} },
    });
    assert.equal(whole.headers["content-type"], "application/json");
    assert.match(whole.headers["user-agent"] ?? "", /^pulumi-user-groups\/\d/);

    const [bare] = world.emulator.requests.filter(({ userGroupId }) => userGroupId === "bare");
    assert.deepEqual(bare?.body, { user_group_id: "bare", name: "Bare" });
  });

  it("asks once for each group, which the service creates", () => {
    assert.deepEqual(requestsTo(world.emulator).sort(), [
      'GET "acme" created 200',
      'GET "bare" created 200',
      'GET "strict" created 200',
    ]);
    assert.deepEqual(created.changes, { create: 4 });
    assert.deepEqual(warningsOf(created), []);
  });

  it("records the arguments, that the group is new, and its token as a secret", async () => {
    const { id, outputs } = await world.stack.resource("acme");
    const { token, __provider, ...shown } = outputs;
    assert.equal(id, "acme");
    assert(isSecret(token));
    assert.equal(typeof __provider, "string");
    assert.deepEqual(shown, {
      userGroupId: "acme",
      name: "Acme",
      mapping: { sales: "acme-warehouse", 7: 42 },
      properties: { region: "eu", seats: 0, flags: [true, null, { deep: "é" }], none: {} },
      dataSourceProvidedId: "acme-warehouse",
      adopted: false,
      baseUrl: world.emulator.baseUrl,
    });
  });

  it("creates a group that isn't there although adopt is false", async () => {
    const { outputs } = await world.stack.resource("strict");
    assert.equal(outputs["adopt"], false);
    assert.equal(outputs["adopted"], false);
  });

  it("gives the program each group's own token and values", async () => {
    assert.deepEqual(await world.stack.plainOutputs(), {
      tokens: tokensOf(world.emulator),
      acme: { id: "acme", name: "Acme", region: "eu", adopted: false },
    });
  });

  it("leaves the groups alone in the next up", async () => {
    world.emulator.clearRequests();
    const again = succeeds(await world.stack.up());
    assert.deepEqual(again.changes, { same: 4 });
    assert.deepEqual(stepsOf(again, "acme"), ["same"]);
    assert.deepEqual(requestsTo(world.emulator), []);
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  const acme = new UserGroup("acme", {
    userGroupId: "acme",
    name: "Acme",
    mapping: { sales: "acme-warehouse", 7: 42 },
    properties: { region: "eu", seats: 0, flags: [true, null, { deep: "é" }], none: {} },
    dataSourceProvidedId: "acme-warehouse",
  });
  const bare = new UserGroup("bare", { userGroupId: "bare", name: "Bare" });
  const strict = new UserGroup("strict", { userGroupId: "strict", name: "Strict", adopt: false });
  exports.tokens = { acme: acme.token, bare: bare.token, strict: strict.token };
  exports.acme = { id: acme.id, name: acme.name, region: acme.properties.region, adopted: acme.adopted };
`;
