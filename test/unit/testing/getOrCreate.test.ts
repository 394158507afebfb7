import assert from "node:assert/strict";
import { getOrCreate, withEmulator } from "./world";

const acme = { user_group_id: "acme", name: "Acme" };

describe("emulator: get-or-create", () => {
  it("creates a group that isn't there and answers with all the interface names", () =>
    withEmulator({}, async (emulator) => {
      const body = {
        ...acme,
        mapping: { sales: "ds-1", stock: 7 },
        properties: { plan: { seats: [1, null] } },
      };
      const answer = await getOrCreate(emulator, body);

      const group = emulator.groups.get("acme");
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["content-type"], "application/json");
      assert.deepEqual(answer.json, {
        success: 1,
        new_user_group: true,
        user_group: {
          team_id: 1,
          token: group?.token,
          name: "Acme",
          provided_id: "acme",
          properties: { plan: { seats: [1, null] } },
        },
      });
      assert.deepEqual(group, {
        userGroupId: "acme",
        name: "Acme",
        mapping: body.mapping,
        properties: body.properties,
        token: group?.token,
        teamId: 1,
      });
    }));

  it("returns a group that is there, with the token it has", () =>
    withEmulator({}, async (emulator) => {
      const { token, teamId } = emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      const answer = await getOrCreate(emulator, acme);
      assert.deepEqual(answer.json, {
        success: 1,
        new_user_group: false,
        user_group: { team_id: teamId, token, name: "Acme", provided_id: "acme" },
      });
    }));

  it("stores and shows values as `normalize` returns them", () =>
    withEmulator(
      {
        normalize: ({ name, ...values }) => ({ ...values, name: name.trim(), properties: { plan: "free" } }),
      },
      async (emulator) => {
        const answer = await getOrCreate(emulator, { ...acme, name: " Acme " });
        assert.deepEqual(answer.json, {
          success: 1,
          new_user_group: true,
          user_group: {
            team_id: 1,
            token: emulator.groups.get("acme")?.token,
            name: "Acme",
            provided_id: "acme",
            properties: { plan: "free" },
          },
        });
      },
    ));

  it("gives every group a token of its own, and another when it is created again", () =>
    withEmulator({}, async (emulator) => {
      await getOrCreate(emulator, acme);
      await getOrCreate(emulator, { ...acme, user_group_id: "bolt" });
      const tokens = [...emulator.groups.values()].map(({ token }) => token);
      emulator.removeGroup("acme");
      await getOrCreate(emulator, acme);
      tokens.push(emulator.groups.get("acme")?.token ?? "");
      assert.equal(new Set(tokens).size, 3);
    }));

  it("keeps the values of a group that is there by default", () =>
    withEmulator({}, async (emulator) => {
      const before = emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { sales: 1 } });
      const answer = await getOrCreate(emulator, { ...acme, name: "Theirs", properties: { a: 1 } });
      assert.match(answer.text, /"name":"Acme"/);
      assert.deepEqual(emulator.groups.get("acme"), before);
    }));

  it("updates them where told to, and clears those not sent", () =>
    withEmulator({ existing: "update" }, async (emulator) => {
      const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { sales: 1 } });
      await getOrCreate(emulator, { ...acme, name: "Theirs", properties: { a: 1 } });
      assert.deepEqual(emulator.groups.get("acme"), {
        userGroupId: "acme",
        name: "Theirs",
        properties: { a: 1 },
        token,
        teamId: 1,
      });
      assert.equal(emulator.requests[0]?.effect, "updated");
    }));

  it("can answer what was requested while it stores something else", () =>
    withEmulator({ response: "requested" }, async (emulator) => {
      emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { a: 1 } });
      const answer = await getOrCreate(emulator, { ...acme, name: "Mine", properties: { b: 2 } });
      assert.match(answer.text, /"name":"Mine","provided_id":"acme","properties":\{"b":2\}/);
      assert.equal(emulator.groups.get("acme")?.name, "Acme");
    }));

  it("can show missing properties as null", () =>
    withEmulator({ emptyProperties: "null" }, async (emulator) => {
      assert.match((await getOrCreate(emulator, acme)).text, /"properties":null/);
    }));

  it("stores and shows properties to the letter", () =>
    withEmulator({}, async (emulator) => {
      const text = '{"__proto__":{"a":1},"constructor":null,"":[],"ü":"\\u2028"}';
      const properties: unknown = JSON.parse(text);
      const answer = await getOrCreate(emulator, { ...acme, properties });
      assert.ok(answer.text.includes(JSON.stringify(properties)), answer.text);
    }));

  for (const [fault, body] of Object.entries({
    "no user_group_id": { name: "Acme" },
    "an empty user_group_id": { ...acme, user_group_id: "" },
    "no name": { user_group_id: "acme" },
    "an empty name": { ...acme, name: "" },
    "a name that is no string": { ...acme, name: 1 },
    "a mapping that is a list": { ...acme, mapping: ["ds-1"] },
    "a mapping to an object": { ...acme, mapping: { sales: {} } },
    "properties that are no object": { ...acme, properties: "plan" },
    "a body that is a list": [acme],
  })) {
    it(`refuses ${fault}`, () =>
      withEmulator({}, async (emulator) => {
        const answer = await getOrCreate(emulator, body);
        assert.deepEqual([answer.status, answer.json], [200, { success: 0 }]);
        assert.equal(emulator.groups.size, 0);
      }));
  }
});
