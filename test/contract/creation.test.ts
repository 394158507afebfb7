import assert from "node:assert/strict";
import { acme, behavior, both, bothInModel, declareEach, declareMany, everyService } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: creation", () => {
  for (const [what, sent, keepers, shared] of [
    ["all arguments", acme, { keepers: { a: "1" } }, { adopt: false }],
    ["a name only", { name: "Acme" }, {}, {}],
  ] as const)
    both(
      `create, "new": with ${what}, which a refresh leaves as they are`,
      { services: everyService, isInModel: what === "a name only" },
      async (context, declare) => {
        const program = declare({ acme: { ...sent, ...keepers } }, shared);
        assert.deepEqual((await context.applies(program)).warnings, []);
        const state = await context.resources();
        const { emulator } = context;
        const recorded = { providedId: "acme", former: [], adopted: false, baseUrl: emulator.baseUrl };
        assert.deepEqual(JSON.parse(JSON.stringify(await context.group("acme"))), {
          ...{ ...recorded, userGroupId: "acme", token: context.token("acme") },
          ...{ ...sent, ...keepers },
        });
        assert.deepEqual(succeeds(await context.refresh()).warnings, []);
        assert.deepEqual(await context.resources(), state);
        assert.deepEqual(context.bodies(), Array(2).fill({ user_group_id: "acme", ...sent }));
        assert.match(context.requests().join(), /^GET acme created,GET acme (returned|updated)$/);
        await context.applies(program);
        assert.deepEqual(context.requests(), []);
      },
    );

  bothInModel("records as sent what the service stores otherwise, and settles", async (context, declare) => {
    const args = { name: " Acme ", properties: { seats: 2 } };
    const program = declare({ acme: args });
    context.emulator.configure({
      normalize: ({ name, properties, ...values }) => ({
        ...{ ...values, name: name.trim(), properties: { plan: "basic", ...properties } },
      }),
    });
    const { warnings } = await context.applies(program);
    assert.match(warnings.join("\n"), /^user group "acme" .*\[stored-with-other-values\]$/);
    const token = context.token("acme");
    for (const next of [program, program, declare({ acme: { ...args, dataSourceProvidedId: "tab" } })]) {
      assert.equal(await context.isUpToDate(next), next === program);
      await context.applies(next);
      assert.deepEqual(succeeds(await context.refresh()).warnings, []);
      assert(await context.isUpToDate(next));
    }
    assert.equal(context.token("acme"), token);
    assert.equal((await context.group("acme"))?.name, " Acme ");
  });

  for (const [kind, declare] of [
    ["UserGroup", (id: string) => declareEach({ [id]: acme }).map((each) => ({ ...each, name: "tenant" }))],
    ["UserGroups", (id: string) => declareMany({ [id]: acme })],
  ] as const)
    behavior(
      `${kind}: create, "token of another ID": a service that ignores the case`,
      { drivers: ["provider"] },
      async (context) => {
        await context.applies(declare("Acme"));
        const token = context.token("Acme");
        context.emulator.putGroup({ userGroupId: "acme", ...acme }, () => String(token));
        context.requests();
        fails(await context.up(declare("acme")), /user group "acme".*\[wrong-group\]/s);
        assert.deepEqual(context.requests(), ["GET acme returned"]);
        assert.equal((await context.group("Acme"))?.token, token);
      },
    );
});
