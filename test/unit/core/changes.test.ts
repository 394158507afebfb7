import assert from "node:assert/strict";
import { userGroupArguments } from "../../../provider/src/core/arguments";
import {
  changeKind,
  detailsOf,
  keeperFields,
  replacingFields,
  stateFields,
} from "../../../provider/src/core/changes";

describe("the rules of change", () => {
  it("have each argument in one list, except the two that name the group and its service", () => {
    const fields = [...replacingFields, ...keeperFields, ...stateFields, "userGroupId", "connection"];
    assert.deepEqual([...fields].sort(), Object.keys(userGroupArguments.shape).sort());
  });

  it("name the kind of a change, as a detailed diff does", () => {
    for (const [old, wanted, kind] of [
      [undefined, 1, "add"],
      [{}, { a: 1 }, "add"],
      [1, undefined, "delete"],
      [{ a: 1 }, {}, "delete"],
      [1, 2, "update"],
    ] as const) {
      assert.equal(changeKind(old, wanted, false), kind);
      assert.equal(changeKind(old, wanted, true), `${kind}-replace`);
    }
    const details = detailsOf(
      ["name", "mapping"],
      { name: "a" },
      { name: "b", mapping: {} },
      { prefix: "x.", isReplaced: true },
    );
    assert.deepEqual(details, [
      ["x.name", "update-replace"],
      ["x.mapping", "add-replace"],
    ]);
  });
});
