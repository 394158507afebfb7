import assert from "node:assert/strict";
import { estimatedBytes, maxGroupsBytes, sizeIssues } from "../../../provider/src/core/groupsLimit";
import { unknownValue } from "../../../provider/src/values";

describe("the size of groups", () => {
  it("is at most 8 MiB of state", () => {
    const overhead = estimatedBytes({ acme: { name: "" } });
    const groups = (bytes: number) => ({ acme: { name: "x".repeat(bytes - overhead) } });
    assert.deepEqual(sizeIssues(groups(maxGroupsBytes)), []);
    const [issue, ...others] = sizeIssues(groups(maxGroupsBytes + 1));
    assert.deepEqual([issue?.path, others], ["groups", []]);
    assert.match(
      issue?.reason ?? "",
      /^is too large: about 8\.0 MiB of state, .* several UserGroups\. \[groups-too-large\]$/,
    );
  });

  it("counts bytes and not characters, the ID twice, and something for each group", () => {
    const bytes = (id: string, name: string) => estimatedBytes({ [id]: { name } });
    const one = bytes("a", "");
    assert(one > 100);
    assert.equal(bytes("a", "株"), one + 3);
    assert.equal(bytes("a株", ""), one + 6);
    assert.equal(estimatedBytes({ a: { name: "" }, b: { name: "" } }), 2 * one);
  });

  it("is known of groups that are unknown", () => {
    assert.deepEqual(sizeIssues({ a: unknownValue, b: null }), []);
  });
});
