import assert from "node:assert/strict";
import { errorOf } from "../clients";
import { inWorld } from "../world";
import { acme, configure, create, itInEveryService } from "./oneGroup";

const theirs = { userGroupId: "acme", name: "Theirs", properties: { region: "us" } };

describe("UserGroup, create: adoption", () => {
  beforeEach(() => configure());

  itInEveryService(
    "adopts a group that is there, and warns of its mapping",
    {},
    async ({ emulator, warnings }) => {
      const { token } = emulator.putGroup(acme);
      assert.deepEqual(await create(acme), { ...acme, token, adopted: true });
      assert.equal(emulator.requests.length, 1);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? "",
        /^warning: user group "acme" was there before and is adopted.* mapping can't be conf/,
      );
    },
  );

  itInEveryService(
    "records the values of a group that it adopts as they are shown",
    {},
    async (world, behaviour) => {
      const { emulator, warnings } = world;
      const { token } = emulator.putGroup(theirs);
      const outs = await create(acme);
      const isTheirs = behaviour.existing === "keep" && behaviour.answer === "stored";
      const { name, properties } = isTheirs ? theirs : acme;
      assert.deepEqual(outs, { ...acme, name, properties, token, adopted: true });
      assert.equal(emulator.groups.get("acme")?.name, behaviour.existing === "keep" ? "Theirs" : "Acme");
      assert.equal(warnings.length, isTheirs ? 2 : 1);
      if (isTheirs) assert.match(warnings[1] ?? "", /user group "acme" has another name or other properties/);
    },
  );

  itInEveryService("keeps its properties of a group that is shown without any", {}, async ({ emulator }) => {
    const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    assert.deepEqual(await create(acme), { ...acme, token, adopted: true });
  });

  itInEveryService(
    "doesn't take over a group that is there with adopt false",
    {},
    async ({ emulator, warnings }) => {
      const { token } = emulator.putGroup(acme);
      const { code, message } = await errorOf(create({ ...acme, adopt: false }));
      assert.equal(code, "adoption-refused");
      assert.match(
        message,
        /^Cannot create user group "acme": it is there already, and adopt is false\. Nothing was rec/,
      );
      assert.equal(emulator.groups.get("acme")?.token, token);
      assert.equal(emulator.requests.length, 1);
      assert.deepEqual(warnings, []);
    },
  );

  it(
    "can't have created what has other values, lost answer or not",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(theirs);
      emulator.fault({ kind: "loseAnswer", when: "after", times: 2 });
      assert.deepEqual(await create(acme), { ...acme, ...theirs, token, adopted: true });
      emulator.fault({ kind: "loseAnswer", when: "after" });
      const { code } = await errorOf(create({ ...acme, adopt: false }));
      assert.equal(code, "adoption-refused");
    }),
  );
});
