import assert from "node:assert/strict";
import fc from "fast-check";
import { deleteAnswer, findFlaws, getOrCreateAnswer, refusal } from "../../provider/src/schema";
import { keepsContract, oddAnswers } from "./answers";

const group = { token: "t", name: "Acme", provided_id: "acme" };
const answer = { success: 1, new_user_group: true, user_group: group };

describe("schema: the answer of get-or-create", () => {
  it("may leave out properties and team_id", () => {
    assert.deepEqual(getOrCreateAnswer.parse(answer), answer);
  });

  it("may carry null for properties, or any JSON object", () => {
    for (const properties of [null, {}, { region: "eu", nested: [{ none: null }] }]) {
      const full = { ...answer, user_group: { ...group, properties } };
      assert.deepEqual(getOrCreateAnswer.parse(full), full);
    }
  });

  it("may carry unknown fields, which are left out", () => {
    const extra = fc.dictionary(
      fc.string().map((key) => `x${key}`),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(extra, extra, (ofAnswer, ofGroup) => {
        const user_group = { ...ofGroup, ...group, team_id: 7 };
        assert.deepEqual(getOrCreateAnswer.parse({ ...ofAnswer, ...answer, user_group }), answer);
      }),
    );
  });

  it("is flawed without a field that it needs, which is named", () => {
    for (const field of ["success", "new_user_group", "user_group"])
      assert.equal(placeOfFlaw({ ...answer, [field]: undefined }), field);
    for (const field of ["token", "name", "provided_id"]) {
      const user_group = { ...group, [field]: undefined };
      assert.equal(placeOfFlaw({ ...answer, user_group }), `user_group.${field}`);
    }
  });

  it("passes if all of it is as the contract says, and only then", () => {
    let good = 0;
    fc.assert(
      fc.property(oddAnswers("acme"), (odd) => {
        const { success } = getOrCreateAnswer.safeParse(odd);
        assert.equal(success, keepsContract(odd));
        good += Number(success);
      }),
      { numRuns: 1000 },
    );
    assert(good > 100 && good < 900, `${good} good ones of 1000`);
  });

  it("is no arbitrary JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => !getOrCreateAnswer.safeParse(json).success));
  });
});

describe("schema: the answer of a delete", () => {
  it("says success 1, whatever it says beside that", () => {
    fc.assert(fc.property(fc.jsonValue(), (more) => deleteAnswer.safeParse({ success: 1, more }).success));
  });

  it("says nothing else for success", () => {
    const others = fc.jsonValue().filter((success) => success !== 1);
    fc.assert(fc.property(others, (success) => !deleteAnswer.safeParse({ success }).success));
    fc.assert(fc.property(fc.jsonValue(), (json) => !deleteAnswer.safeParse(json).success));
  });
});

describe("schema: a refusal", () => {
  it("says success 0, whatever it says beside that", () => {
    fc.assert(fc.property(fc.jsonValue(), (more) => refusal.safeParse({ success: 0, more }).success));
  });

  it("is nothing that says something else for success", () => {
    const others = fc.jsonValue().filter((success) => success !== 0);
    fc.assert(fc.property(others, (success) => !refusal.safeParse({ success }).success));
  });
});

function placeOfFlaw(odd: object): string | undefined {
  return findFlaws(getOrCreateAnswer, odd)[0]?.place;
}
