import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { changedField } from "../harness/responseFaults";
import { groupsOf } from "../model/groups";
import { behavior, behaviorInModel, declareMany } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

/** One group after the other, so that it is certain how many are tried. */
const oneAtATime = { settings: { maxConnections: "1" } } as const;

describe("contract: UserGroups, some of which fail", () => {
  behavior("one bad group stops no other, and the next up does the rest", async (context) => {
    const program = declareMany(many(30));
    context.settings["maxConnections"] = "1";
    context.emulator.fault({ ...changedField("user_group.token"), userGroupId: "t3" });
    fails(
      await context.up(program),
      /1 user group failed.*\[partial-failure\]/s,
      /"t3".*\[response-invalid\]/s,
    );
    assert.equal(groupsOf(await context.resource("tenants")).length, 29);
    await context.applies(program);
    assert.equal((await context.group("t3"))?.token, context.token("t3"));
  });

  behaviorInModel(
    "20 groups without a service in a row stop the rest, and nothing is recorded",
    async (context) => {
      context.settings["maxConnections"] = "1";
      context.emulator.fault({ kind: "status", status: 501, times: Infinity });
      fails(
        await context.up(declareMany(many(60))),
        /: 20 user groups failed, and 40 were not tried\..*\[unexpected-status\].*\[partial-failure\]/s,
      );
      assert.equal(context.requests().length, 20);
      assert.deepEqual(await context.resources(), []);
    },
  );

  behaviorInModel(
    "a cause is said once, whatever the numbers of attempts",
    async (context) => {
      Object.assign(context.settings, { maxConnections: "1", timeout: "1" });
      context.emulator.fault({ kind: "status", status: 503, times: Infinity });
      const { errors } = fails(
        await context.up(declareMany(many(60))),
        /attempts\).* The same for 19 more: /,
      );
      assert.equal(errors.match(/\[unexpected-status\]/g)?.length, 1);
    },
    { drivers: ["provider"] },
  );

  behavior(
    "waiting for a connection is neither a time-out nor an attempt",
    async (context) => {
      context.emulator.configure({ latency: 300 });
      Object.assign(context.settings, { maxConnections: "1", timeout: "2" });
      await context.applies(declareMany(many(10), { adopt: false }));
      const created = Object.keys(many(10)).map((id) => `GET ${id} created`);
      assert.deepEqual(context.requests().sort(), created);
    },
    { drivers: ["plugin"] },
  );

  const wanted = { t1: { name: "One" }, t2: { name: "Two" }, t3: { name: "Tenant" }, t5: { name: "Five" } };
  behaviorInModel(
    "in an update are recorded as the service has them, and the next up does the rest",
    async (context) => {
      await context.applies(declareMany(many(5)));
      context.emulator.fault({ kind: "refuse", userGroupId: "t0", times: 2 }); // removed: its deletion fails
      context.emulator.fault({ kind: "refuse", userGroupId: "t2", method: "GET" }); // changed: deleted, but not created
      context.emulator.fault({ kind: "refuse", userGroupId: "t5" }); // added: not created
      fails(
        await context.up(declareMany(wanted)),
        /^Cannot update all user groups: 3 user groups failed\./,
        /^Cannot delete user group "t0"/m,
        /^Cannot create user group "t2"/m,
        /^Cannot create user group "t5"/m,
      );
      assert.deepEqual(await namesAndTokens(context), [
        { t0: "Tenant", t1: "One", t3: "Tenant" },
        context.tokens(),
      ]);
      context.requests();
      await context.applies(declareMany(wanted));
      assert.deepEqual(context.requests().sort(), ["DELETE t0 deleted", "GET t2 created", "GET t5 created"]);
      const names = { t1: "One", t2: "Two", t3: "Tenant", t5: "Five" };
      assert.deepEqual(await namesAndTokens(context), [names, context.tokens()]);
    },
    oneAtATime,
  );

  behaviorInModel(
    "in a refresh keep their state, and what was read of the others is stored",
    async (context) => {
      await context.applies(declareMany(many(3)));
      const former = (await context.group("t1"))?.token;
      context.emulator.rotateToken("t0");
      context.emulator.rotateToken("t1");
      context.emulator.fault({ kind: "refuse", userGroupId: "t1" });
      const { errors, warnings } = await context.refresh();
      const failure =
        /Cannot read all user groups: 1 user group failed\. They keep their state.*"t1".*\[service-refused\]/s;
      assert.match([errors, ...warnings].join("\n"), failure);
      assert.equal((await context.group("t0"))?.token, context.token("t0"));
      assert.equal((await context.group("t1"))?.token, former);
      succeeds(await context.refresh());
      assert.equal((await context.group("t1"))?.token, context.token("t1"));
    },
    oneAtATime,
  );

  behaviorInModel(
    "in a destroy keep the state, and the next destroy after a refresh deletes the rest",
    async (context) => {
      await context.applies(declareMany(many(4)));
      context.emulator.rotateToken("t1");
      context.emulator.fault({ kind: "refuse", status: 404, method: "DELETE", userGroupId: "t2" });
      fails(
        await context.destroy(),
        /^Cannot delete all user groups: 2 user groups failed\. The state still has every group.* Cannot delete user group "t[12]": the service refused/,
        /The state still has every group, including the deleted ones\. .*pulumi up alone sees no diff/,
      );
      assert.deepEqual([...context.emulator.groups.keys()].sort(), ["t1", "t2"]);
      succeeds(await context.refresh());
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
    oneAtATime,
  );
});

/** The names and the tokens of all groups in the state, by ID. */
async function namesAndTokens(context: StackContext): Promise<unknown[]> {
  const groups = groupsOf(await context.resource("tenants"));
  const byId = (field: "name" | "token") =>
    Object.fromEntries(groups.map((group) => [group.userGroupId, group[field]]));
  return [byId("name"), byId("token")];
}
