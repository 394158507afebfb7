import assert from "node:assert/strict";
import { z } from "zod";
import { findIssues, parse, required, type ValidationIssue } from "../../provider/src/validation";
import { unknownValue } from "../../provider/src/values";

const schema = z.strictObject({
  name: z.string({ error: required("must be a string") }),
  seats: z.object({ of: z.array(z.number("must be a number")) }).optional(),
});

describe("validation", () => {
  it("finds each issue with its path, and unknown properties by name", () => {
    assert.deepEqual(findIssues(schema, { seats: { of: [1, "s3cret"] }, extra: 1, more: 2 }), [
      { path: "name", reason: "is required" },
      { path: "seats.of.1", reason: "must be a number" },
      { path: "extra", reason: "is not an argument" },
      { path: "more", reason: "is not an argument" },
    ]);
  });

  it("finds no issue in values that aren't known yet, at any depth", () => {
    for (const value of [
      unknownValue,
      { name: unknownValue, seats: unknownValue },
      { name: "a", seats: { of: unknownValue } },
      { name: "a", seats: { of: [1, unknownValue] } },
    ])
      assert.deepEqual(findIssues(schema, value), []);
    assert.deepEqual(findIssues(schema, { name: unknownValue, seats: { of: [unknownValue, "x"] } }), [
      { path: "seats.of.1", reason: "must be a number" },
    ]);
  });

  it("returns a valid value, or throws for the first issue", () => {
    const toError = ({ path, reason }: ValidationIssue) => new Error(`${path} ${reason}`);
    assert.deepEqual(parse(schema, { name: "a" }, toError), { name: "a" });
    assert.throws(() => parse(schema, { name: 7 }, toError), { message: "name must be a string" });
  });
});
