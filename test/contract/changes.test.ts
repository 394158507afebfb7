/** Changes of a group's arguments, which recreate it, or update it with `changes: update`. */
import assert from "node:assert/strict";
import { acme, acmeSent, both, everyService, inModel, remapped, returnsStored } from "./contract";
import { fails, warns } from "./stackContext";

describe("contract: changes", () => {
  for (const [what, change] of Object.entries({
    name: { name: "New" },
    mapping: { mapping: { sales: "two" } },
    properties: { properties: { region: "us" } },
    keepers: { keepers: { month: "2" } },
  }))
    both(
      `of ${what} recreate the group, as the preview says`,
      what === "mapping" ? {} : inModel,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        const former = context.token("acme");
        context.requests();
        const values = { ...acme, ...change };
        const program = declare({ acme: values });
        const { changes, warnings } = await context.preview(program);
        assert.match(JSON.stringify(changes), /replace|update/);
        assert.match(warnings.join(), /"acme".* new token|new token \("acme"/);
        await context.applies(program);
        assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
        assert.notEqual(context.token("acme"), former);
        assert.equal((await context.group("acme"))?.token, context.token("acme"));
        const { name, mapping, properties } = context.emulator.groups.get("acme") ?? {};
        assert.deepEqual({ ...values, name, mapping, properties }, values);
      },
    );

  both("of dataSourceProvidedId and adopt change the state only", {}, async (context, declare) => {
    await context.applies(declare({ acme }));
    context.requests();
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }, { adopt: false }));
    assert.deepEqual(context.requests(), []);
    assert.match(JSON.stringify(await context.resources()), /"dataSourceProvidedId":"one"/);
  });

  both("between {}, null and unset are none", { engine: "release" }, async (context, declare) => {
    const keepers = { month: "1" };
    await context.applies(declare({ acme: { name: "Acme", mapping: {}, properties: null, keepers } }));
    assert.deepEqual(context.bodies(), [{ user_group_id: "acme", name: "Acme" }]);
    context.requests();
    await context.applies(declare({ acme: { name: "Acme", properties: {}, keepers } }));
    assert.deepEqual(context.requests(), []);
  });
});

const settings = { changes: "update" };

describe("contract: changes with changes: update", () => {
  both(
    "keep the token, except those of keepers",
    { existing: "update", settings },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.requests();
      warns(
        await context.applies(declare({ acme: { name: "New", mapping: { sales: "two" } } })),
        /^user group "acme" .*\[mapping-not-verified\]/ms,
      );
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      const { name, properties } = context.emulator.groups.get("acme") ?? {};
      assert.deepEqual([name, properties], ["New", undefined]);
      const rotated = { name: "New", mapping: { sales: "two" }, keepers: { month: "2" } };
      await context.applies(declare({ acme: rotated }));
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
      assert.notEqual(context.token("acme"), token);
    },
  );

  both(
    "fail on a service that still returns the former values",
    { ...inModel, settings, services: everyService },
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      context.requests();
      const changed = { name: "New", properties: { region: "us" } };
      const { errors, warnings } = await context.up(declare({ acme: { ...acme, ...changed } }));
      const message = /user group "acme".*name and properties.*\[update-not-applied\]/s;
      assert.match(errors, returnsStored(service) ? message : /^$/);
      assert.deepEqual(context.bodies(), [{ ...acmeSent, ...changed }]);
      assert.deepEqual(warnings, []);
      const expected = returnsStored(service) ? state : { ...state, ...changed };
      assert.deepEqual(await context.group("acme"), expected);
    },
  );

  const html = { kind: "status", status: 403, body: "<html>", when: "after" } as const;
  for (const [what, next, requests, fault] of [
    ["the former program", acme, /^GET acme updated$/, undefined],
    ["the former program, after a 403 with HTML", acme, /^GET acme updated$/, html],
    [
      "other keepers",
      { ...remapped, keepers: { month: "2" } },
      /DELETE acme deleted,GET acme created$/,
      undefined,
    ],
  ] as const)
    both(
      `create, "own group": a doubt after lost responses is ended by ${what}`,
      { ...inModel, existing: "update", settings },
      async (context, declare) => {
        await context.applies(declare({ acme }));
        if (fault) context.emulator.fault(fault);
        else context.loseResponses();
        fails(await context.up(declare({ acme: remapped })), /user group "acme"/);
        assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
        context.heal();
        await context.applies(declare({ acme: next }));
        assert.match(context.requests().join(), requests);
        assert.deepEqual(context.emulator.groups.get("acme")?.mapping, next.mapping);
        assert.deepEqual((await context.group("acme"))?.mapping, next.mapping);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
      },
    );

  both(
    "don't go with adopt: false",
    { ...inModel, existing: "update", settings },
    async (context, declare) => {
      const { errors } = await context.up(declare({ acme }, { adopt: false }));
      assert.match(errors, /user group "acme".*\[setting-conflict\]/s);
      assert.equal(context.emulator.connections, 0);
    },
  );
});
