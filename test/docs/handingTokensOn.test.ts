import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { pageAt } from "./pages";

const page = "docs/handing-tokens-on.md";

describe(page, () => {
  for (const [store = "", limit = "", count = ""] of pageAt(page).tables[1] ?? [])
    it(`says how many tokens one secret of ${store} holds`, () => {
      const tokens = numberIn(count);
      assert(bytesOf(tokens) <= numberIn(limit), `${bytesOf(tokens)} bytes`);
      assert(bytesOf(tokens * 1.05) > numberIn(limit), `${bytesOf(tokens * 1.05)} bytes`);
    });

  it("says how long an entry is", () => {
    const [id, token] = ["customer-0000001", randomUUID()];
    assert.deepEqual([id.length, token.length], [16, 36]);
    assert.equal(bytesOf(2) - bytesOf(1), id.length + token.length + 6);
  });
});

/** The length of a document of so many tokens, with IDs as the page has them. */
function bytesOf(tokens: number): number {
  const ids = Array.from(
    { length: Math.floor(tokens) },
    (_, place) => `customer-${String(place).padStart(7, "0")}`,
  );
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(ids.map((id) => [id, randomUUID()]))));
}

/** `65,536 bytes` → 65536 */
function numberIn(text: string): number {
  return Number(text.replaceAll(/[^\d]/g, ""));
}
