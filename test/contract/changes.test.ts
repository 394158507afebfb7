import assert from "node:assert/strict";
import { acme, both, everyChange } from "./contract";
import { succeeds } from "./stackContext";

describe("contract: changes", () => {
  for (const [what, change] of Object.entries(everyChange))
    both(
      `of ${what} recreate the group, as the preview says`,
      { isInModel: what !== "mapping" },
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

  both("of dataSourceProvidedId and adopt change the state only", async (context, declare) => {
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

  both(
    "between {}, null, unset and orders of keys are none",
    { engine: "release" },
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
  );
});
