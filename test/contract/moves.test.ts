/** Groups that change their resource: the rows of both tables about groups that are held or declared elsewhere. */
import assert from "node:assert/strict";
import { groupsOf } from "../model/groups";
import {
  acme,
  behavior,
  beta,
  bothInModel,
  declareEach,
  declareMany,
  inModel,
  many,
  remapped,
  renamed,
  single,
} from "./contract";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const one = (args: object = acme, options = {}) => single("one", args, options);
const two = (args: object = acme, options = {}) => single("two", args, options);
const retained = { retainOnDelete: true };

/** Each state has the token and the mapping that the service has. */
async function assertStatesAreTrue(context: StackContext): Promise<void> {
  for (const { userGroupId, token, mapping } of (await context.resources()).flatMap(groupsOf)) {
    const actual = context.emulator.groups.get(userGroupId);
    assert.deepEqual([token, mapping], [actual?.token, actual?.mapping], userGroupId);
  }
}

function deletions(context: StackContext): string[] {
  return context.requests().filter((line) => line.startsWith("DELETE"));
}

describe("contract: a move with the same values", () => {
  for (const [what, before, after, options] of [
    ["a rename", [one()], [two()], {}],
    ["a move into UserGroups", [one()], declareMany({ acme }), {}],
    ["a move out of UserGroups", declareMany({ acme }), [one()], {}],
    ["--replace", [one()], [one()], { replaces: ["one"] }],
    ["state taint", [one()], [one()], {}],
  ] as const)
    behavior(`delete, "held with the same values": ${what} keeps the token`, async (context) => {
      await context.applies(before);
      const token = context.token("acme");
      if (what === "state taint") await context.stack.taint("one");
      const { warnings } = await context.applies(after, options);
      assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
      assert.deepEqual(deletions(context), []);
      for (const code of ["adopted", "kept"])
        assert.match(warnings.join("\n"), new RegExp(`^user group "acme".*\\[${code}\\]$`, "m"));
      assert(await context.isUpToDate(after));
    });

  inModel("with another name records that of the service, which the next up repairs", async (context) => {
    await context.applies([one()]);
    const token = context.token("acme");
    const { warnings } = await context.applies([two(renamed)]);
    assert.match(warnings.join("\n"), /user group "acme".*name.*\[adopted-with-other-values\]/s);
    const { name, token: kept } = (await context.group("acme")) ?? {};
    assert.deepEqual([name, kept], ["Acme", token]);
    assert.match((await context.preview([two(renamed)])).warnings.join(), /"acme".*new token/s);
    await context.applies([two(renamed)]);
    assert.equal(context.emulator.groups.get("acme")?.name, "New");
    await assertStatesAreTrue(context);
  });
});

/** What conflicts: the former program, the failing one for the other values of a group, and the options of the command. */
const conflicts = [
  ["a rename", [one()], (args: object) => [two(args)], {}],
  ["a move into UserGroups", [one()], (args: object) => declareMany({ acme: args }), {}],
  [
    "a move out of UserGroups",
    declareMany({ acme, rest: beta }),
    (args: object) => [one(args), ...declareMany({ rest: beta })],
    {},
  ],
  ["--replace", [one()], (args: object) => [one(args)], { replaces: ["one"] }],
] as const;

