import assert from "node:assert/strict";
import { Claims, heldGroup, keyOf, type Claim } from "../../../provider/src/core/claims";
import type { StoredGroup } from "../../../provider/src/core/drift";

const key = keyOf(undefined, "acme");
const stored: StoredGroup = {
  userGroupId: "acme",
  providedId: "acme",
  name: "Acme",
  token: "t1",
  adopted: false,
};
const t2 = { ...stored, token: "t2" };

/** What is told to the claims, and the token that the resource "a" then has. */
const rows: [what: string, tell: (claims: Claims) => void, token: string | undefined][] = [
  [
    "a declaration",
    (claims) => {
      claims.declare("a", [[key, stored]]);
    },
    undefined,
  ],
  [
    "a state",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "stays" }]]);
    },
    "t1",
  ],
  [
    "a later diff, which no longer has the group",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "stays" }]]);
      claims.record("a", []);
    },
    undefined,
  ],
  [
    "a confirmed deletion",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "replaced" }]]);
      claims.delete(key, stored);
    },
    undefined,
  ],
  [
    "a creation after it",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "replaced" }]]);
      claims.delete(key, stored);
      claims.get("a", key, t2, true);
    },
    "t2",
  ],
  [
    "a creation with the deleted token",
    (claims) => {
      claims.delete(key, stored);
      claims.get("a", key, stored, true);
    },
    "t1",
  ],
  [
    "a deletion of another resource",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "stays" }]]);
      claims.delete(key, t2);
    },
    "t1",
  ],
  [
    "a deletion by another connection to the same account",
    (claims) => {
      claims.record("a", [[key, { group: stored, fate: "stays" }]]);
      claims.delete(keyOf("eu", "acme"), stored);
    },
    undefined,
  ],
];

describe("the claim of a resource on a group", () => {
  for (const [what, tell, token] of rows)
    it(`after ${what} has ${token ?? "no group"}`, () => {
      const claims = new Claims();
      tell(claims);
      const own = (claim: Claim) => claim.resource === "a";
      const found = claims.about(key).filter(own);
      assert.equal(found.map((claim) => heldGroup(claims, claim)?.token).join(), token ?? "");
    });

  it("of a resource that the engine replaces without its state is replaced, if the diff would have kept it", () => {
    const claims = new Claims();
    claims.record("a", [[key, { group: stored, fate: "stays" }]]);
    assert.deepEqual(claims.replaceByEngine("b"), []);
    assert.deepEqual(claims.replaceByEngine("a"), [stored]);
    assert.equal(claims.about(key)[0]?.state?.fate, "replaced");
    assert.deepEqual(claims.replaceByEngine("a"), []);
  });

  it("waits until the program has declared nothing more", async () => {
    let pauses = 0;
    const claims = new Claims(() => {
      pauses += 1;
      if (pauses < 3) claims.declare(`${pauses}`, []);
      return Promise.resolve();
    });
    const { signal } = new AbortController();
    await claims.settled(signal);
    assert.equal(pauses, 3);
    await claims.settled(signal);
    assert.equal(pauses, 3);
  });
});
