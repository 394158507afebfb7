/** States of every version, the IDs that `overlap` derives, and when former groups are over. */
import assert from "node:assert/strict";
import { derivedId } from "../../../provider/src/core/state/derivedId";
import { asFormer, formerWith, isOver, overlapOf } from "../../../provider/src/core/state/formerGroups";
import * as shapes from "../../../provider/src/core/state/shapes";

const one = (state: object) => shapes.parseState(shapes.userGroupState, "it", { ...state });
const lookup = (state: object) => shapes.parseState(shapes.lookupState, "it", { ...state });
const many = (state: object) => shapes.parseState(shapes.userGroupsState, "these user groups", { ...state });

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

  for (const [parse, state, issue] of [
    [one, { name: "Acme", token: "" }, "token must not be empty"],
    [one, { name: ["s3cret"], token: "t" }, "name must be a string"],
    [lookup, {}, "name is required"],
    [many, { groups: { a: { name: 7 } }, tokens: {} }, "groups.a.name must be a string"],
  ] as const)
    it(`is invalid if its ${issue} is wrong; the error names the property, not the value`, () => {
      const message = new RegExp(
        `^((?!s3cret).)* is invalid: its ${issue}((?!s3cret).)*\\[state-invalid\\]$`,
      );
      assert.throws(() => parse(state), { message });
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
    const { groups } = shapes.userGroupShape.parseState("acme", { ...olds, overlap: true });
    const [old] = groups.get("acme")?.former ?? [];
    assert.deepEqual([old?.providedId, old?.token], ["acme", "t1"]);
    assert(old && isOver(old, { hours: 24, now: 0 }));
    assert.equal(formerWith({ ...stored, former: [old] }, acme), undefined);
  });
});
