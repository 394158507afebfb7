import assert from "node:assert/strict";
import { behavior, behaviorOfBoth, resource } from "./contract";
import { succeeds } from "./stackContext";

const acme = {
  name: "Acme",
  mapping: { sales: "one" },
  properties: { region: "eu" },
  keepers: { month: "1" },
};

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
    );

  behaviorOfBoth(
    "replace a group whose token is another by now, since it is created again",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.rotateToken("acme");
      context.requests();
      await context.applies(declare({ acme: { ...acme, name: "New" } }));
      assert.deepEqual(context.requests(), [
        "DELETE acme refused",
        "GET acme returned",
        "DELETE acme deleted",
        "GET acme created",
      ]);
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
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
    "between {}, null and unset, and of the order of keys, are none",
    async (context, declare) => {
      await context.applies(declare({ acme: { name: "Acme", properties: { a: 1, b: 2 } } }));
      context.requests();
      for (const args of [
        { name: "Acme", mapping: {}, properties: { b: 2, a: 1 }, keepers: {} },
        { name: "Acme", mapping: null, properties: { a: 1, b: 2 } },
      ])
        await context.applies(declare({ acme: args }));
      assert.deepEqual(context.requests(), []);
    },
  );

  behavior("of userGroupId create the new group before the old one is deleted", async (context) => {
    const program = (userGroupId: string) => [resource("tenant", "userGroup", { userGroupId, name: "Acme" })];
    await context.applies(program("old"));
    context.requests();
    await context.applies(program("new"));
    assert.deepEqual(context.requests(), ["GET new created", "DELETE old deleted"]);
  });
});
