import assert from "node:assert/strict";
import { acme, behavior, behaviorOfBoth, resource } from "./contract";

describe("contract: request bodies", () => {
  behaviorOfBoth("have neither keepers nor empty values", async (context, declare) => {
    await context.applies(
      declare({ acme: { name: "Acme", mapping: {}, properties: null, keepers: { month: "1" } } }),
    );
    assert.deepEqual(context.bodies(), [{ user_group_id: "acme", name: "Acme" }]);
  });

  behavior(
    "of a lookup have all values with changes: update, so that nothing changes",
    async (context) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const args = { userGroupId: "acme", ...acme };
      await context.applies([resource("found", "userGroup", args, { isLookup: true })]);
      assert.equal((await context.group("acme"))?.token, token);
      const { name, mapping, properties } = context.emulator.groups.get("acme") ?? {};
      assert.deepEqual({ name, mapping, properties }, acme);
    },
    { existing: "update", settings: { changes: "update" } },
  );
});
