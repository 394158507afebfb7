import assert from "node:assert/strict";
import { markedInternal } from "../../../provider/adapters/results";

it("the output internal hides the digest of the credentials, and values that were sent or returned, and no more", () => {
  const record = { notImported: ["mapping"], sent: { name: "A" }, returned: { name: "B" } };
  const internal = { credentialsDigest: "0a1b", groups: { acme: record } };
  const marked = markedInternal(internal, () => "hidden");
  assert.deepEqual(marked, {
    credentialsDigest: "hidden",
    groups: { acme: { notImported: ["mapping"], sent: "hidden", returned: "hidden" } },
  });
});
