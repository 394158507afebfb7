import assert from "node:assert/strict";
import { Ledger } from "../../../provider/src/provider/ledger";

describe("the ledger of many groups", () => {
  const record = {
    groups: { a: { name: "A", properties: { region: "eu" } }, b: { name: "B" } },
    tokens: { a: "token-a", b: "token-b" },
    adopted: ["b"],
  };

  it("gives back what is recorded", () => {
    const ledger = Ledger.of(record);
    assert.deepEqual(ledger.outputs({}), record);
    assert.deepEqual(ledger.inputs({}), { groups: record.groups });
    assert.deepEqual(ledger.group("b"), { userGroupId: "b", name: "B", token: "token-b" });
  });

  it("keeps the other arguments, and no undefined ones, which the SDK can't record", () => {
    const shared = { adopt: false, removed: "retain", deletionLimit: 0, connection: "eu" } as const;
    assert.deepEqual(Ledger.of(record).outputs(shared), { ...shared, ...record });
    assert.deepEqual(new Ledger().outputs({ adopt: undefined }), { groups: {}, tokens: {}, adopted: [] });
  });

  it("shows the groups by ID, in whatever order they came", () => {
    const ledger = new Ledger();
    for (const userGroupId of ["b", "a", "B", "10", "9"])
      ledger.put({ userGroupId, name: "Tenant", token: `token-${userGroupId}` }, userGroupId !== "a");
    const { groups, tokens, adopted } = ledger.outputs({});
    assert.deepEqual(Object.keys(tokens), Object.keys(groups));
    assert.deepEqual(adopted, ["10", "9", "B", "b"]);
  });

  it("forgets a group with its token and its past", () => {
    const ledger = Ledger.of(record);
    ledger.remove("b");
    const { groups, tokens, adopted } = ledger.outputs({});
    assert.deepEqual([Object.keys(groups), Object.keys(tokens), adopted], [["a"], ["a"], []]);
    ledger.put({ userGroupId: "b", name: "B", token: "another" }, false);
    assert(!ledger.isAdopted("b"));
  });

  it("doesn't take what every object has for groups or tokens", () => {
    const ids = ["constructor", "toString", "hasOwnProperty", "a.b"];
    const groups = Object.fromEntries(ids.map((id) => [id, { name: id }]));
    const tokens = Object.fromEntries(ids.map((id) => [id, `token-${id}`]));
    const outputs = Ledger.of({ groups, tokens, adopted: [] }).outputs({});
    assert.deepEqual(outputs.groups, groups);
    assert.deepEqual(outputs.tokens, tokens);
    assert.equal(new Ledger().group("constructor"), undefined);
  });

  it("refuses a record of a group without its token, and names the group", () => {
    assert.throws(() => Ledger.of({ ...record, groups: { ...record.groups, constructor: { name: "C" } } }), {
      code: "record-invalid",
      message: /user group "constructor".*no token/,
    });
  });
});
