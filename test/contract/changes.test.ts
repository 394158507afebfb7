import assert from "node:assert/strict";
import { many } from "../harness/providers";
import {
  behavior,
  behaviorInModel,
  behaviorOfBoth,
  behaviorOfBothInModel,
  declareEach,
  resource,
} from "./contract";
import { fails, succeeds } from "./stackContext";

const acme = {
  name: "Acme",
  mapping: { sales: "one" },
  properties: { region: "eu" },
  keepers: { month: "1" },
};
const beta = { name: "Beta" };

describe("contract: changes", () => {
  for (const [what, change] of Object.entries({
    name: { name: "New" },
    mapping: { mapping: { sales: "two" } },
    properties: { properties: { region: "us" } },
    keepers: { keepers: { month: "2" } },
  }))
    behaviorOfBoth(
      `of ${what} deletes the group and creates it again, as the preview says`,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        const former = context.token("acme");
        context.requests();
        const program = declare({ acme: { ...acme, ...change } });
        const { changes, warnings } = await context.preview(program);
        assert.match(JSON.stringify(changes), /replace|update/);
        assert.equal(warnings.length, 1);
        assert.match(warnings.join(), /"acme".* new token|new token \("acme"\)/);
        await context.applies(program);
        assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
        assert.notEqual(context.token("acme"), former);
        assert.equal((await context.group("acme"))?.token, context.token("acme"));
        const { name, mapping, properties } = { ...acme, ...change };
        const stored = context.emulator.groups.get("acme");
        assert.deepEqual([stored?.name, stored?.mapping, stored?.properties], [name, mapping, properties]);
      },
      { isInModel: what !== "mapping" },
    );

  behaviorOfBothInModel(
    "of a group whose token is another by now fail until a refresh, and nothing is deleted",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }));
      const stored = await context.group("acme");
      const { token } = context.emulator.rotateToken("acme");
      const program = declare({ acme: { ...acme, name: "New" }, beta });
      for (let runs = 0; runs < 2; runs += 1)
        fails(await context.up(program), /user group "acme".*pulumi refresh/s);
      assert.equal(context.token("acme"), token);
      assert.deepEqual(await context.group("acme"), stored);
      succeeds(await context.refresh());
      await context.applies(program);
      assert.equal(context.emulator.groups.get("acme")?.name, "New");
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
    },
  );

  behaviorOfBothInModel(
    'row "planned recreated", unless its deletion was confirmed and an attempt was lost: it counts as adopted, also with its former token',
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const former = context.token("acme");
      context.emulator.fault({ kind: "status", status: 503, when: "after", method: "GET" });
      const changed = { ...acme, mapping: { sales: "two" } };
      await context.applies(declare({ acme: changed }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [former, true]);
      assert.deepEqual((await context.group("acme"))?.mapping, changed.mapping);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, changed.mapping);
      assert(await context.isUpToDate(declare({ acme: changed })));
    },
    { newToken: (userGroupId) => `token-of-${userGroupId}` },
  );

  behaviorInModel("that fail after the deletion say so, also if they are taken back", async (context) => {
    await context.applies(declareEach({ acme }));
    context.emulator.fault({ kind: "refuse", method: "GET", times: 1 });
    const changed = declareEach({ acme: { ...acme, mapping: { sales: "two" } } });
    fails(await context.up(changed), /"acme".* The group was deleted to be created again, so/s);
    const { warnings } = await context.applies(declareEach({ acme }));
    assert.match(warnings.join("\n"), /"acme".*\[created-again\]/s);
    assert.doesNotMatch(warnings.join("\n"), /\[kept\]/);
  });

  behaviorOfBothInModel(
    "whose creations had no response don't say both that the group may exist and that it doesn't",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.loseResponses();
      const { errors } = await context.up(declare({ acme: { ...acme, name: "New" } }));
      assert.match(errors, /user group "acme".*may exist/s);
      assert.doesNotMatch(errors, /doesn't exist/);
      context.heal();
      await context.applies(declare({ acme: { ...acme, name: "New" } }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), true]);
    },
  );

  behaviorOfBoth("of dataSourceProvidedId and adopt change the state only", async (context, declare) => {
    await context.applies(declare({ acme }));
    const token = context.token("acme");
    context.requests();
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }, { adopt: false }));
    assert.deepEqual(context.requests(), []);
    assert.equal(context.token("acme"), token);
    succeeds(await context.destroy());
    assert.deepEqual(context.bodies(), [
      { current_token: token, user_group_id: "acme", data_source_provided_id: "one" },
    ]);
  });

  behaviorOfBoth(
    "between {}, null and unset, and of the order of keys, are none, and neither they nor keepers are sent",
    async (context, declare) => {
      const bare = { name: "Bare", mapping: {}, properties: null, keepers: { month: "1" } };
      await context.applies(declare({ bare }));
      assert.deepEqual(context.bodies(), [{ user_group_id: "bare", name: "Bare" }]);
      await context.applies(declare({ acme: { name: "Acme", properties: { a: 1, b: 2 } }, bare }));
      context.requests();
      for (const args of [
        { name: "Acme", mapping: {}, properties: { b: 2, a: 1 }, keepers: {} },
        { name: "Acme", mapping: null, properties: { a: 1, b: 2 } },
      ])
        await context.applies(declare({ acme: args, bare: { ...bare, mapping: null, properties: {} } }));
      assert.deepEqual(context.requests(), []);
    },
    { engine: "release" },
  );

  behavior("of userGroupId create the new group before the old one is deleted", async (context) => {
    const program = (userGroupId: string) => [resource("tenant", "userGroup", { userGroupId, name: "Acme" })];
    await context.applies(program("old"));
    context.requests();
    await context.applies(program("new"));
    assert.deepEqual(context.requests(), ["GET new created", "DELETE old deleted"]);
  });
});
