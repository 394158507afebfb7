import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";

describe("a group whose resource becomes a lookup under another name", () => {
  const world = newWorld(() => ({ program }));
  let formerTokens: Readonly<Record<string, string>>;
  let up: Result;
  before(async () => {
    succeeds(await world.stack.up({ env: { PHASE: "original" } }));
    formerTokens = tokensOf(world.emulator);
    world.emulator.clearRequests();
    up = succeeds(await world.stack.up());
  });

  for (const id of ["single", "of-many"])
    it(`is kept, with the token that the program exports: ${id}`, async () => {
      assert.deepEqual(requestsTo(world.emulator, id), [`GET "${id}" returned 200`]);
      assert.equal(tokensOf(world.emulator)[id], formerTokens[id]);
      assert.equal((await world.stack.plainOutputs())[id], formerTokens[id]);
    });

  it("isn't held by its former resource any more", async () => {
    assert.deepEqual([stepsOf(up, "single"), stepsOf(up, "many")], [["delete"], ["delete"]]);
    const names = (await world.stack.resources()).map(({ name }) => name);
    assert(!names.includes("single") && !names.includes("many"));
  });

  it("saves no other group of that resource", () => {
    assert.deepEqual(requestsTo(world.emulator, "gone"), ['DELETE "gone" deleted 200']);
  });

  describe("followed by a refresh and a destroy", () => {
    it("stays in the service, and leaves nothing in the state", async () => {
      succeeds(await world.stack.refresh());
      world.emulator.clearRequests();
      succeeds(await world.stack.destroy());
      assert.deepEqual(requestsTo(world.emulator), []);
      const { gone, ...kept } = formerTokens;
      assert.deepEqual(tokensOf(world.emulator), kept);
      assert.deepEqual(await world.stack.resources(), []);
    });
  });
});

const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const name = "Tenant";
  const mapping = { sales: "one" };
  if (process.env.PHASE === "original") {
    new UserGroup("single", { userGroupId: "single", name, mapping });
    new UserGroups("many", { groups: { "of-many": { name, mapping }, gone: { name } } });
  } else
    for (const id of ["single", "of-many"]) exports[id] = UserGroup.get("lookup-" + id, id, { name, mapping }).token;
`;
