import assert from "node:assert/strict";
import { Claims, heldGroup, type Claim } from "../../../provider/src/core/claims";
import { claimsOf, declared, deletion, got, inEu, key, state, stored, type Told } from "./told";

const nothing: Told = (claims) => {
  claims.record("a", []);
};

/** What is told to the claims, and the token that the resource "a" then has. */
const rows: [what: string, told: Told[], token?: string][] = [
  ["a declaration", [declared("a")]],
  ["a state", [state("a", "stays")], "t1"],
  ["a later diff, which no longer has the group", [state("a", "stays"), nothing]],
  ["a confirmed deletion", [state("a", "replaced"), deletion()]],
  [
    "a creation after it",
    [state("a", "replaced"), deletion(), got("a", { token: "t2" }, { isNew: true })],
    "t2",
  ],
  ["a creation with the deleted token", [deletion(), got("a", {}, { isNew: true })], "t1"],
  ["a deletion of another resource", [state("a", "stays"), deletion("t2")], "t1"],
  ["a deletion by another connection to the same account", [state("a", "stays"), deletion("t1", inEu)]],
];

describe("the claim of a resource on a group", () => {
  for (const [what, told, token] of rows)
    it(`after ${what} has ${token ?? "no group"}`, () => {
      const claims = claimsOf(told);
      const own = (claim: Claim) => claim.resource === "a";
      const found = claims.about(key).filter(own);
      assert.equal(found.map((claim) => heldGroup(claims, claim)?.token).join(), token ?? "");
    });

  it("of a resource that the engine replaces without its state is replaced, if the diff would have kept it", () => {
    const claims = claimsOf([state("a", "stays")]);
    assert.deepEqual(claims.replaceByEngine("b"), []);
    assert.deepEqual(
      claims.replaceByEngine("a").map(({ group }) => group),
      [stored],
    );
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
