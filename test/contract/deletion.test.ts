/** Deletions in the service. guards.test.ts has what keeps groups from them. */
import assert from "node:assert/strict";
import {
  acme,
  acmeSent,
  behavior,
  both,
  declareEach,
  declareMany,
  everyService,
  inModel,
  remapped,
} from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: deletion", () => {
  both('delete, "otherwise": sends the token, the ID and the data source', {}, async (context, declare) => {
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }));
    context.emulator.putGroup({ userGroupId: "other", name: "Other" });
    const ids = { user_group_id: "acme", data_source_provided_id: "one" };
    const sent = { current_token: context.token("acme"), ...ids };
    context.requests();
    assert.deepEqual(succeeds(await context.destroy()).warnings, []);
    assert.deepEqual(context.bodies(), [sent]);
    assert.deepEqual([...context.emulator.groups.keys()], ["other"]);
  });

  both(
    "that the service refuses is an error with a remedy",
    { services: everyService },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const { token } = context.emulator.rotateToken("acme");
      context.requests();
      fails(await context.destroy(), /user group "acme".*pulumi refresh.*\[service-refused\]/s);
      assert.match(context.requests().join(), /^DELETE acme refused,GET acme (returned|updated)$/);
      assert(await context.group("acme"));
      assert.equal(context.token("acme"), token);
      succeeds(await context.refresh());
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  both(
    "of a group that is gone succeeds, and leaves none",
    { engine: "release", services: everyService },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.emulator.removeGroup("acme");
      context.requests();
      assert.deepEqual(succeeds(await context.destroy()).warnings, []);
      const [deletion, lookup] = context.bodies();
      assert.deepEqual([deletion, lookup], [{ current_token: token, user_group_id: "acme" }, acmeSent]);
      assert.equal(context.requests().join(), "DELETE acme refused,GET acme created,DELETE acme deleted");
      assert.deepEqual([context.emulator.groups.size, await context.resources()], [0, []]);
    },
  );

  behavior("with status 404 succeeds only if get-or-create creates the group", inModel, async (context) => {
    await context.applies(declareEach({ acme }));
    context.emulator.fault({ kind: "status", status: 404, method: "DELETE", times: 2 });
    fails(await context.destroy(), /\[not-found\]/);
    assert(context.token("acme"));
    context.emulator.removeGroup("acme");
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });

  behavior(
    "succeeds if the service takes the ID for that of another group of the program",
    inModel,
    async (context) => {
      await context.applies(declareMany({ acme, ACME: acme }));
      const token = context.token("ACME") ?? "";
      context.emulator.removeGroup("acme");
      context.emulator.putGroup({ userGroupId: "acme", ...acme }, () => token);
      await context.applies(declareMany({ ACME: acme }));
      assert.equal(context.token("ACME"), token);
    },
  );

  behavior(
    "with changes: update sends no get-or-create after a refusal",
    { ...inModel, existing: "update", settings: { changes: "update" } },
    async (context) => {
      await context.applies(declareEach({ acme }));
      context.emulator.removeGroup("acme");
      context.emulator.putGroup({ userGroupId: "acme", ...remapped });
      context.requests();
      fails(await context.destroy(), /\[service-refused\]/);
      assert.deepEqual(context.requests(), ["DELETE acme refused"]);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, remapped.mapping);
    },
  );
});