describe("contract: a move with other values", () => {
  for (const existing of ["keep", "update"] as const)
    for (const [what, before, after, options] of conflicts)
      inModel(
        `delete, "held with other values": ${what} fails until keepers change, where groups ${existing}`,
        { existing, drivers: existing === "keep" ? ["provider", "plugin"] : ["provider"] },
        async (context) => {
          await context.applies(before);
          const token = context.token("acme");
          const program = after(remapped);
          const conflict = /user group "acme".*keepers.*\[mapping-conflict\]/s;
          fails(await context.up(program, options), conflict);
          fails(await context.up(program), conflict);
          assert.deepEqual([deletions(context), context.token("acme")], [[], token]);
          await context.applies(after({ ...remapped, keepers: { month: "2" } }));
          assert.notEqual(context.token("acme"), token);
          await assertStatesAreTrue(context);
        },
      );

  behavior("conflicts by other keepers, too", async (context) => {
    await context.applies([one()]);
    fails(await context.up([two({ ...acme, keepers: { month: "2" } })]), /"acme".*\[mapping-conflict\]/s);
    assert.deepEqual(deletions(context), []);
  });

  inModel("conflicts after an earlier move, too", async (context) => {
    await context.applies([one()]);
    await context.applies([two()]);
    const three = single("three", remapped);
    for (let runs = 0; runs < 2; runs += 1) fails(await context.up([three]), /"acme".*\[mapping-conflict\]/s);
    await context.applies([single("three", { ...remapped, keepers: { month: "2" } })]);
    await assertStatesAreTrue(context);
  });

  for (const existing of ["keep", "update"] as const)
    for (const [what, before, after, options] of conflicts.slice(0, 3))
      inModel(
        `delete, "held by its creator": ${what}, where groups ${existing}`,
        { existing, drivers: existing === "keep" ? ["provider", "plugin"] : ["provider"] },
        async (context) => {
          await context.applies(before);
          const token = context.token("acme");
          fails(await context.up(after(remapped), options), /\[mapping-conflict\]/);
          context.requests();
          await context.applies(before);
          assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
          assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
          assert.equal((await context.resources()).length, 1);
          await assertStatesAreTrue(context);
        },
      );

  inModel("with changes: update conflicts by keepers only", { existing: "update" }, async (context) => {
    Object.assign(context.settings, { changes: "update" });
    await context.applies([one()]);
    const token = context.token("acme");
    await context.applies([two(remapped)]);
    assert.equal(context.token("acme"), token);
    await assertStatesAreTrue(context);
    fails(await context.up([one({ ...remapped, keepers: { month: "2" } })]), /\[mapping-conflict\]/);
  });
});

describe("contract: a move of a group that is gone, or another one", () => {
  inModel('delete, "replaced by a new group": nothing is deleted', async (context) => {
    await context.applies([one()]);
    context.emulator.removeGroup("acme");
    context.requests();
    await context.applies([two(remapped)]);
    assert.deepEqual(context.requests(), ["GET acme created"]);
    assert.equal((await context.resources()).length, 1);
    await assertStatesAreTrue(context);
  });

  inModel('delete, "held with another token": fails until a refresh', async (context) => {
    await context.applies([one()]);
    context.emulator.rotateToken("acme");
    fails(await context.up([two()]), /user group "acme".*pulumi refresh/s);
    assert.deepEqual(deletions(context), []);
    succeeds(await context.refresh());
    await context.applies([two()]);
    assert.equal((await context.resources()).length, 1);
    await assertStatesAreTrue(context);
  });

  inModel(
    'delete, "token of another ID": nothing is deleted',
    { newToken: (userGroupId) => `token-of-${userGroupId.toLowerCase()}` },
    async (context) => {
      const spellings = declareEach({ Acme: acme, acme });
      await context.applies(spellings);
      context.requests();
      fails(await context.up(spellings.slice(0, 1)), /user group "acme".*\[wrong-group\]/s);
      assert.deepEqual(context.requests(), []);
    },
  );

  inModel(
    'delete, "deleted before": a destroy of two states of one group sends one DELETE',
    async (context) => {
      await context.applies([one()]);
      fails(await context.up([two(remapped)]), /\[mapping-conflict\]/);
      assert.equal((await context.resources()).length, 2);
      context.requests();
      succeeds(await context.destroy());
      assert.deepEqual(context.requests(), ["DELETE acme deleted"]);
    },
  );
});

