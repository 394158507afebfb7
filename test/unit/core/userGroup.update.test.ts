import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { bodies, inWorld } from "../world";
import { acme, acmeSent, configure, itInEveryService, update } from "./oneGroup";

const env = { USER_GROUPS_CHANGES: "update" };

describe("UserGroup, update: of the record", () => {
  beforeEach(() => configure());

  for (const changes of ["replace", "update"]) {
    it(
      `makes no request, with changes: ${changes}`,
      inWorld({ env: { USER_GROUPS_CHANGES: changes } }, async ({ emulator, warnings }) => {
        const recorded = {
          ...acme,
          dataSourceProvidedId: "warehouse",
          adopt: true,
          token: "t0ken",
          adopted: true,
        };
        for (const args of [
          { ...acme, dataSourceProvidedId: "lake", adopt: false },
          { ...acme, mapping: { finance: 7, sales: "warehouse" } },
        ])
          assert.deepEqual(await update(recorded, args), { ...args, token: "t0ken", adopted: true });
        assert.equal(emulator.connections, 0);
        assert.deepEqual(warnings, []);
      }),
    );
  }

  it(
    "needs no settings",
    inWorld({ env: { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" } }, async () => {
      const recorded = { ...acme, token: "t0ken", adopted: false };
      const outs = await update(recorded, { ...acme, adopt: false });
      assert.deepEqual(outs, { ...acme, adopt: false, token: "t0ken", adopted: false });
    }),
  );
});

describe("UserGroup, update: in place", () => {
  beforeEach(() => configure());

  itInEveryService(
    "sends the new values, and fails where the answer shows the old ones",
    { env },
    async (world, way) => {
      const { emulator, warnings } = world;
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      const args = { ...acme, name: "Acme Ltd", properties: { region: "us" } };
      if (way.existing === "keep" && way.answer === "stored") {
        const { code, message } = await errorOf(update(recorded, args));
        assert.equal(code, "update-not-applied");
        assert.match(
          message,
          /^Cannot update user group "acme": the service still shows another name and other properties\. The record is as/,
        );
      } else
        assert.deepEqual(await update(recorded, args), { ...args, token: recorded.token, adopted: false });
      const { name, properties } = args;
      assert.deepEqual(bodies(emulator), [{ method: "GET", body: { ...acmeSent, name, properties } }]);
      assert.equal(emulator.groups.get("acme")?.name, way.existing === "keep" ? "Acme" : "Acme Ltd");
      assert.deepEqual(warnings, []);
    },
  );

  itInEveryService(
    "fails for a name or properties alone that are shown as they were",
    { env },
    async (world, way) => {
      if (way.existing === "update" || way.answer === "requested") return;
      const { emulator } = world;
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      const cases: [change: object, shown: string][] = [
        [{ name: "B" }, "another name"],
        [{ properties: { region: "us" } }, "other properties"],
        [{ properties: undefined }, "other properties"],
        [{ properties: {} }, "other properties"],
      ];
      for (const [change, shown] of cases) {
        const { message } = await errorOf(update(recorded, { ...acme, ...change }));
        assert(message.includes(`the service still shows ${shown}. The record is as it was.`), message);
      }
    },
  );

  itInEveryService(
    "warns that a change of mapping can't be confirmed",
    { env },
    async ({ emulator, warnings }, way) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: true };
      const args = { ...acme, mapping: { sales: "lake" } };
      assert.deepEqual(await update(recorded, args), { ...args, token: recorded.token, adopted: true });
      assert.deepEqual(bodies(emulator), [{ method: "GET", body: { ...acmeSent, mapping: args.mapping } }]);
      const stored = way.existing === "keep" ? acme.mapping : args.mapping;
      assert.deepEqual(emulator.groups.get("acme")?.mapping, stored);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /user group "acme" .* mapping .*can't be confirmed/);
    },
  );

  itInEveryService("takes arguments away", { env }, async ({ emulator }, way) => {
    if (way.existing === "keep") return;
    const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
    const args = { userGroupId: "acme", name: "Acme" };
    assert.deepEqual(await update(recorded, args), { ...args, token: recorded.token, adopted: false });
    assert.deepEqual(emulator.groups.get("acme"), { ...args, token: recorded.token, teamId: 1 });
  });

  itInEveryService("makes a group again that is gone, and warns", { env }, async ({ emulator, warnings }) => {
    const recorded = { ...acme, token: "gone", adopted: true };
    const args = { ...acme, name: "B", mapping: {} };
    const outs = await update(recorded, args);
    assert.deepEqual(outs, { ...args, token: emulator.groups.get("acme")?.token, adopted: false });
    assert.deepEqual(warnings, [
      'warning: user group "acme" was gone; it has been created again and has a new token.\n',
    ]);
  });

  it(
    "records another token",
    inWorld({ env, existing: "update" }, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      const args = { ...acme, name: "B" };
      const outs = await update({ ...acme, token: "old", adopted: false }, args);
      assert.deepEqual(outs, { ...args, token, adopted: false });
    }),
  );

  it(
    "fails on arguments that weren't known in the preview, or a record, that can't be used",
    inWorld({ env }, async ({ emulator }) => {
      const recorded = { ...acme, token: "t0ken", adopted: false };
      assert.equal((await errorOf(update(recorded, { ...acme, name: "" }))).code, "argument-invalid");
      assert.equal((await errorOf(update({ ...recorded, token: "" }, acme))).code, "record-invalid");
      const { message } = await errorOf(update(acme, acme));
      assert.match(message, /^The state of user group "acme" can't be used: its token is required\./);
      assert.equal(emulator.connections, 0);
    }),
  );
});
