import assert from "node:assert/strict";
import { carryOut } from "../../../provider/src/provider/carryOut";
import { openService } from "../../../provider/src/provider/configuration";
import { Ledger } from "../../../provider/src/provider/ledger";
import type { UserGroupsArguments } from "../../../provider/src/schema";
import { inWorld } from "../world";
import { create, effects, many, tokensIn } from "./manyGroups";

describe("carrying a change of groups out", () => {
  /** Carries `wanted` out on a ledger of the groups that are wanted before. */
  const carried = async (
    before: object,
    wanted: UserGroupsArguments,
    meanwhile: () => void = () => undefined,
  ) => {
    const ledger = Ledger.of(await create({ groups: before }));
    meanwhile();
    const { failed, untried } = await carryOut(ledger, wanted, openService({}));
    assert.deepEqual(untried, []);
    return { ledger, failed: failed.map(({ userGroupId, error }) => `${userGroupId} ${error.code}`) };
  };

  it(
    "keeps a group in the ledger until it is gone, and then until it is there again",
    inWorld({}, async ({ emulator }) => {
      const groups = { t0: { name: "New" }, t1: { name: "New" } };
      const { ledger, failed } = await carried(many(2), { groups }, () => {
        emulator.fault({ kind: "refuse", userGroupId: "t0", method: "DELETE" });
        emulator.fault({ kind: "refuse", userGroupId: "t0", method: "GET" });
        emulator.fault({ kind: "refuse", userGroupId: "t1", method: "GET" });
      });
      assert.deepEqual(failed.sort(), ["t0 service-refused", "t1 service-refused"]);
      assert.deepEqual(ledger.outputs({}).groups, { t0: { name: "Tenant" } });
      assert.deepEqual(ledger.outputs({}).tokens, tokensIn(emulator));
    }),
  );

  it(
    "deletes a group of another token where it is created again, but not where it leaves",
    inWorld({}, async ({ emulator }) => {
      const { ledger, failed } = await carried(many(2), { groups: { t0: { name: "New" } } }, () => {
        emulator.rotateToken("t0");
        emulator.rotateToken("t1");
        emulator.clearRequests();
      });
      assert.deepEqual(failed, ["t1 service-refused"]);
      assert.deepEqual(Object.keys(ledger.outputs({}).groups), ["t0", "t1"]);
      assert.equal(ledger.group("t0")?.token, emulator.groups.get("t0")?.token);
      assert.deepEqual(effects(emulator), [
        "DELETE t0 deleted",
        "DELETE t0 refused",
        "DELETE t1 refused",
        "GET t0 created",
        "GET t0 returned",
        "GET t1 returned",
      ]);
    }),
  );

  it(
    "asks nothing for what is kept, recorded or forgotten",
    inWorld({}, async ({ emulator }) => {
      const wanted = { t0: { name: "Tenant" }, t1: { name: "Tenant", dataSourceProvidedId: "tab" } };
      const { ledger, failed } = await carried(many(3), { groups: wanted, removed: "retain" }, () => {
        emulator.clearRequests();
      });
      assert.deepEqual(failed, []);
      assert.deepEqual(emulator.requests, []);
      assert.deepEqual(ledger.outputs({}).groups, wanted);
      assert.equal(ledger.group("t1")?.token, emulator.groups.get("t1")?.token);
    }),
  );
});
