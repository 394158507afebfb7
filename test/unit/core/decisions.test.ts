import assert from "node:assert/strict";
import { keyOf } from "../../../provider/src/core/claims";
import {
  decideBeforeCreation,
  decideCreation,
  decideDeletion,
  type Deletion,
  type DeletionRequest,
} from "../../../provider/src/core/decisions";
import {
  claimsOf,
  declared,
  deletion,
  got,
  group,
  inEu,
  key,
  refused,
  state,
  stored,
  type Told,
} from "./told";

const two = { mapping: { sales: "two" } };
const adopted = { adopted: true };
const adoptedTwo = { ...two, ...adopted };
const Acme = { userGroupId: "Acme", providedId: "Acme" };
const atAcme = keyOf(undefined, "Acme");
const beta = { userGroupId: "beta" };
const requested = { ...group, providedId: "acme" };
const deleted = deletion();
const formerOf =
  (resource: string): Told =>
  (claims) => {
    claims.record(resource, [[key, { group: stored, fate: "removed", isFormer: true }]]);
  };
const former = formerOf("other");
const ownFormer = formerOf("own");
const keptAsFormer =
  (token = stored.token): Told =>
  (claims) => {
    claims.keepAsFormer("other", key, { ...stored, token, mapping: { sales: "unknown" } });
  };

describe("the decision on a creation that found the group with token t1", () => {
  const response = {
    isNew: false,
    isPossiblyApplied: false,
    group: { token: "t1", name: "Acme", properties: {} },
  };
  const t0 = { token: "t0" };
  const other = t0;
  const otherTwo = { ...other, ...two };
  const keepers = { keepers: { m: "1" } };
  const imported = { mapping: undefined, unknown: ["mapping"] };
  const lookup = { isLookup: true, isNew: true };
  const rows: [
    what: string,
    told: Told[],
    decision: string,
    options?: { adopt?: false; changes?: "update" },
  ][] = [
    ["nothing is known", [], "adopt"],
    ["nothing is known, adopt is false", [], "adoption-refused", { adopt: false }],
    ["the declaration alone proves nothing", [declared("other")], "adoption-refused", { adopt: false }],
    ["another resource leaves it, same values", [state("other", "leaves")], "move"],
    ["the same, adopt is false", [state("other", "leaves")], "move", { adopt: false }],
    ["another resource leaves it, other values", [state("other", "leaves", two)], "mapping-conflict"],
    ["another resource leaves it, other keepers", [state("other", "leaves", keepers)], "mapping-conflict"],
    ["another resource adopted it, other values", [state("other", "leaves", adoptedTwo)], "mapping-conflict"],
    ["the same, with changes: update", [state("other", "leaves", two)], "adopt", { changes: "update" }],
    ["the state of another resource has another token", [state("other", "leaves", other)], "adopt"],
    ["the same, adopt is false", [state("other", "leaves", other)], "adoption-refused", { adopt: false }],
    ["the same, with another mapping", [state("other", "leaves", otherTwo)], "mapping-conflict"],
    ["one of two states proves its values", [state("b", "leaves", adoptedTwo), state("a", "leaves")], "move"],
    ["it is the former group of another resource", [former], "mapping-conflict"],
    ["an import didn't know its mapping", [state("other", "leaves", imported)], "move"],
    ["a lookup created it, same values", [got("found", {}, lookup)], "move"],
    ["a lookup created it, other values", [got("found", two, lookup)], "recreate"],
    ["a lookup found it", [got("found", two, { isLookup: true })], "adopt"],
    ["the engine skipped the deletion", [state("own", "replaced", two)], "replacement-retained"],
    ["an option replaces the resource, same values", [state("own", "replaced")], "move"],
    ["the replaced group had another token", [state("own", "replaced", otherTwo)], "adopt"],
    ["the same, adopt is false", [state("own", "replaced", otherTwo)], "adoption-refused", { adopt: false }],
    ["its deletion had no effect", [state("own", "replaced", two), deleted], "replacement-retained"],
    ["another ID has the token", [state("other", "stays", Acme, atAcme)], "wrong-group"],
    ["another connection has it", [state("other", "stays", {}, inEu)], "declared-twice"],
    ["another connection leaves it", [state("other", "leaves", {}, inEu)], "move"],
    [
      "another connection has created it after its deletion",
      [state("own", "replaced", t0), deletion("t0"), got("other", {}, { at: inEu, isNew: true })],
      "declared-twice",
    ],
    ["overlap has given its ID to another customer", [state("other", "stays", beta)], "overlap-id-taken"],
    ["the same in this resource", [state("own", "stays", beta)], "overlap-id-taken"],
    ["it is the former group of the resource that is replaced", [ownFormer], "mapping-conflict"],
  ];
  for (const [what, told, decision, { adopt = true, changes = "replace" } = {}] of rows)
    it(`is ${decision}: ${what}`, () => {
      const request = { resource: "own", key, group: requested, adopt, changes } as const;
      const creation = decideCreation(claimsOf(told), request, response);
      assert.equal(creation.do === "refuse" ? creation.code : creation.do, decision);
      assert.deepEqual(decideCreation(claimsOf(told), request, { ...response, isNew: true }), {
        do: "create",
      });
    });

  for (const [what, told, adopt, decision] of [
    ["adopts what an attempt without a response may have created", [], true, "adopt"],
    ["is ambiguous with adopt: false", [], false, "adoption-ambiguous"],
    [
      "adopts it after a confirmed deletion, with a reused token",
      [state("own", "replaced", two), deleted],
      true,
      "adopt",
    ],
  ] as const)
    it(`after an attempt without a response ${what}`, () => {
      const request = { resource: "own", key, group: requested, adopt, changes: "replace" } as const;
      const creation = decideCreation(claimsOf(told), request, { ...response, isPossiblyApplied: true });
      assert.equal(creation.do === "refuse" ? creation.code : creation.do, decision);
    });

  it("is made before the request if a state of another resource has other values", () => {
    const request = { resource: "own", key, group: requested, adopt: true } as const;
    const before = (told: Told[], changes: "replace" | "update" = "replace") =>
      decideBeforeCreation(claimsOf(told), { ...request, changes })?.code;
    assert.equal(before([state("other", "leaves", two)]), "mapping-conflict");
    assert.equal(before([former]), "mapping-conflict");
    assert.equal(before([state("other", "leaves")]), undefined);
    assert.equal(before([state("own", "replaced", two)]), undefined);
    assert.equal(before([state("other", "leaves", two), deleted]), undefined);
    assert.equal(before([state("other", "leaves", two)], "update"), undefined);
  });
});

