import assert from "node:assert/strict";
import { acme, acmeSent, both, bothInModel, everyService, remapped, returnsStored } from "./contract";
import { fails, warns } from "./stackContext";

const settings = { changes: "update" };
const updating = { existing: "update", settings } as const;

describe("contract: changes with changes: update", () => {
  both("keep the token, except those of keepers", updating, async (context, declare) => {
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "tab" } }));
    const token = context.token("acme");
    context.requests();
    await context.applies(declare({ acme }));
    assert.deepEqual(context.requests(), []);
    const changed = { ...acme, name: "New", mapping: { sales: "two" } };
    const { warnings } = await context.applies(declare({ acme: changed }));
    assert.deepEqual(context.requests(), ["GET acme updated"]);
    assert.match(warnings.join("\n"), /^user group "acme" .*\[mapping-not-verified\]/ms);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
    assert.equal(context.emulator.groups.get("acme")?.name, "New");
    await context.applies(declare({ acme: { ...changed, keepers: { month: "2" } } }));
    assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
    assert.notEqual(context.token("acme"), token);
  });

  bothInModel("take arguments away, and record another token", { ...updating }, async (context, declare) => {
    await context.applies(declare({ acme }));
    const { token } = context.emulator.rotateToken("acme");
    await context.applies(declare({ acme: { name: "New" } }));
    const stored = context.emulator.groups.get("acme");
    assert.deepEqual([stored?.name, stored?.mapping, stored?.properties], ["New", undefined, undefined]);
    assert.equal((await context.group("acme"))?.token, token);
    assert(await context.isUpToDate(declare({ acme: { name: "New" } })));
    context.emulator.configure({ normalize: (values) => ({ ...values, name: "normalized" }) });
    warns(
      await context.applies(declare({ acme: { name: "Newer" } })),
      /^user group "acme" .*\[stored-with-other-values\]/ms,
    );
  });

  bothInModel(
    "fail on a service that still returns the former values",
    { settings, services: everyService },
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      context.requests();
      const changed = { ...acme, name: "New", properties: { region: "us" } };
      const { errors, warnings } = await context.up(declare({ acme: changed }));
      const message = /user group "acme".*name and properties.*\[update-not-applied\]/s;
      assert.match(errors, returnsStored(service) ? message : /^$/);
      assert.deepEqual(context.bodies(), [{ ...acmeSent, name: "New", properties: { region: "us" } }]);
      assert.deepEqual(warnings, []);
      const group = await context.group("acme");
      assert.deepEqual(
        group,
        returnsStored(service) ? state : { ...state, name: "New", properties: { region: "us" } },
      );
    },
  );

  for (const [what, next, requests] of [
    ["the former program", acme, /^GET acme updated$/],
    ["the same program", remapped, /^GET acme updated(,GET acme updated)?$/],
    [
      "other keepers",
      { ...remapped, keepers: { month: "2" } },
      /^(GET acme updated,)?DELETE acme deleted,GET acme created$/,
    ],
  ] as const)
    bothInModel(
      `create, "own group": a doubt after lost responses is ended by ${what}`,
      updating,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        const token = context.token("acme");
        context.loseResponses();
        fails(await context.up(declare({ acme: remapped })), /user group "acme"/);
        assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
        context.heal();
        await context.applies(declare({ acme: next }));
        assert.match(context.requests().join(), requests);
        assert.deepEqual(context.emulator.groups.get("acme")?.mapping, next.mapping);
        assert.deepEqual((await context.group("acme"))?.mapping, next.mapping);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
        assert.equal(context.token("acme") === token, what !== "other keepers");
        await context.applies(declare({ acme: next }));
        assert.deepEqual(context.requests(), []);
      },
    );

  bothInModel(
    "don't go with adopt: false, and change an adopted group",
    updating,
    async (context, declare) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
      fails(await context.up(declare({ acme }, { adopt: false })), /"acme".*\[setting-conflict\]/s);
      assert.equal(context.emulator.connections, 0);
      await context.applies(declare({ acme }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      assert.equal(context.emulator.groups.get("acme")?.name, "Acme");
      assert(await context.isUpToDate(declare({ acme })));
    },
  );
});
