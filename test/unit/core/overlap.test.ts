/** The IDs that `overlap` derives, and the list of former groups. */
import assert from "node:assert/strict";
import { derivedId } from "../../../provider/src/core/state/derivedId";
import {
  asFormer,
  formerWith,
  isOver,
  overlapOf,
  withoutFormer,
} from "../../../provider/src/core/state/formerGroups";
import { userGroupShape } from "../../../provider/src/core/state/shapes";

const acme = {
  ...{ userGroupId: "acme", name: "Acme" },
  mapping: { sales: "one", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
  keepers: { month: "1" },
};

/** IDs of existing groups, which the digests of other programs have confirmed. They must never change. */
const examples = [
  ["acme~d52622c6", { name: "Acme", mapping: {}, properties: undefined }, "replace"],
  ["acme~8fd4bb0e", acme, "replace"],
  [
    "acme~b0ae008c",
    { name: 'Zoë "株"', properties: { "\ufb33": true, "😀": "\u000f\n", b: 0.1, a: 1e21 } },
    "replace",
  ],
  ["acme~1d8fc6ce", { ...acme, keepers: {} }, "update"],
  ["acme~10ee0868", { name: "Acme", keepers: { month: "2" } }, "update"],
] as const;

describe("the ID that overlap derives", () => {
  for (const [id, values, changes] of examples)
    it(`is ${id} of its values`, () => {
      assert.equal(derivedId({ userGroupId: "acme", ...values }, changes), id);
    });

  it("has the current token as well, if it would be that of the current group", () => {
    assert.equal(derivedId({ userGroupId: "acme", name: "Acme" }, "replace", ["token"]), "acme~17baa99f");
  });
});

describe("former groups", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  const stored = { ...acme, providedId: "acme~8fd4bb0e", token: "t1", adopted: false };
  const former = asFormer(stored, now);

  for (const [expected, what, hours, later] of [
    [false, "just before its time is over", 24, 24 * 3_600_000 - 1],
    [true, "when its time is over", 24, 24 * 3_600_000],
    [true, "after a fraction of an hour", 0.5, 1_800_000],
    [true, "without a time", 0, 0],
    [true, "without overlap, whatever the time", undefined, 0],
  ] as const)
    it(`are ${expected ? "over" : "not over"} ${what}`, () => {
      const args = { overlap: hours !== undefined, overlapHours: hours ?? 24 };
      assert.equal(isOver(former, overlapOf(args, now + later)), expected);
    });

  it("of a state of an earlier version are over, and their values aren't known", () => {
    const olds = { ...acme, token: "t2", providedId: "acme~2", former: { providedId: "acme", token: "t1" } };
    const { groups } = userGroupShape.parseState("acme", { ...olds, overlap: true });
    const [old] = groups.get("acme")?.former ?? [];
    assert.deepEqual([old?.providedId, old?.token], ["acme", "t1"]);
    assert(old && isOver(old, { hours: 24, now: 0 }));
    assert.equal(formerWith({ ...stored, former: [old] }, acme), undefined);
  });

  it("have the values with which one becomes the current one again", () => {
    const current = { ...stored, name: "New", token: "t2", former: [former] };
    assert.equal(formerWith(current, acme), former);
    for (const change of [{ name: "New" }, { mapping: {} }, { properties: {} }, { keepers: {} }])
      assert.equal(formerWith(current, { ...acme, ...change }), undefined);
    assert.equal(withoutFormer(current, former).former, undefined);
  });
});
