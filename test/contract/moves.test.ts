/** Groups that change their resource: the rows of both tables about groups that are held or declared elsewhere. `small` combines them. */
import assert from "node:assert/strict";
import { groupsOf } from "../model/groups";
import { acme, behavior, beta, declareEach, declareMany, inModel, many, remapped, single } from "./contract";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const one = (args: object = acme, options = {}) => single("one", args, options);
const two = (args: object = acme) => single("two", args);
const rotated = { ...acme, keepers: { month: "2" } };

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

describe("contract: a rename by an alias", () => {
  behavior(
    "changes the state only, as the preview says",
    { drivers: ["provider", "engine"] },
    async (context) => {
      await context.applies([one()]);
      context.requests();
      const aliased = [single("two", acme, { aliases: ["one"] })];
      const { changes, warnings, infos } = await context.preview(aliased);
      assert.equal(changes["two"], "update");
      assert.match([...warnings, ...infos].join("\n"), /renamed|alias|another name/);
      await context.applies(aliased);
      assert.deepEqual(context.requests(), []);
      assert(await context.isUpToDate(aliased));
    },
  );
});

describe("contract: a move of a group", () => {
  for (const [what, before, after] of [
    ["a rename", [one()], [two()]],
    ["a move into UserGroups", [one()], declareMany({ acme })],
    ["a move out of UserGroups", declareMany({ acme }), [one()]],
  ] as const)
    behavior(`delete, "held with the same values": ${what} keeps the token`, {}, async (context) => {
      await context.applies(before);
      const token = context.token("acme");
      warns(
        await context.applies(after),
        /^user group "acme".*\[adopted\]$/m,
        /^user group "acme".*\[kept\]$/m,
      );
      assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
      assert.deepEqual(deletions(context), []);
      assert(await context.isUpToDate(after));
    });

  behavior("is announced where the previous resource gets another ID", inModel, async (context) => {
    await context.applies([one()]);
    const moved = [two(), single("one", { ...acme, userGroupId: "beta" }, { dependsOn: ["two"] })];
    const { infos } = await context.preview(moved);
    assert.match(infos.join(), /1 to move to another resource \("acme"\)/);
    warns(await context.applies(moved), /"acme".*\[kept\]/);
  });

  for (const [what, values, others] of [
    ["another mapping", remapped, { ...remapped, keepers: { month: "2" } }],
    ["keepers", rotated, { ...rotated, keepers: { month: "3" } }],
  ] as const)
    behavior(
      `delete, "held with other values": a conflict by ${what} ends with other keepers`,
      {},
      async (context) => {
        await context.applies([one()]);
        const token = context.token("acme");
        for (let runs = 0; runs < 2; runs += 1)
          fails(await context.up([two(values)]), /user group "acme".*keepers.*\[mapping-conflict\]/s);
        assert.deepEqual([deletions(context), context.token("acme")], [[], token]);
        await context.applies([two(others)]);
        assert.notEqual(context.token("acme"), token);
        await assertStatesAreTrue(context);
      },
    );

  behavior(
    'delete, "held by its creator": a conflict that is taken back',
    { ...inModel, existing: "update" },
    async (context) => {
      await context.applies([one()]);
      const token = context.token("acme");
      fails(await context.up([two(remapped)]), /\[mapping-conflict\]/);
      context.requests();
      await context.applies([one()]);
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      assert.equal((await context.resources()).length, 1);
      await assertStatesAreTrue(context);
    },
  );

  behavior('delete, "deleted before": two states, one DELETE', inModel, async (context) => {
    await context.applies([one()]);
    fails(await context.up([two(remapped)]), /\[mapping-conflict\]/);
    assert.equal((await context.resources()).length, 2);
    context.requests();
    succeeds(await context.destroy());
    assert.deepEqual(context.requests(), ["DELETE acme deleted"]);
  });

  behavior('delete, "held with the same values": of an import without mapping', inModel, async (context) => {
    await context.applies([one()]);
    await context.stack.rewrite((state) => state.replace(/"mapping":{[^}]*}/, '"unknown":["mapping"]'));
    await context.applies([two()]);
    assert.deepEqual(deletions(context), []);
  });

  behavior('delete, "replaced by a new group": nothing is deleted', inModel, async (context) => {
    await context.applies([one()]);
    context.emulator.removeGroup("acme");
    context.requests();
    await context.applies([two(remapped)]);
    assert.deepEqual(context.requests(), ["GET acme created"]);
    assert.equal((await context.resources()).length, 1);
    await assertStatesAreTrue(context);
  });

  behavior('delete, "replaced by a new group": by its own replacement', {}, async (context) => {
    await context.applies([one()]);
    context.emulator.rotateToken("acme");
    warns(succeeds(await context.up([one()], { replaces: ["one"] })), /\[adopted\]/);
    assert.deepEqual([deletions(context), (await context.resources()).length], [[], 1]);
    await assertStatesAreTrue(context);
  });

  behavior('delete, "held with another token": fails until a refresh', inModel, async (context) => {
    await context.applies([one()]);
    context.emulator.rotateToken("acme");
    fails(await context.up([two()]), /user group "acme".*pulumi refresh.*\[move-unconfirmed\]/s);
    assert.deepEqual(deletions(context), []);
    succeeds(await context.refresh());
    await context.applies([two()]);
    assert.equal((await context.resources()).length, 1);
    await assertStatesAreTrue(context);
  });

  behavior(
    'delete, "token of another ID": nothing is deleted',
    { ...inModel, newToken: (userGroupId) => `token-of-${userGroupId.toLowerCase()}` },
    async (context) => {
      const spellings = declareEach({ Acme: acme, acme });
      await context.applies(spellings);
      context.requests();
      fails(await context.up(spellings.slice(0, 1)), /user group "acme".*\[wrong-group\]/s);
      assert.deepEqual(context.requests(), []);
    },
  );

  const moved = [one(), many("tenants", { beta })];
  const retained = (groups: object) => many("tenants", groups, { removed: "retain" });
  for (const [what, before, after, code, engine] of [
    ["in the former state", [one()], [two()], "move-unconfirmed", "release"],
    ["in a UserGroups", [many("tenants", { acme, beta })], moved, "not-released", "never"],
    [
      'in a UserGroups with removed: "retain"',
      [retained({ acme, beta })],
      [one(), retained({ beta })],
      "not-released",
      "never",
    ],
  ] as const)
    behavior(
      `delete, "not got yet": it stays ${what} until the new resource has it`,
      { engine },
      async (context) => {
        await context.applies(before);
        const token = context.token("acme");
        context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
        const { errors, warnings } = await context.up(after, { continuesOnError: true });
        assert.match([errors, ...warnings].join("\n"), new RegExp(`user group "acme".*\\[${code}\\]`, "s"));
        assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
        for (let runs = 0; runs < 2; runs += 1) await context.applies(after);
        assert.equal((await context.group("acme"))?.token, token);
        assert(await context.isUpToDate(after));
      },
    );
});

