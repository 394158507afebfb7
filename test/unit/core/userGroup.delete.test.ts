import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { bodies, inWorld } from "../world";
import { acme, configure, create, itInEveryService, remove } from "./oneGroup";

const args = { ...acme, dataSourceProvidedId: "warehouse" };

describe("UserGroup, delete", () => {
  beforeEach(() => configure());

  it(
    "sends ID, token and data source",
    inWorld({}, async ({ emulator, warnings }) => {
      const { token } = emulator.putGroup(acme);
      emulator.putGroup({ userGroupId: "globex", name: "Globex" });
      await remove({ ...args, ...owned(token) });
      assert.deepEqual([...emulator.groups.keys()], ["globex"]);
      assert.deepEqual(bodies(emulator), [
        {
          method: "DELETE",
          body: { user_group_id: "acme", current_token: token, data_source_provided_id: "warehouse" },
        },
      ]);
      assert.deepEqual(warnings, []);
    }),
  );

  it(
    "sends no data source where there is none",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      await remove({ ...acme, ...owned(token) });
      assert.deepEqual(bodies(emulator), [
        { method: "DELETE", body: { user_group_id: "acme", current_token: token } },
      ]);
    }),
  );

  for (const deleteNeeds of [
    [],
    ["user_group_id"],
    ["current_token"],
    ["current_token", "user_group_id"],
    ["current_token", "data_source_provided_id"],
    ["current_token", "user_group_id", "data_source_provided_id"],
  ] as const) {
    it(
      `deletes where the service needs ${deleteNeeds.join(", ") || "nothing"}`,
      inWorld({ deleteNeeds }, async ({ emulator }) => {
        const { token } = emulator.putGroup(acme);
        await remove({ ...args, ...owned(token) });
        assert.equal(emulator.groups.size, 0);
        assert.equal(emulator.requests.length, 1);
      }),
    );
  }

  itInEveryService("fails where the service refuses and has the group", {}, async ({ emulator }) => {
    const recorded = await create(args);
    const { token } = emulator.rotateToken("acme");
    emulator.clearRequests();
    const { code, message } = await errorOf(remove({ ...args, ...recorded }));
    assert.equal(code, "service-refused");
    assert.match(
      message,
      /^Cannot delete user group "acme": the service refused \(success 0, .*run pulumi refresh .*or pulumi destroy --refresh\./,
    );
    assert.equal(emulator.requests.length, 2);
    assert.equal(emulator.groups.get("acme")?.token, token);
  });

  it(
    "fails at a wrong address",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      for (const [path, code] of [
        ["/wrong", "service-refused"],
        ["", "not-found"],
      ] as const) {
        process.env["USER_GROUPS_BASE_URL"] = `${emulator.baseUrl}${path}`;
        if (path === "") emulator.fault({ kind: "status", status: 404, times: 2 });
        assert.equal((await errorOf(remove({ ...args, ...owned(token) }))).code, code);
      }
      assert.equal(emulator.groups.size, 1);
    }),
  );

  it(
    "asks nothing after other failures",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      for (const [status, code] of [
        [401, "unauthorized"],
        [403, "unauthorized"],
        [418, "unexpected-status"],
      ] as const) {
        emulator.fault({ kind: "status", status });
        assert.equal((await errorOf(remove({ ...args, ...owned(token) }))).code, code);
      }
      emulator.fault({ kind: "notJson", when: "before" });
      assert.equal((await errorOf(remove({ ...args, ...owned(token) }))).code, "answer-invalid");
      assert.equal(emulator.requests.length, 4);
      assert.equal(emulator.groups.size, 1);
    }),
  );

  it(
    "tells of the refusal where the question fails",
    inWorld({}, async ({ emulator }) => {
      emulator.putGroup(acme);
      emulator.fault({ kind: "status", status: 418, method: "GET" });
      const { message } = await errorOf(remove({ ...args, ...owned("stale") }));
      assert.match(message, /the service refused \(success 0, status 200 to DELETE /);
    }),
  );

  it(
    "fails on a record that can't be used",
    inWorld({}, async ({ emulator }) => {
      const { code, message } = await errorOf(remove(args));
      assert.equal(code, "record-invalid");
      assert.match(message, /its token is required/);
      assert.equal(emulator.connections, 0);
    }),
  );
});

function owned(token: string) {
  return { token, adopted: false };
}