describe("the decision on a deletion of the group with token t1 and mapping one", () => {
  const request = { resource: "own", connection: undefined, key, stored, changes: "replace" } as const;
  const usual = { ...request, isOtherAccount: false, isFormer: false } as const;
  const t2 = { token: "t2" };
  const isOtherAccount = { isOtherAccount: true };
  const isFormer = { isFormer: true };
  const atSecond = keyOf(undefined, "acme~2");
  const another = { providedId: "acme~2", ...t2 };
  const second = state("other", "stays", another, atSecond);
  const suffixed = { key: atSecond, stored: { ...stored, ...another } };
  const unproved = { stored: { ...stored, ...adopted } };
  const rows: [what: string, told: Told[], decision: string, request?: Partial<DeletionRequest>][] = [
    ["nobody else has it", [], "delete"],
    ["this deployment has deleted it", [deleted], "nothing"],
    ["another resource declares it", [declared("other")], "unconfirmed"],
    ["the resource declares it, and is replaced", [declared("own"), state("own", "replaced")], "delete"],
    ["a replacement of the resource has got it", [state("own", "replaced"), got("own")], "release"],
    ["a former deletion of the resource is pending", [state("own", "stays")], "release"],
    ["another resource has got it", [got("other")], "release"],
    ["another resource has it in its state", [state("other", "stays")], "release"],
    ["another resource leaves it", [state("other", "leaves")], "delete"],
    ["another resource has kept it as a former group", [keptAsFormer()], "release"],
    ["the same, with another token", [keptAsFormer("t2")], "stale"],
    ["the diff of another resource wasn't clear", [state("other", "unclear")], "delete"],
    ["what another resource had is deleted", [state("other", "stays", t2), deletion("t2")], "delete"],
    ["the state of another resource has another token", [state("other", "stays", t2)], "stale"],
    ["another resource created it again", [got("other", { ...two, ...t2 }, { isNew: true })], "nothing"],
    ["the same, with a reused token", [got("other", two, { isNew: true })], "release"],
    ["another resource declares its customer", [declared("other")], "unconfirmed", suffixed],
    ["the same, of a former group", [declared("other")], "delete", { ...suffixed, ...isFormer }],
    ["its customer got another group", [got("other", another, { at: atSecond, isNew: true })], "renewed"],
    [
      "the same, of a former group",
      [got("other", another, { at: atSecond, isNew: true })],
      "delete",
      isFormer,
    ],
    ["another resource adopted it with another mapping", [got("other", adoptedTwo)], "mapping-conflict"],
    ["the same, and neither created it", [got("other", adoptedTwo)], "mapping-conflict", unproved],
    ["neither state created it", [state("other", "stays", adoptedTwo)], "restore unproved", unproved],
    ["the other state created it", [state("other", "stays", two)], "restore", unproved],
    ["the same, with equal values", [state("other", "stays")], "release", unproved],
    ["both states created it with different mappings", [state("other", "stays", two)], "mapping-conflict"],
    ["with changes: update", [got("other", adoptedTwo)], "release", { changes: "update" }],
    ["the same, by a state", [state("other", "stays", adoptedTwo)], "restore", { changes: "update" }],
    ["a lookup reads it", [got("found", {}, { isLookup: true })], "delete"],
    ["another ID has its token", [state("other", "stays", Acme, atAcme)], "shared"],
    ["its token was returned for another ID", [refused("other", atAcme)], "shared"],
    ["its token was returned to a resource that it was refused", [refused("other")], "delete"],
    ["another resource got it with another API token", [got("other")], "other-account", isOtherAccount],
    ["another connection has it", [got("other", {}, { at: inEu })], "release"],
    ["another resource declares it, and has it with another ID", [declared("other"), second], "delete"],
    ["another resource has got its former group", [state("other", "stays", two)], "superseded", isFormer],
    ["the same, with another token", [state("other", "stays", t2)], "superseded", isFormer],
  ];
  for (const [what, told, decision, options] of rows)
    it(`is ${decision}: ${what}`, () => {
      const found = decideDeletion(claimsOf(told), { ...usual, ...options });
      assert.equal(wordOf(found), decision);
    });

  function wordOf(found: Deletion): string {
    if (found.do === "refuse") return found.because;
    if (found.do !== "release") return found.do;
    return (found.restored ? "restore" : "release") + (found.isProven ? "" : " unproved");
  }

  it("knows a state by its former URN, or without one", () => {
    for (const resource of ["former URN", undefined]) {
      const claims = claimsOf([declared("own"), state("own", "replaced")]);
      assert.equal(decideDeletion(claims, { ...usual, resource }).do, "delete");
    }
  });
});
