import assert from "node:assert/strict";
import {
  acme,
  acmeSent,
  beta,
  both,
  bothInModel,
  declareEach,
  everyService,
  inModel,
  remapped,
} from "./contract";
import { fails, succeeds } from "./stackContext";

const gone = ["DELETE acme refused", "GET acme created", "DELETE acme deleted"];

describe("contract: deletion", () => {
  both('delete, "otherwise": sends the token, the ID and the data source', async (context, declare) => {
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
      await context.applies(declare({ acme, beta }));
      const { token } = context.emulator.rotateToken("acme");
      context.requests();
      const { errors } = fails(
        await context.destroy(),
        /user group "acme".*pulumi refresh.*\[service-refused\]/s,
      );
      assert.equal(errors.split('user group "acme"').length, 2, errors);
      const requests = context.requests().filter((line) => line.includes("acme"));
      assert.match(requests.join(), /^DELETE acme refused,GET acme (returned|updated)$/);
      assert(await context.group("acme"));
      assert.equal(context.token("acme"), token);
      await context.applies(declare({ acme, beta }));
      succeeds(await context.refresh());
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  bothInModel(
    "without the data source that the service needs says so",
    { deleteNeeds: ["current_token", "user_group_id", "data_source_provided_id"] },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const { errors } = await context.destroy();
      assert.match(errors, /user group "acme".*dataSourceProvidedId.*\[service-refused\]/s);
      assert.doesNotMatch(errors, /stale|pulumi refresh|--refresh/);
      await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }));
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  both(
    "of a group that is gone succeeds, and leaves none",
    { engine: "release", services: everyService },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.renameGroup("acme", "Theirs");
      succeeds(await context.refresh());
      const token = context.token("acme");
      context.emulator.removeGroup("acme");
      context.requests();
      assert.deepEqual(succeeds(await context.destroy()).warnings, []);
      const [first, lookup, second] = context.bodies();
      assert.deepEqual([first, lookup], [{ current_token: token, user_group_id: "acme" }, acmeSent]);
      assert.notDeepEqual(first, second);
      assert.deepEqual(context.requests(), gone);
      assert.deepEqual([context.emulator.groups.size, await context.resources()], [0, []]);
    },
  );

  bothInModel(
    "with status 404 succeeds only if get-or-create creates the group",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.fault({ kind: "status", status: 404, method: "DELETE" });
      fails(await context.destroy(), /\[not-found\]/);
      assert(context.token("acme"));
      context.emulator.removeGroup("acme");
      context.emulator.fault({ kind: "status", status: 404, method: "DELETE" });
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  inModel(
    "with changes: update sends no get-or-create after a refusal",
    { existing: "update", settings: { changes: "update" } },
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
