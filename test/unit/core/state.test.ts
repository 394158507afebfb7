/** States of every version, the IDs that `overlap` derives, and when former groups are over. */
import assert from "node:assert/strict";
import * as formerGroups from "../../../provider/src/core/state/formerGroups";
import { derivedId } from "../../../provider/src/core/state/group";
import * as shapes from "../../../provider/src/core/state/shapes";
import { propertiesOf } from "../../../provider/src/values";

const one = (state: object) => shapes.userGroupState.parse(propertiesOf(state));
const many = (state: object) => shapes.userGroupsState.parse(propertiesOf(state));

describe("a state", () => {
  it("is no stricter than responses and arguments: an empty name is valid", () => {
    const state = { name: "", token: "t", adopted: false, sent: { name: "Acme" } };
    assert.deepEqual(one({ ...state, userGroupId: "acme", __provider: "text", later: 1 }), state);
    const groups = { acme: { name: "", properties: null, mapping: { a: {} } } };
    const parsed = many({ groups, tokens: { acme: "t" } }).groups;
    assert.deepEqual(parsed, { acme: { name: "", mapping: { a: {} } } });
  });

  it("of a hand-written provider, without adopted, counts as one of a group that existed before", () => {
    const state = { name: "Acme", token: "t", adopt: true, connection: "eu" };
    const group = shapes.userGroupShape.parseState("acme", state).groups.get("acme");
    assert.deepEqual([group?.providedId, group?.adopted], ["acme", true]);
  });

  for (const [shape, state, issue] of [
    [shapes.userGroupShape, { name: "Acme", token: "" }, "token must not be empty"],
    [shapes.userGroupShape, { name: ["s3cret"], token: "t" }, "name must be a string"],
    [shapes.userGroupsShape, { groups: { a: { name: 7 } }, tokens: {} }, "groups.a.name must be a string"],
    [
      shapes.userGroupShape,
      {
        name: "A",
        token: "t",
        former: [{ name: "A", providedId: "a", token: "u", since: "soon", hours: 1 }],
      },
      "former\\[0\\].since must be a time in ISO 8601",
    ],
  ] as const)
    it(`is invalid if its ${issue} is wrong; the error names the property, not the value`, () => {
      const message = new RegExp(
        `^((?!s3cret).)* is invalid: its ${issue}((?!s3cret).)*\\[state-invalid\\]$`,
      );
      assert.throws(() => shape.parseState("acme", { ...state }), { message });
    });
});

const acme = {
  ...{ userGroupId: "acme", name: "Acme" },
  mapping: { sales: "one", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
  keepers: { month: "1" },
};

it("the derived ID of existing groups never changes, as the digests of other programs have confirmed", () => {
  const unusual = { name: 'Zoë "株"', properties: { "\ufb33": true, "😀": "\u000f\n", b: 0.1, a: 1e21 } };
  for (const [id, values, changes, besides] of [
    ["acme~d52622c6", { name: "Acme", mapping: {}, properties: undefined }, "replace"],
    ["acme~8fd4bb0e", acme, "replace"],
    ["acme~b0ae008c", unusual, "replace"],
    ["acme~1d8fc6ce", { ...acme, keepers: {} }, "update"],
    ["acme~10ee0868", { name: "Acme", keepers: { month: "2" } }, "update"],
    ["acme~17baa99f", { name: "Acme" }, "replace", ["token"]],
  ] as const)
    assert.equal(derivedId({ userGroupId: "acme", ...values }, changes, besides), id);
});

describe("a former group", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  const before = { ...acme, providedId: "acme~8fd4bb0e", token: "t1", adopted: false };
  const [former] =
    formerGroups.formerAfter(before, { providedId: "acme~2", token: "t2" }, { now, hours: 1.5 }) ?? [];
  const isOverAfter = (milliseconds: number, stated?: number) =>
    former && formerGroups.isOver(former, now + milliseconds, stated);

  it("is over when the hours of its change are, of which a fraction is a part", () => {
    assert.deepEqual([isOverAfter(5_400_000 - 1), isOverAfter(5_400_000)], [false, true]);
  });

  it("ends earlier by a smaller number that the program states, and by none later", () => {
    assert.deepEqual(
      [isOverAfter(3_600_000, 1), isOverAfter(5_400_000, 24), isOverAfter(-1, 0)],
      [true, true, true],
    );
    const { statedHours } = formerGroups;
    const stated = [
      statedHours({ overlap: false }, {}),
      statedHours({}, {}),
      statedHours({ overlapHours: 5 }, { overlapHours: 2 }),
    ];
    assert.deepEqual(stated, [0, undefined, 2]);
  });
});
