import assert from "node:assert/strict";
import { Facts } from "../../../provider/core/deployment/facts";
import { resourceOf } from "../../../provider/values";

it("a resource that was renamed is found by the name in the program", () => {
  const [before, present, other] = [resourceOf("before"), resourceOf("present"), resourceOf("other")];
  const facts = new Facts();
  facts.rename(before, present);
  assert.deepEqual([facts.presentOf(before), facts.presentOf(other)], [present, other]);
});
