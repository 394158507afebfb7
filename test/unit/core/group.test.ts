import assert from "node:assert/strict";
import { createGroup, deleteGroup, readGroup, updateGroup } from "../../../provider/src/provider/group";
import type { Notice, Notify } from "../../../provider/src/provider/notices";
import type { Emulator } from "../../../provider/src/testing";
import { clientOf, errorOf } from "../clients";
import { inWorld } from "../world";
import { acme } from "./oneGroup";

const theirs = { userGroupId: "acme", name: "Theirs", properties: { region: "us" } };

describe("createGroup", () => {
  const cases: [what: string, arrange: (emulator: Emulator) => void, adopted: boolean, notices: Notice[]][] =
    [
      ["a new group", () => undefined, false, []],
      ["one that is there", (emulator) => emulator.putGroup(acme), true, ["adopted"]],
      [
        "one that is there with other values",
        (emulator) => emulator.putGroup(theirs),
        true,
        ["adopted", "adopted with other values"],
      ],
      ["one whose answer was lost", loseAnswer, false, ["perhaps created"]],
      [
        "one whose answer was lost that has other values",
        (emulator) => {
          emulator.putGroup(theirs);
          loseAnswer(emulator);
        },
        true,
        ["adopted", "adopted with other values"],
      ],
      [
        "a new group that is shown otherwise",
        (emulator) => {
          emulator.fault({ kind: "field", field: "user_group.name", value: "ACME" });
        },
        false,
        ["created with other values"],
      ],
    ];
  for (const [what, arrange, adopted, expected] of cases) {
    it(
      `notes what there is to note of ${what}`,
      inWorld({}, async ({ emulator }) => {
        arrange(emulator);
        const { notices, notify } = taking();
        const created = await createGroup(clientOf(emulator), acme, true, notify);
        assert.equal(created.adopted, adopted);
        assert.equal(created.group.token, emulator.groups.get("acme")?.token);
        assert.deepEqual(notices, expected);
      }),
    );
  }
});

describe("readGroup and updateGroup", () => {
  it(
    "keep what is recorded beside the group",
    inWorld({ existing: "update" }, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      const recorded = { ...acme, adopt: true, connection: "eu" };
      const { notices, notify } = taking();
      assert.deepEqual(await readGroup(clientOf(emulator), recorded, notify), {
        group: { ...recorded, token },
        isNew: false,
      });
      assert.deepEqual(await updateGroup(clientOf(emulator), recorded, ["name"], notify), {
        group: { ...recorded, token },
        isNew: false,
      });
      assert.deepEqual(notices, []);
    }),
  );

  it(
    "note a group that they had to create again",
    inWorld({}, async ({ emulator }) => {
      const { notices, notify } = taking();
      assert.equal((await readGroup(clientOf(emulator), acme, notify)).isNew, true);
      emulator.removeGroup("acme");
      assert.equal((await updateGroup(clientOf(emulator), acme, ["mapping"], notify)).isNew, true);
      assert.deepEqual(notices, ["created again", "created again"]);
    }),
  );

  it(
    "note a change of mapping, which is never shown",
    inWorld({ existing: "update" }, async ({ emulator }) => {
      emulator.putGroup(acme);
      const { notices, notify } = taking();
      await updateGroup(clientOf(emulator), { ...acme, mapping: {} }, ["name", "mapping"], notify);
      assert.deepEqual(notices, ["mapping not confirmed"]);
    }),
  );
});

describe("deleteGroup", () => {
  it(
    "takes the token that the group has now where the group is to be created again",
    inWorld({}, async ({ emulator }) => {
      emulator.putGroup(acme);
      const { notices, notify } = taking();
      await deleteGroup(clientOf(emulator), { ...acme, token: "stale" }, notify, true);
      assert.equal(emulator.groups.size, 0);
      const effects = emulator.requests.map(({ method, effect }) => `${method} ${effect}`);
      assert.deepEqual(effects, ["DELETE refused", "GET returned", "DELETE deleted"]);
      assert.deepEqual(notices, []);
    }),
  );

  it(
    "leaves a group with another token alone otherwise",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup(acme);
      const stale = { ...acme, token: "stale" };
      const { code } = await errorOf(deleteGroup(clientOf(emulator), stale, taking().notify));
      assert.equal(code, "service-refused");
      assert.equal(emulator.groups.get("acme")?.token, token);
    }),
  );

  it(
    "fails where the second refusal is final, too",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "refuse", method: "DELETE", times: 2 });
      const gone = { ...acme, token: "gone" };
      const { code } = await errorOf(deleteGroup(clientOf(emulator), gone, taking().notify));
      assert.equal(code, "service-refused");
      assert.equal(emulator.requests.length, 3);
    }),
  );
});

function loseAnswer(emulator: Emulator): void {
  emulator.fault({ kind: "loseAnswer", when: "after" });
}

/** Takes notices of the group "acme". */
function taking(): { notices: Notice[]; notify: Notify } {
  const notices: Notice[] = [];
  const notify: Notify = (notice, { userGroupId }) => {
    assert.equal(userGroupId, "acme");
    notices.push(notice);
  };
  return { notices, notify };
}
