/** Groups that change their resource: the rows of both tables about groups that are held or declared elsewhere. `histories` combines them. */
import assert from "node:assert/strict";
import { withoutEffect } from "../support/harness/responseFaults";
import { groupsOf, hasGroups } from "../support/model/groups";
import type { Declared } from "../support/model/resources";
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
    ["a move of a whole UserGroups", declareMany({ acme }), [one()]],
  ] as const)
    behavior(`delete, "leaves": ${what} keeps the token`, {}, async (context) => {
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

  for (const isDeclaredFirst of [true, false])
    behavior(
      `is announced as possible where the previous resource gets another ID (first: ${isDeclaredFirst})`,
      inModel,
      async (context) => {
        await context.applies([one()]);
        const other = single("one", { ...acme, userGroupId: "beta" });
        const moved = isDeclaredFirst ? [two(), other] : [other, two()];
        const { warnings } = await context.preview(moved);
        assert.match(
          warnings.join(),
          /1 to delete, unless another resource of the program declares .*\("acme"\)/,
        );
        warns(await context.applies(moved), /"acme".*\[kept\]/);
      },
    );

  for (const [what, values, others] of [
    ["another mapping", remapped, { ...remapped, keepers: { month: "2" } }],
    ["keepers", rotated, { ...rotated, keepers: { month: "3" } }],
  ] as const)
    behavior(
      `delete, "mapping-conflict": a conflict by ${what} ends with other keepers`,
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
    'delete, "mapping-conflict": is taken back by removing the resource that leaves from the state',
    inModel,
    async (context) => {
      await context.applies([one()]);
      const token = context.token("acme");
      fails(await context.up([two(remapped)]), /\[mapping-conflict\]/);
      fails(await context.up([one()]), /pulumi state delete.*\[mapping-conflict\]/s);
      await context.stack.forget("two");
      assert(await context.isUpToDate([one()]));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      await assertStatesAreTrue(context);
    },
  );

  behavior(
    'delete, "mapping-conflict": names the replacement of the same resource',
    inModel,
    async (context) => {
      await context.applies([one()]);
      const run = await context.up([single("one", remapped)], { replaces: ["one"] });
      fails(run, /"acme": the replacement of resource "one" of this program has it .*\[mapping-conflict\]/s);
    },
  );

  behavior('delete, "nothing": two states, one DELETE', inModel, async (context) => {
    await context.applies([one()]);
    fails(await context.up([two(remapped)]), /\[mapping-conflict\]/);
    assert.equal((await context.resources()).length, 2);
    context.requests();
    succeeds(await context.destroy());
    assert.deepEqual(context.requests(), ["DELETE acme deleted"]);
  });

  behavior('delete, "leaves": an import without mapping contradicts nothing', inModel, async (context) => {
    await context.applies([one()]);
    await context.stack.rewrite((state) =>
      state
        .replace(/"mapping":{[^}]*},/, "")
        .replace('"internal":{', '"internal":{"groups":{"acme":{"notImported":["mapping"]}},'),
    );
    await context.applies([two()]);
    assert.deepEqual(deletions(context), []);
  });

  behavior('delete, "nothing": its ID is that of a new group', inModel, async (context) => {
    await context.applies([one()]);
    context.emulator.removeGroup("acme");
    context.requests();
    await context.applies([two(remapped)]);
    assert.deepEqual(context.requests(), ["GET acme created"]);
    assert.equal((await context.resources()).length, 1);
    await assertStatesAreTrue(context);
  });

  behavior('delete, "nothing": its ID is that of its own replacement', {}, async (context) => {
    await context.applies([one()]);
    context.emulator.rotateToken("acme");
    warns(succeeds(await context.up([one()], { replaces: ["one"] })), /\[adopted\]/);
    assert.deepEqual([deletions(context), (await context.resources()).length], [[], 1]);
    await assertStatesAreTrue(context);
  });

  behavior(
    'delete, "move-unconfirmed": held with another token, until a refresh',
    inModel,
    async (context) => {
      await context.applies([one()]);
      context.emulator.rotateToken("acme");
      fails(await context.up([two()]), /user group "acme".*pulumi refresh.*\[move-unconfirmed\]/s);
      assert.deepEqual(deletions(context), []);
      succeeds(await context.refresh());
      await context.applies([two()]);
      assert.equal((await context.resources()).length, 1);
      await assertStatesAreTrue(context);
    },
  );

  behavior(
    'delete, "wrong-group": nothing is deleted',
    { ...inModel, newToken: (userGroupId) => `token-of-${userGroupId.toLowerCase()}` },
    async (context) => {
      const spellings = declareEach({ Acme: acme, acme });
      await context.applies(spellings);
      context.requests();
      fails(await context.up(spellings.slice(0, 1)), /user group "acme".*\[wrong-group\]/s);
      assert.deepEqual(context.requests(), []);
    },
  );

  behavior(
    'delete, "move-unconfirmed": it stays in the former state until the new resource has it',
    { engine: "release" },
    async (context) => {
      await context.applies([one()]);
      const token = context.token("acme");
      context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
      const { errors } = await context.up([two()], { continuesOnError: true });
      assert.match(errors, /user group "acme".*\[move-unconfirmed\]/s);
      assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
      for (let runs = 0; runs < 2; runs += 1) await context.applies([two()]);
      assert.equal((await context.group("acme"))?.token, token);
      assert(await context.isUpToDate([two()]));
    },
  );
});

const tenants = (groups: object, shared: object = {}) => many("tenants", groups, shared);
const retains = { removed: "retain" };

