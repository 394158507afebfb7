/** How groups leave: by a deletion, or by `removed: "retain"`, and what `deletionLimit` refuses. */
import assert from "node:assert/strict";
import {
  acme,
  acmeSent,
  behavior,
  beta,
  both,
  declareEach,
  declareMany,
  everyService,
  inModel,
  many,
  remapped,
  single,
} from "./contract";
import { fails, succeeds, warns } from "./stackContext";

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

const two = { acme, beta };
const retain = { removed: "retain" };

describe("contract: a UserGroups with removed or deletionLimit", () => {
  behavior(
    'delete, "retained": sends nothing, and a group that comes back is adopted',
    {},
    async (context) => {
      const program = (groups: object) => [many("tenants", groups, retain)];
      await context.applies(program(two));
      const tokens = context.tokens();
      context.requests();
      await context.applies(program({ beta }));
      assert.deepEqual([context.requests(), await context.group("acme")], [[], undefined]);
      await context.applies(program(two));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [tokens["acme"], true]);
      assert.deepEqual(await context.tokenAndAdopted("beta"), [tokens["beta"], false]);
    },
  );

  const other = [single("other", { ...beta, userGroupId: "other" })];

  behavior("retains its groups if the program leaves it out", {}, async (context) => {
    await context.applies([many("tenants", two, retain), ...other]);
    warns(await context.applies(other), /^2 user groups .*\[retained\]$/m);
    assert.equal(context.emulator.groups.size, 3);
  });

  behavior(
    "is limited if the program leaves it out, but not in a destroy",
    { drivers: ["provider"] },
    async (context) => {
      await context.applies([many("tenants", two, { deletionLimit: 1 }), ...other]);
      fails(await context.up(other), /2 user groups \("acme", "beta"\).*\[deletion-limit\]/);
      assert.equal(context.emulator.groups.size, 3);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  for (const guard of [retain, { deletionLimit: 1 }])
    behavior(
      `loses no group to a provider that can't tell the engine's command: ${JSON.stringify(guard)}`,
      { drivers: ["plugin"] },
      async (context) => {
        await context.applies([many("tenants", two, guard)]);
        for (const run of [await context.destroy(), await context.up([])])
          fails(run, /removed.*deletionLimit.*pulumi state delete.*\[deletion-limit\]/s);
        assert.equal(context.emulator.groups.size, 2);
        await context.applies(declareMany(two));
        succeeds(await context.destroy());
        assert.equal(context.emulator.groups.size, 0);
      },
    );
});
