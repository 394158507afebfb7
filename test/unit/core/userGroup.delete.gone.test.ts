import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { bodies, inWorld, type World } from "../world";
import { acme, acmeSent, configure, itInEveryService, remove } from "./oneGroup";

const args = { ...acme, dataSourceProvidedId: "warehouse" };

describe("UserGroup, delete: of what may be gone", () => {
  beforeEach(() => configure());

  itInEveryService(
    "makes the group by its question where it is gone, and deletes that",
    {},
    async ({ emulator, warnings }) => {
      await remove({ ...args, ...owned("gone") });
      assert.deepEqual(effects(emulator), ["DELETE refused", "GET created", "DELETE deleted"]);
      assert.equal(emulator.groups.size, 0);
      const [first, asked, again] = bodies(emulator);
      assert.deepEqual(asked, { method: "GET", body: acmeSent });
      assert.notDeepEqual(first, again);
      assert.deepEqual(warnings, []);
    },
  );

  it(
    "has happened where its answer was lost",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      emulator.fault({ kind: "loseAnswer", when: "after" });
      await remove({ ...args, ...owned(token) });
      assert.deepEqual(effects(emulator), [
        "DELETE deleted",
        "DELETE refused",
        "GET created",
        "DELETE deleted",
      ]);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "is sent again where its request was lost",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      emulator.fault({ kind: "loseAnswer", when: "before" });
      await remove({ ...args, ...owned(token) });
      assert.deepEqual(effects(emulator), ["DELETE none", "DELETE deleted"]);
    }),
  );

  it(
    "takes 404 for gone only where the service then has to make the group",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "status", status: 404 });
      await remove({ ...args, ...owned("gone") });
      assert.equal(emulator.groups.size, 0);
      const { token } = emulator.putGroup(acme);
      emulator.fault({ kind: "status", status: 404 });
      const { code } = await errorOf(remove({ ...args, ...owned(token) }));
      assert.equal(code, "not-found");
      assert.equal(emulator.groups.get("acme")?.token, token);
    }),
  );
});

function owned(token: string) {
  return { token, adopted: false };
}

function effects({ requests }: World["emulator"]): string[] {
  return requests.map(({ method, effect }) => `${method} ${effect}`);
}
