import assert from "node:assert/strict";
import { inWorld } from "../world";
import { create, effects, many, recordedBy, tokensIn, update } from "./manyGroups";

describe("UserGroups, an update that doesn't get to its end", () => {
  it(
    "records what was done where some groups fail, so that the next update does the rest",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(5) });
      const wanted = {
        groups: { t1: { name: "One" }, t2: { name: "Two" }, t3: { name: "Tenant" }, t5: { name: "Five" } },
      };
      emulator.fault({ kind: "refuse", userGroupId: "t0", times: 2 }); // leaves: the deletion fails
      emulator.fault({ kind: "refuse", userGroupId: "t2", method: "GET" }); // changes: is deleted, but not created
      emulator.fault({ kind: "refuse", userGroupId: "t5" }); // is added: isn't created
      emulator.clearRequests();
      const { record: unfinished, reasons } = await recordedBy(update(record, wanted));
      assert.match(reasons[0] ?? "", /^Cannot update all user groups: 3 failed\./);
      for (const reason of ['delete user group "t0"', 'create user group "t2"', 'create user group "t5"'])
        assert(
          reasons.some((each) => each.startsWith(`Cannot ${reason}`)),
          reason,
        );
      assert.deepEqual(unfinished.groups, {
        t0: { name: "Tenant" },
        t1: { name: "One" },
        t3: { name: "Tenant" },
      });
      assert.deepEqual(unfinished.tokens, tokensIn(emulator));

      emulator.clearRequests();
      const done = await update(unfinished, wanted);
      assert.deepEqual(effects(emulator), ["DELETE t0 deleted", "GET t2 created", "GET t5 created"]);
      assert.deepEqual([done.groups, done.tokens], [wanted.groups, tokensIn(emulator)]);
    }),
  );

  it(
    "stops early when the service is down, although most groups stay as they are",
    inWorld(
      { env: { USER_GROUPS_MAX_CONNECTIONS: "2", USER_GROUPS_TIMEOUT: "0.2" } },
      async ({ emulator }) => {
        const record = await create({ groups: many(100) });
        const changed = Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [`t${5 * n}`, { name: "New" }]),
        );
        emulator.fault({ kind: "status", status: 503, times: Infinity });
        const { record: unfinished, reasons } = await recordedBy(
          update(record, { groups: { ...many(100), ...changed } }),
        );
        assert.deepEqual(unfinished, record);
        const [, failed = "", untried = ""] =
          /: (\d+) failed, and (\d+) were not tried/.exec(reasons[0] ?? "") ?? [];
        assert.equal(Number(failed) + Number(untried), 20);
        assert(Number(failed) < 5, `${failed} were tried`);
      },
    ),
  );

  it(
    "deletes what an update that was killed has deleted, or created, already",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(3) });
      emulator.removeGroup("t0"); // was to leave, and has
      emulator.removeGroup("t1"); // was to change, and is gone
      emulator.removeGroup("t2"); // was to change, and has been created with its new values
      emulator.putGroup({ userGroupId: "t2", name: "New" });
      const wanted = { groups: { t1: { name: "New" }, t2: { name: "New" } } };
      const next = await update(record, wanted);
      assert.deepEqual([...emulator.groups.keys()].sort(), ["t1", "t2"]);
      assert.deepEqual([next.groups, next.tokens], [wanted.groups, tokensIn(emulator)]);
    }),
  );
});
