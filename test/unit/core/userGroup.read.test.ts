import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { bodies, inWorld } from "../world";
import { acme, acmeSent, configure, create, itInEveryService, read } from "./oneGroup";

describe("UserGroup, read", () => {
  beforeEach(() => configure());

  for (const args of [
    { ...acme, dataSourceProvidedId: "warehouse", adopt: true },
    { userGroupId: "acme", name: "Acme" },
  ]) {
    itInEveryService(
      `leaves ${Object.keys(args).length} values as they are`,
      {},
      async ({ emulator, warnings }) => {
        const recorded = await create(args);
        assert.deepEqual(await read("acme", recorded), { outputs: recorded, inputs: args });
        const [created, asked] = bodies(emulator);
        assert.deepEqual(created, asked);
        assert.deepEqual(warnings, []);
      },
    );
  }

  itInEveryService("records another token", {}, async ({ emulator, warnings }) => {
    const recorded = await create(acme);
    const { token } = emulator.rotateToken("acme");
    assert.deepEqual(await read("acme", recorded), { outputs: { ...recorded, token }, inputs: acme });
    assert.notEqual(token, recorded["token"]);
    assert.deepEqual(warnings, []);
  });

  itInEveryService(
    "records another name and other properties as drift, where they are shown",
    {},
    async (world, way) => {
      const { emulator } = world;
      const recorded = await create(acme);
      emulator.putGroup({ userGroupId: "acme", name: "Theirs", properties: { region: "us" } });
      const isShown = way.existing === "keep" && way.answer === "stored";
      const drift = isShown ? { name: "Theirs", properties: { region: "us" } } : {};
      const { outputs, inputs } = await read("acme", recorded);
      assert.deepEqual(outputs, { ...recorded, ...drift });
      assert.deepEqual(inputs, { ...acme, ...drift });
    },
  );

  itInEveryService("sees no drift in properties that aren't shown", {}, async ({ emulator }) => {
    const recorded = await create(acme);
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    assert.deepEqual(await read("acme", recorded), { outputs: recorded, inputs: acme });
  });

  itInEveryService("sees drift in properties where there were none", {}, async ({ emulator }, way) => {
    const args = { userGroupId: "acme", name: "Acme" };
    const recorded = await create(args);
    emulator.putGroup({ ...args, properties: { region: "us" } });
    const isShown = way.existing === "keep" && way.answer === "stored";
    const drift = isShown ? { properties: { region: "us" } } : {};
    assert.deepEqual(await read("acme", recorded), {
      outputs: { ...recorded, ...drift },
      inputs: { ...args, ...drift },
    });
  });

  for (const wasThere of [true, false]) {
    itInEveryService(
      `makes a group again that is gone, which was ${wasThere ? "adopted" : "created"}`,
      {},
      async ({ emulator, warnings }) => {
        if (wasThere) emulator.putGroup(acme);
        const recorded = await create(acme);
        emulator.removeGroup("acme");
        const shown = warnings.length;
        const { outputs, inputs } = await read("acme", recorded);
        const token = emulator.groups.get("acme")?.token;
        assert.deepEqual(outputs, { ...recorded, token, adopted: false });
        assert.notEqual(token, recorded["token"]);
        assert.deepEqual(inputs, acme);
        assert.deepEqual(bodies(emulator).at(-1), { method: "GET", body: acmeSent });
        assert.deepEqual(emulator.groups.get("acme"), { ...acme, token, teamId: 2 });
        assert.deepEqual(warnings.slice(shown), [
          'warning: user group "acme" was gone; it has been created again and has a new token.\n',
        ]);
      },
    );
  }

  itInEveryService("looks up a group by its name alone", {}, async ({ emulator, warnings }, way) => {
    const { token } = emulator.putGroup(acme);
    const { outputs, inputs } = await read("acme", { name: "Acme", userGroupId: "acme" });
    const isShown = way.existing === "keep" && way.answer === "stored";
    const found = { userGroupId: "acme", name: "Acme", ...(isShown && { properties: acme.properties }) };
    assert.deepEqual([outputs, inputs], [{ ...found, token, adopted: true }, found]);
    assert.deepEqual(warnings, []);
  });

  it(
    "makes the group that it looks up where there is none, and warns",
    inWorld({}, async ({ emulator, warnings }) => {
      const { outputs } = await read("acme", { name: "Acme", properties: acme.properties });
      const { properties } = acme;
      const token = emulator.groups.get("acme")?.token;
      assert.deepEqual(outputs, { userGroupId: "acme", name: "Acme", properties, token, adopted: false });
      assert.match(warnings.join(), /user group "acme" was gone; it has been created again/);
    }),
  );

  it(
    "goes by the ID of the resource",
    inWorld({}, async ({ emulator }) => {
      const { outputs } = await read("acme", { userGroupId: "globex", name: "Acme" });
      assert.equal(outputs["userGroupId"], "acme");
      assert.deepEqual([...emulator.groups.keys()], ["acme"]);
    }),
  );

  it(
    "fails on a record that can't be used, and names the place",
    inWorld({}, async ({ emulator }) => {
      for (const [recorded, flaw] of [
        [{}, "name is required"],
        [{ name: "Acme", mapping: ["s3cret"] }, "mapping must be an object of schema id to data source"],
        [{ name: "Acme", token: "" }, "token must not be empty"],
      ] as const) {
        const { code, message } = await errorOf(read("acme", recorded));
        assert.equal(code, "record-invalid");
        assert(
          message.startsWith(`The state of user group "acme" can't be used: its ${flaw}. Import `),
          message,
        );
      }
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "fails where the service does, and doesn't take the group for gone",
    inWorld({}, async ({ emulator }) => {
      const recorded = await create(acme);
      for (const [status, code] of [
        [404, "not-found"],
        [403, "unauthorized"],
        [418, "unexpected-status"],
      ] as const) {
        emulator.fault({ kind: "status", status });
        assert.equal((await errorOf(read("acme", recorded))).code, code);
      }
      emulator.fault({ kind: "refuse", status: 404 });
      assert.equal((await errorOf(read("acme", recorded))).code, "service-refused");
    }),
  );
});