describe("contract: a move out of a UserGroups that stays", () => {
  for (const [order, inOrder] of [
    ["first", (source: Declared, target: Declared) => [source, target]],
    ["last", (source: Declared, target: Declared) => [target, source]],
    [
      "last, after the other",
      (source: Declared, target: Declared) => [target, { ...source, dependsOn: ["one"] }],
    ],
    [
      "first, before the other",
      (source: Declared, target: Declared) => [source, { ...target, dependsOn: ["tenants"] }],
    ],
  ] as const) {
    behavior(
      `is refused, and with removed: "retain" keeps the token: declared ${order}`,
      {},
      async (context) => {
        await context.applies([tenants({ acme, beta })]);
        const token = context.token("acme");
        context.requests();
        const refused = inOrder(tenants({ beta }), one());
        const why = /user group "acme".*removed: "retain".*\[removed-elsewhere\]/s;
        fails(await context.preview(refused), why);
        await context.applies([tenants({ acme, beta }, { deletionLimit: 0, ...retains })]);
        assert.deepEqual(context.requests(), []);
        const moved = inOrder(tenants({ beta }, { deletionLimit: 0, ...retains }), one());
        await context.applies(moved);
        assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
        assert.deepEqual(deletions(context), []);
        assert(await context.isUpToDate(moved));
      },
    );

    for (const [what, other] of [
      ["another mapping", one(remapped)],
      ["other keepers", one(rotated)],
      ["overlap", one({ ...acme, overlap: true })],
    ] as const)
      behavior(
        `is refused with ${what} in the same up, twice: declared ${order}`,
        inModel,
        async (context) => {
          await context.applies([tenants({ acme, beta })]);
          const token = context.token("acme");
          context.requests();
          for (let runs = 0; runs < 2; runs += 1) {
            const changed = inOrder(tenants({ beta }, retains), other);
            fails(await context.preview(changed), /user group "acme".*\[mapping-conflict\]/s);
          }
          assert.deepEqual(context.requests(), []);
          assert.deepEqual([context.token("acme"), (await context.group("acme"))?.token], [token, token]);
        },
      );
  }

  for (const order of ["first", "last"])
    behavior(
      `is refused in the preview also if groups isn't known yet: declared ${order}`,
      inModel,
      async (context) => {
        const base = (userGroupId: string): Declared => {
          return { name: "base", provider: "userGroup", args: { userGroupId, name: "Base" } };
        };
        await context.applies([base("base"), tenants({ acme, beta })]);
        const source = { ...tenants({ beta }), valuesFrom: { groups: "base" } };
        const moved = order === "first" ? [source, one()] : [one(), source];
        const why = /user group "acme".*removed: "retain".*\[removed-elsewhere\]/s;
        fails(await context.preview([base("other"), ...moved]), why);
      },
    );

  behavior("stays if its declaration is invalid", inModel, async (context) => {
    await context.applies([tenants({ acme, beta })]);
    context.requests();
    const program = [tenants({ beta }), one({ ...acme, name: 7 })];
    const { errors } = await context.up(program, { isDeclaredFirst: true });
    assert.match(errors, /name/);
    assert.deepEqual(deletions(context), []);
  });

  behavior("is finished by retain if both resources have the group", inModel, async (context) => {
    await context.applies([tenants({ acme, beta })]);
    const token = context.token("acme");
    // With --skip-preview, the new resource may adopt the group before the other one is compared.
    fails(await context.up([one(), tenants({ beta })]), /\[removed-elsewhere\]/);
    fails(await context.up([one(), tenants({ beta })]), /\[removed-elsewhere\]/);
    await context.applies([one(), tenants({ beta }, retains)]);
    assert.equal((await context.group("acme"))?.token, token);
    assert.deepEqual(deletions(context), []);
  });

  // With --skip-preview, as docs/scale.md says.
  behavior("gets a new token if it was deleted before it is declared", inModel, async (context) => {
    await context.applies([tenants({ acme, beta })]);
    context.requests();
    await context.applies([tenants({ beta }), one()]);
    assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
    assert.equal((await context.group("acme"))?.token, context.token("acme"));
  });
});

describe("contract: a replacement whose deletion is skipped", () => {
  const reused = { ...inModel, newToken: (userGroupId: string) => `token-of-${userGroupId}` };
  behavior(
    'create, "still-shown": a lost response with the former token is refused',
    reused,
    async (context) => {
      await context.applies([one()]);
      context.emulator.fault({ kind: "drop", when: "after", method: "GET" });
      fails(await context.up([one(remapped)]), /"acme".*still shows.*may exist now.*\[timed-out\]/s);
      assert.equal(context.emulator.groups.size, 1);
    },
  );

  for (const [times, code] of [
    [2, undefined],
    [Infinity, "timed-out"],
  ] as const)
    behavior(
      `create, "still-shown": a service whose reads lag ${times} times never gives the deleted token`,
      inModel,
      async (context) => {
        await context.applies([one()]);
        const token = context.token("acme");
        const user_group = { token, name: "Acme", provided_id: "acme" };
        const shown = JSON.stringify({ success: 1, new_user_group: false, user_group });
        context.emulator.fault({ ...withoutEffect(shown), method: "GET", times });
        const run = await context.up([one(remapped)]);
        if (code === undefined) succeeds(run);
        else fails(run, /"acme".*still shows.*\[timed-out\]/s);
        const held = (await context.resources()).filter(hasGroups).flatMap(groupsOf);
        assert(held.every((group) => group.token !== token));
        context.heal();
        await context.applies([one(remapped)]);
        assert.deepEqual((await context.group("acme"))?.token, context.token("acme"));
      },
    );

  behavior('create, "replacement-retained": fails with retainOnDelete', inModel, async (context) => {
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
