import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds, tokensOf, type Result } from "./harness";

describe("delete", () => {
  const world = newWorld(() => ({ program }));
  let formerTokens: Record<string, string>;
  let destroyed: Result;
  before(async () => {
    const { emulator, stack } = world;
    succeeds(await stack.up());
    formerTokens = tokensOf(emulator);
    emulator.rotateToken("stale");
    emulator.removeGroup("gone");
    emulator.fault({ kind: "loseAnswer", when: "after", method: "DELETE", userGroupId: "lost" });
    emulator.fault({ kind: "loseAnswer", when: "before", method: "DELETE", userGroupId: "unheard" });
    emulator.clearRequests();
    destroyed = fails(await stack.destroy({ flags: ["--continue-on-error"] }));
  });

  it("sends ID, token and data source", () => {
    const [request] = world.emulator.requests.filter(({ userGroupId }) => userGroupId === "plain");
    assert.deepEqual(request?.body, {
      user_group_id: "plain",
      current_token: formerTokens["plain"],
      data_source_provided_id: "tab",
    });
    assert.deepEqual(requestsTo(world.emulator, "plain"), ['DELETE "plain" deleted 200']);
  });

  describe("refused", () => {
    it("fails with an error that names the group and the way out", () => {
      const error = errorOf(destroyed, "stale");
      assert.match(error, /Cannot delete user group "stale": .*success 0.*\[service-refused\]/);
      assert.match(error, /pulumi destroy --refresh/);
    });

    it("asks whether the group is gone, and keeps the record as it isn't", async () => {
      assert.deepEqual(requestsTo(world.emulator, "stale"), [
        'DELETE "stale" refused 200 (current_token does not fit)',
        'GET "stale" returned 200',
      ]);
      const { id, outputs } = await world.stack.resource("stale");
      assert.deepEqual([id, outputs["name"]], ["stale", "Tenant"]);
      assert(world.emulator.groups.has("stale"));
    });
  });

  describe("with a lost answer", () => {
    it("finds out that the group is gone, and leaves none behind", () => {
      assert.deepEqual(requestsTo(world.emulator, "lost"), [
        'DELETE "lost" deleted no answer [fault: loseAnswer]',
        'DELETE "lost" refused 200 (no such user group)',
        'GET "lost" created 200',
        'DELETE "lost" deleted 200',
      ]);
    });

    it("deletes the group by the next attempt where the first had no effect", () => {
      assert.deepEqual(requestsTo(world.emulator, "unheard"), [
        'DELETE "unheard" none no answer [fault: loseAnswer]',
        'DELETE "unheard" deleted 200',
      ]);
    });
  });

  describe("of a group that somebody else has deleted", () => {
    it("finds out that the group is gone, and leaves none behind", () => {
      assert.deepEqual(requestsTo(world.emulator, "gone"), [
        'DELETE "gone" refused 200 (no such user group)',
        'GET "gone" created 200',
        'DELETE "gone" deleted 200',
      ]);
    });
  });

  it("leaves nothing but the refused group, in the service as in the state", async () => {
    assert.deepEqual([...world.emulator.groups.keys()], ["stale"]);
    const groups = (await world.stack.resources()).filter(({ type }) => type.endsWith(":UserGroup"));
    assert.deepEqual(
      groups.map(({ name }) => name),
      ["stale"],
    );
  });

  describe("refused, and repeated with --refresh", () => {
    it("succeeds with the token of today", async () => {
      world.emulator.clearRequests();
      succeeds(await world.stack.destroy({ flags: ["--refresh"] }));
      assert.deepEqual(requestsTo(world.emulator), [
        'GET "stale" returned 200',
        'DELETE "stale" deleted 200',
      ]);
      assert.deepEqual(await world.stack.resources(), []);
    });
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  for (const userGroupId of ["stale", "gone", "lost", "unheard"])
    new UserGroup(userGroupId, { userGroupId, name: "Tenant" });
  new UserGroup("plain", { userGroupId: "plain", name: "Tenant", dataSourceProvidedId: "tab" });
`;
