import assert from "node:assert/strict";
import { failuresOf, parseArguments, parseRecord } from "../../../provider/src/provider/border";
import { ownedRecord, userGroupArguments } from "../../../provider/src/schema";

describe("the border", () => {
  it("reports so many failures and counts the rest, so that a preview can be read", () => {
    const mapping = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`schema-${n}`, {}]));
    const failures = failuresOf(userGroupArguments, { userGroupId: "acme", name: "Acme", mapping });
    assert.equal(failures.length, 21);
    assert.deepEqual(failures[0], { property: "mapping.schema-0", reason: "must be a string or a number" });
    assert.deepEqual(failures.at(-1), { property: "", reason: "5 more properties are wrong" });
  });

  it("reports as many as there are up to that", () => {
    const mapping = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`schema-${n}`, {}]));
    assert.equal(failuresOf(userGroupArguments, { userGroupId: "acme", name: "Acme", mapping }).length, 20);
  });

  it("lets arguments in without what is the SDK's, and without nulls", () => {
    const args = { userGroupId: "acme", name: "Acme" };
    assert.deepEqual(
      parseArguments(userGroupArguments, { ...args, mapping: null, __provider: "text" }),
      args,
    );
  });

  it("lets a record in without what it doesn't know", () => {
    const record = { name: "Acme", token: "t0ken", adopted: false };
    const state = { ...record, userGroupId: "acme", __provider: "text", later: "addition" };
    assert.deepEqual(parseRecord(ownedRecord, "it", state), record);
  });

  it("names the place of a flaw, and never the value", () => {
    assert.throws(() => parseArguments(userGroupArguments, { userGroupId: "acme", name: { s3cret: 1 } }), {
      code: "argument-invalid",
      message: "The argument name must be a string. [argument-invalid]",
    });
    assert.throws(
      () =>
        parseRecord(ownedRecord, 'user group "acme"', { name: "Acme", token: ["s3cret"], adopted: false }),
      {
        code: "record-invalid",
        message:
          'The state of user group "acme" can\'t be used: its token must be a string. Import one that was exported ' +
          "before (pulumi stack import), or take the resource out (pulumi state delete) and run pulumi up, which " +
          "adopts what is there. [record-invalid]",
      },
    );
  });
});
