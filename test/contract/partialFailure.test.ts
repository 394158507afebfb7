import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { groupsOf } from "../model/groups";
import { behavior, declareMany, inModel } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

/** One group after the other, so that it is certain how many are tried. */
const oneAtATime = { settings: { maxConnections: "1" } } as const;

describe("contract: UserGroups, some of which fail", () => {
  behavior(
    "a cause is said once, whatever the numbers of attempts",
    { drivers: ["provider"] },
    async (context) => {
      Object.assign(context.settings, { maxConnections: "1", timeout: "1" });
      context.emulator.fault({ kind: "status", status: 503, times: Infinity });
      const { errors } = fails(
        await context.up(declareMany(many(60))),
        /attempts\).* The same for 19 more: /,
      );
      assert.equal(errors.match(/\[unexpected-status\]/g)?.length, 1);
    },
  );

  const wanted = { t1: { name: "One" }, t2: { name: "Two" }, t3: { name: "Tenant" }, t5: { name: "Five" } };
  behavior("in an update are recorded as the service has them", oneAtATime, async (context) => {
    await context.applies(declareMany(many(5)));
    context.emulator.fault({ kind: "refuse", userGroupId: "t0", times: 2 }); // removed: its deletion fails
    context.emulator.fault({ kind: "refuse", userGroupId: "t2", method: "GET" }); // changed: deleted, but not created
    context.emulator.fault({ kind: "refuse", userGroupId: "t5" }); // added: not created
    fails(
      await context.up(declareMany(wanted)),
      /Cannot update all user groups: 3 user groups failed\./,
      /Cannot delete user group "t0"/,
      /Cannot create user group "t2"/,
      /Cannot create user group "t5"/,
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
  });

  inModel("in a destroy keep the state, and a refresh creates the others", oneAtATime, async (context) => {
    await context.applies(declareMany(many(30)));
    for (const userGroupId of ["t1", "t2"])
      context.emulator.fault({ kind: "refuse", method: "DELETE", userGroupId });
    fails(
      await context.destroy(),
      /2 user groups failed.*Cannot delete user group "t[12]"/s,
      /The state still has every group, including the deleted ones\. .*pulumi up alone sees no diff/,
    );
    assert.deepEqual([...context.emulator.groups.keys()].sort(), ["t1", "t2"]);
    succeeds(await context.refresh());
    assert.equal(context.emulator.groups.size, 30);
    assert(await context.isUpToDate(declareMany(many(30))));
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });
});

/** The names and the tokens of all groups in the state, by ID. */
async function namesAndTokens(context: StackContext): Promise<unknown[]> {
  const groups = groupsOf(await context.resource("tenants"));
  const byId = (field: "name" | "token") =>
    Object.fromEntries(groups.map((group) => [group.userGroupId, group[field]]));
  return [byId("name"), byId("token")];
}