describe("contract: a group that a UserGroups removes, and that is declared later", () => {
  behavior("is an error of the preview, which names dependsOn", {}, async (context) => {
    await context.applies([many("tenants", { acme, beta })]);
    const token = context.token("acme");
    fails(
      await context.preview([many("tenants", { beta }), one()]),
      /user group "acme".*dependsOn.*\[removed-elsewhere\]/s,
    );
    // A move is no deletion.
    const ordered = [one(), many("tenants", { beta }, { deletionLimit: 0 }, { dependsOn: ["one"] })];
    assert.doesNotMatch((await context.preview(ordered)).warnings.join("\n"), /to delete/);
    await context.applies(ordered);
    assert.equal((await context.group("acme"))?.token, token);
    assert(await context.isUpToDate(ordered));
  });

  behavior("stays if its declaration is invalid", inModel, async (context) => {
    await context.applies([many("tenants", { acme, beta })]);
    context.requests();
    const program = [many("tenants", { beta }), one({ ...acme, name: 7 })];
    const { errors } = await context.up(program, { isDeclaredFirst: true });
    assert.match(errors, /name/);
    assert.deepEqual(deletions(context), []);
  });

  // With --skip-preview, as docs/scale.md says.
  behavior("gets a new token if it was deleted before it is declared", inModel, async (context) => {
    await context.applies([many("tenants", { acme, beta })]);
    context.requests();
    await context.applies([many("tenants", { beta }), one()]);
    assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
    assert.equal((await context.group("acme"))?.token, context.token("acme"));
  });
});

describe("contract: a replacement whose deletion is skipped", () => {
  const reused = { ...inModel, newToken: (userGroupId: string) => `token-of-${userGroupId}` };
  behavior('create, "found": of a lost response, with the former token', reused, async (context) => {
    await context.applies([one()]);
    context.emulator.fault({ kind: "drop", when: "after", method: "GET" });
    await context.applies([one(remapped)]);
  });

  behavior('create, "not deleted": fails with retainOnDelete', inModel, async (context) => {
    const retained = (args: object) => [one(args, { retainOnDelete: true })];
    await context.applies(retained(acme));
    const token = context.token("acme");
    fails(await context.up(retained(remapped)), /"acme".*retainOnDelete.*\[replacement-retained\]/s);
    assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
    succeeds(await context.refresh());
    await context.applies(retained(acme));
    await assertStatesAreTrue(context);
    succeeds(await context.destroy());
    assert.equal(context.token("acme"), token);
  });
});
