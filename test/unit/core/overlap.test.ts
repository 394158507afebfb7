/** The IDs that `overlap` derives, and when former groups are over. */
import assert from "node:assert/strict";
import { derivedId } from "../../../provider/src/core/state/derivedId";
import { asFormer, formerWith, isOver, overlapOf } from "../../../provider/src/core/state/formerGroups";
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
  const stored = { ...acme, providedId: "acme~8fd4bb0e", token: "t1", adopted: false };

  it("are over when their time is, of which a fraction of an hour is a part", () => {
    const now = Date.parse("2026-01-02T12:00:00Z");
    const isOverAfter = (milliseconds: number) =>
      isOver(asFormer(stored, now), overlapOf({ overlap: true, overlapHours: 1.5 }, now + milliseconds));
    assert.deepEqual([5_400_000 - 1, 5_400_000].map(isOverAfter), [false, true]);
  });

  it("of a state of an earlier version are over, and their values aren't known", () => {
    const olds = { ...acme, token: "t2", providedId: "acme~2", former: { providedId: "acme", token: "t1" } };
    const { groups } = userGroupShape.parseState("acme", { ...olds, overlap: true });
    const [old] = groups.get("acme")?.former ?? [];
    assert.deepEqual([old?.providedId, old?.token], ["acme", "t1"]);
    assert(old && isOver(old, { hours: 24, now: 0 }));
    assert.equal(formerWith({ ...stored, former: [old] }, acme), undefined);
  });
});
