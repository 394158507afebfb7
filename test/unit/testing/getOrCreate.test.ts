import assert from "node:assert/strict";
import { emulatorTest } from "../../harness/emulatorTest";
import { send } from "./rawRequest";

const acme = { user_group_id: "acme", name: "Acme" };
const theirs = { userGroupId: "acme", name: "Theirs", mapping: { sales: 1 } };

describe("emulator: get-or-create", () => {
  emulatorTest("creates a group, and returns it with the interface's names", {}, async (emulator) => {
    const mapping = { sales: "ds-1", stock: 7 };
    const properties = { plan: { seats: [1, null] } };
    const body = { ...acme, mapping, properties };
    const { status, headers, text } = await send(emulator, { body });
    const group = emulator.groups.get("acme");
    const { token } = group ?? {};
    assert.deepEqual([status, headers["content-type"]], [200, "application/json"]);
    assert.deepEqual(JSON.parse(text), {
      success: 1,
      new_user_group: true,
      user_group: { team_id: 1, token, name: "Acme", provided_id: "acme", properties },
    });
    assert.deepEqual(group, { userGroupId: "acme", name: "Acme", mapping, properties, token, teamId: 1 });
  });

  emulatorTest("returns a group that exists as it is, by default", {}, async (emulator) => {
    const group = emulator.putGroup(theirs);
    const { text } = await send(emulator, { body: { ...acme, properties: { a: 1 } } });
    assert.deepEqual(JSON.parse(text), {
      success: 1,
      new_user_group: false,
      user_group: { team_id: group.teamId, token: group.token, name: "Theirs", provided_id: "acme" },
    });
    assert.deepEqual(emulator.groups.get("acme"), group);
  });

  emulatorTest(
    "can update a group that exists, without the values not sent",
    { existing: "update" },
    async (emulator) => {
      const { token } = emulator.putGroup(theirs);
      await send(emulator, { body: { ...acme, properties: { a: 1 } } });
      const updated = { userGroupId: "acme", name: "Acme", properties: { a: 1 }, token, teamId: 1 };
      assert.deepEqual(emulator.groups.get("acme"), updated);
      assert.equal(emulator.requests[0]?.effect, "updated");
    },
  );

  emulatorTest(
    "can return the request, and store other values",
    { response: "requested" },
    async (emulator) => {
      emulator.putGroup(theirs);
      const { text } = await send(emulator, { body: { ...acme, properties: { b: 2 } } });
      assert.match(text, /"name":"Acme","provided_id":"acme","properties":\{"b":2\}/);
      assert.equal(emulator.groups.get("acme")?.name, "Theirs");
    },
  );

  const normalize = ({ name, ...values }: { userGroupId: string; name: string }) => {
    return { ...values, name: name.trim(), properties: { plan: "free" } };
  };
  emulatorTest("stores and returns values as `normalize` returns them", { normalize }, async (emulator) => {
    const { text } = await send(emulator, { body: { ...acme, name: " Acme " } });
    assert.match(text, /"name":"Acme","provided_id":"acme","properties":\{"plan":"free"\}/);
    const { name, properties } = emulator.groups.get("acme") ?? {};
    assert.deepEqual([name, properties], ["Acme", { plan: "free" }]);
  });

  emulatorTest(
    "issues a token for each group, and another for a group that is created again",
    {},
    async (emulator) => {
      const tokens = new Set<string | undefined>();
      for (const user_group_id of ["acme", "bolt", "acme"]) {
        emulator.removeGroup(user_group_id);
        await send(emulator, { body: { ...acme, user_group_id } });
        tokens.add(emulator.groups.get(user_group_id)?.token);
      }
      assert.equal(tokens.size, 3);
    },
  );

  emulatorTest("can show missing properties as null", { emptyProperties: "null" }, async (emulator) => {
    assert.match((await send(emulator, { body: acme })).text, /"properties":null/);
  });

  emulatorTest("stores and returns unusual properties unchanged", {}, async (emulator) => {
    const properties: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":null,"":[],"ü":"\\u2028"}');
    const { text } = await send(emulator, { body: { ...acme, properties } });
    assert(text.includes(JSON.stringify(properties)), text);
  });

  for (const [what, body] of Object.entries({
    "no user_group_id": { name: "Acme" },
    "an empty user_group_id": { ...acme, user_group_id: "" },
    "no name": { user_group_id: "acme" },
    "an empty name": { ...acme, name: "" },
    "a name that is no string": { ...acme, name: 1 },
    "a mapping that is a list": { ...acme, mapping: ["ds-1"] },
    "a mapping to an object": { ...acme, mapping: { sales: {} } },
    "properties that are no object": { ...acme, properties: "plan" },
    "a body that is a list": [acme],
  }))
    emulatorTest(`refuses ${what}`, {}, async (emulator) => {
      const { status, text } = await send(emulator, { body });
      assert.deepEqual([status, text, emulator.groups.size], [200, '{"success":0}', 0]);
    });
});