describe("contract: a move whose new resource has no group", () => {
  behavior('delete, "not got yet": the former state keeps it', { engine: "release" }, async (context) => {
    await context.applies([one()]);
    const token = context.token("acme");
    context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
    fails(await context.up([two()], { continuesOnError: true }), /"acme".*\[move-unconfirmed\]/s);
    assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
    await context.applies([two()]);
    assert.equal(context.token("acme"), token);
    assert.equal((await context.resources()).length, 1);
  });

  inModel('delete, "not got yet": it stays in a UserGroups until the next up', async (context) => {
    await context.applies([many("tenants", { acme, beta })]);
    const token = context.token("acme");
    context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
    const program = [one(), many("tenants", { beta })];
    const options = { secondsBetween: 0.1, continuesOnError: true };
    warns(await context.up(program, options), /"acme" .*\[not-released\]/);
    context.emulator.clearFaults();
    for (let runs = 0; runs < 2; runs += 1) await context.up(program, options);
    assert.equal((await context.group("acme"))?.token, token);
    assert(await context.isUpToDate(program));
  });
});

describe("contract: a group that a UserGroups removes, and that is declared later", () => {
  const before = declareMany({ acme, beta });
  const later = (shared = {}, options = {}) => [many("tenants", { beta }, shared, options), one()];

  const program = [one(), many("tenants", { beta }, {}, { dependsOn: ["one"] })];

  behavior("is an error of the preview, which names dependsOn", async (context) => {
    await context.applies(before);
    const token = context.token("acme");
    fails(await context.preview(later()), /user group "acme".*dependsOn.*\[removed-elsewhere\]/s);
    await context.applies(program);
    assert.equal((await context.group("acme"))?.token, token);
    assert(await context.isUpToDate(program));
  });

  // On the engine, two resources that don't wait for each other may come in any order.
  inModel("is an error of up, and keeps its token whatever the pause", async (context) => {
    await context.applies(before);
    const token = context.token("acme");
    fails(await context.up(later(), { secondsBetween: 0.1 }), /\[removed-elsewhere\]/);
    assert.equal(context.token("acme"), token);
    await context.applies(program, { secondsBetween: 2.5 });
    assert.equal((await context.group("acme"))?.token, token);
  });

  // With --skip-preview, as docs/scale.md says.
  inModel("gets a new token if it was deleted before it is declared", async (context) => {
    await context.applies(before);
    const token = context.token("acme");
    await context.applies(later(), { secondsBetween: 2.5 });
    assert.deepEqual(context.requests().slice(-2), ["DELETE acme deleted", "GET acme created"]);
    assert.notEqual(context.token("acme"), token);
    assert(await context.isUpToDate(later()));
  });
});

describe("contract: a replacement whose deletion is skipped or has no effect", () => {
  for (const existing of ["keep", "update"] as const)
    inModel(
      `create, "not deleted": retainOnDelete fails, where groups ${existing}`,
      { existing },
      async (context) => {
        await context.applies([one(acme, retained)]);
        const token = context.token("acme");
        fails(
          await context.up([one(remapped, retained)]),
          /"acme".*retainOnDelete.*\[replacement-retained\]/s,
        );
        assert.equal((await context.group("acme"))?.token, token);
        assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
        succeeds(await context.refresh());
        await context.applies([one(acme, retained)]);
        await assertStatesAreTrue(context);
        succeeds(await context.destroy());
        assert.equal(context.token("acme"), token);
      },
    );

  bothInModel(
    'create, "not deleted": a deletion without effect fails each time',
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      const respond = () => ({ status: 200, headers: {}, body: '{"success":1}' });
      context.emulator.fault({ kind: "respond", method: "DELETE", when: "before", times: Infinity, respond });
      for (let runs = 0; runs < 2; runs += 1)
        fails(await context.up(declare({ acme: remapped })), /user group "acme".*\[replacement-retained\]/s);
      const { token, mapping } = (await context.group("acme")) ?? {};
      assert.deepEqual([token, mapping], [state?.token, state?.mapping]);
      context.emulator.clearFaults();
    },
  );
});
