import assert from "node:assert/strict";
import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  estimatedBytes,
  maxGroupsBytes,
  sizeIssues,
  structBytes,
} from "../../../provider/src/core/userGroups/sizeLimit";
import { unknownValue } from "../../../provider/src/values";

describe("the size of groups", () => {
  it("is at most 8 MiB of state", () => {
    const groups = (bytes: number) => ({ acme: { name: "x".repeat(bytes) } });
    const overhead = estimatedBytes(groups(maxGroupsBytes)) - maxGroupsBytes;
    assert.deepEqual(sizeIssues(groups(maxGroupsBytes - overhead)), []);
    const [issue, ...others] = sizeIssues(groups(maxGroupsBytes - overhead + 1));
    assert.deepEqual([issue?.path, others], ["groups", []]);
    assert.match(
      issue?.reason ?? "",
      /^is too large: its state would have 8\.0 MiB\. .* several UserGroups\. \[groups-too-large\]$/,
    );
  });

  it("counts bytes and not characters, the ID three times, and something for each group", () => {
    const bytes = (id: string, name: string) => estimatedBytes({ [id]: { name } });
    const one = bytes("a", "");
    assert(one > 100);
    assert.equal(bytes("a", "株"), one + 3);
    assert.equal(bytes("a株", ""), one + 9);
  });

  it("is known of groups that are unknown", () => {
    assert.deepEqual(sizeIssues({ a: unknownValue, b: null }), []);
  });
});

/** google-protobuf drops a key "__proto__", so it can't tell that size. */
const anyStruct = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .filter((json) => !JSON.stringify(json).includes('"__proto__"'));

describe("the size of a struct", () => {
  it("is that of its protobuf", () => {
    fc.assert(
      fc.property(anyStruct, (json) => {
        const plain: unknown = JSON.parse(JSON.stringify(json));
        const encoded = Struct.fromJavaScript(Object(plain) as Record<string, never>).serializeBinary()
          .length;
        const size = structBytes(plain);
        assert(size >= encoded && size - encoded <= 8 + encoded / 20, `${size} and ${encoded} bytes`);
      }),
    );
  });
});
