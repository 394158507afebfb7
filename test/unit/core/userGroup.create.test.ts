import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { bodies, inWorld } from "../world";
import { acme, acmeSent, configure, create, itInEveryService } from "./oneGroup";

const theirs = { userGroupId: "acme", name: "Theirs", properties: { region: "us" } };

describe("UserGroup, create", () => {
  beforeEach(() => configure());

  itInEveryService("creates a group that isn't there", {}, async ({ emulator, warnings }) => {
    const args = { ...acme, dataSourceProvidedId: "warehouse", adopt: false };
    const outs = await create(args);
    const token = emulator.groups.get("acme")?.token;
    assert.deepEqual(outs, { ...args, token, adopted: false });
    assert.deepEqual(bodies(emulator), [{ method: "GET", body: acmeSent }]);
    assert.deepEqual(emulator.groups.get("acme"), { ...acme, token, teamId: 1 });
    assert.deepEqual(warnings, []);
  });

  itInEveryService(
    "records no more than it was given of a group without extras",
    {},
    async ({ emulator }) => {
      const args = { userGroupId: "acme", name: "Acme" };
      const outs = await create(args);
      assert.deepEqual(outs, { ...args, token: emulator.groups.get("acme")?.token, adopted: false });
      assert.deepEqual(bodies(emulator), [{ method: "GET", body: { user_group_id: "acme", name: "Acme" } }]);
    },
  );

  for (const adopt of [true, false]) {
    itInEveryService(
      `has created what a lost answer hides, with adopt ${adopt}`,
      {},
      async ({ emulator, warnings }) => {
        emulator.fault({ kind: "loseAnswer", when: "after" });
        const outs = await create({ ...acme, adopt });
        assert.deepEqual(outs, { ...acme, adopt, token: emulator.groups.get("acme")?.token, adopted: false });
        assert.deepEqual(
          emulator.requests.map(({ newUserGroup }) => newUserGroup),
          [true, false],
        );
        assert.equal(warnings.length, 1);
        assert.match(
          warnings[0] ?? "",
          /user group "acme" was there when a request whose answer was lost was repeated/,
        );
      },
    );
  }

  it(
    "creates after attempts that were not carried out",
    inWorld({}, async ({ emulator, warnings }) => {
      emulator.fault({ kind: "status", status: 503, times: 2 });
      emulator.fault({ kind: "status", status: 429 });
      const { adopted } = await create({ ...acme, adopt: false });
      assert.equal(adopted, false);
      assert.equal(emulator.requests.length, 4);
      assert.deepEqual(warnings, []);
    }),
  );

  it(
    "records what the service made of its values, and warns",
    inWorld({}, async ({ emulator, warnings }) => {
      emulator.fault({ kind: "field", field: "user_group.name", value: "ACME" });
      const outs = await create(acme);
      assert.deepEqual(outs, {
        ...acme,
        name: "ACME",
        token: emulator.groups.get("acme")?.token,
        adopted: false,
      });
      assert.match(warnings[0] ?? "", /user group "acme" was created with another name or other properties/);
    }),
  );

  it(
    "takes empty properties for none",
    inWorld({}, async ({ emulator, warnings }) => {
      const args = { userGroupId: "acme", name: "Acme" };
      emulator.fault({ kind: "field", field: "user_group.properties", value: {} });
      assert.deepEqual(await create(args), {
        ...args,
        token: emulator.groups.get("acme")?.token,
        adopted: false,
      });
      assert.deepEqual(warnings, []);
    }),
  );

  it(
    "refuses arguments that weren't known in the preview and are wrong",
    inWorld({}, async ({ emulator }) => {
      const { code, message } = await errorOf(create({ ...acme, mapping: { sales: { s3cret: 1 } } }));
      assert.equal(code, "argument-invalid");
      assert.equal(message, "The argument mapping.sales must be a string or a number. [argument-invalid]");
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "needs settings",
    inWorld({ env: { USER_GROUPS_API_TOKEN: "" } }, async ({ emulator }) => {
      const { code } = await errorOf(create(acme));
      assert.equal(code, "setting-missing");
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "tells no secret in what it warns of, and none in what it fails with",
    inWorld({}, async ({ emulator, warnings }) => {
      const { token } = emulator.putGroup(theirs);
      await create({ ...acme, properties: { key: "s3cret" } });
      emulator.fault({ kind: "refuse" });
      const { message } = await errorOf(create({ ...acme, properties: { key: "s3cret" } }));
      for (const secret of ["s3cret", token, emulator.apiToken])
        assert(!`${warnings.join()}${message}`.includes(secret));
    }),
  );
});
