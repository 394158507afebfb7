import assert from "node:assert/strict";
import type { Emulator } from "../../../provider/src/testing";
import { deleteGroup, withEmulator } from "./world";

describe("emulator: delete", () => {
  it("deletes the group whose ID and token are sent, and no other", () =>
    withEmulator({}, async (emulator) => {
      const { token } = putAcme(emulator);
      emulator.putGroup({ userGroupId: "bolt", name: "Bolt" });
      const answer = await deleteGroup(emulator, { user_group_id: "acme", current_token: token });
      assert.deepEqual([answer.status, answer.json], [200, { success: 1 }]);
      assert.deepEqual([...emulator.groups.keys()], ["bolt"]);
    }));

  it("refuses a group that isn't there", () =>
    withEmulator({}, async (emulator) => {
      await refuses(emulator, { user_group_id: "acme", current_token: "t" }, "no such user group");
    }));

  it("refuses the token of another group, and one that was current before", () =>
    withEmulator({}, async (emulator) => {
      const stale = putAcme(emulator).token;
      const other = emulator.putGroup({ userGroupId: "bolt", name: "Bolt" }).token;
      emulator.rotateToken("acme");
      for (const current_token of [stale, other]) {
        await refuses(emulator, { user_group_id: "acme", current_token }, "current_token does not fit");
      }
    }));

  it("needs both fields by default", () =>
    withEmulator({}, async (emulator) => {
      const { token } = putAcme(emulator);
      await refuses(emulator, { user_group_id: "acme" }, "current_token missing");
      await refuses(emulator, { current_token: token }, "user_group_id missing");
    }));

  it("can do with the token alone", () =>
    withEmulator({ deleteNeeds: ["current_token"] }, async (emulator) => {
      await deletes(emulator, { current_token: putAcme(emulator).token });
    }));

  it("can do with the ID alone, and still refuses a wrong token", () =>
    withEmulator({ deleteNeeds: [] }, async (emulator) => {
      putAcme(emulator);
      await refuses(emulator, { user_group_id: "acme", current_token: "x" }, "current_token does not fit");
      await deletes(emulator, { user_group_id: "acme" });
    }));

  it("never deletes without knowing which group", () =>
    withEmulator({ deleteNeeds: [] }, async (emulator) => {
      putAcme(emulator);
      await refuses(emulator, {}, "no such user group");
    }));

  it("can need a data source of the group's mapping", () =>
    withEmulator({ deleteNeeds: ["user_group_id", "data_source_provided_id"] }, async (emulator) => {
      putAcme(emulator);
      const sent = { user_group_id: "acme" };
      await refuses(emulator, sent, "data_source_provided_id missing");
      const stranger = { ...sent, data_source_provided_id: "8" };
      await refuses(emulator, stranger, "data_source_provided_id does not fit");
      await deletes(emulator, { ...sent, data_source_provided_id: "7" });
    }));

  it("ignores the data source where it isn't needed", () =>
    withEmulator({}, async (emulator) => {
      const { token } = putAcme(emulator);
      await deletes(emulator, { user_group_id: "acme", current_token: token, data_source_provided_id: "8" });
    }));

  it("can take the ID for the token", () =>
    withEmulator({ deleteTokenMayBeId: true, deleteNeeds: ["current_token"] }, async (emulator) => {
      putAcme(emulator);
      await deletes(emulator, { current_token: "acme" });
      putAcme(emulator);
      await deletes(emulator, { user_group_id: "acme", current_token: "acme" });
    }));
});

function putAcme(emulator: Emulator) {
  return emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { sales: 7 } });
}

async function deletes(emulator: Emulator, body: object): Promise<void> {
  assert.deepEqual((await deleteGroup(emulator, body)).json, { success: 1 });
  assert.equal(emulator.groups.size, 0);
}

async function refuses(emulator: Emulator, body: object, reason: string): Promise<void> {
  const { size } = emulator.groups;
  const answer = await deleteGroup(emulator, body);
  assert.deepEqual([answer.status, answer.json], [200, { success: 0 }]);
  assert.equal(emulator.requests.at(-1)?.refusal, reason);
  assert.equal(emulator.groups.size, size);
}
