import assert from "node:assert/strict";
import { Claims, keyOf, type Fate } from "../../../provider/src/core/claims";
import {
  decideBeforeCreation,
  decideCreation,
  decideDeletion,
  type DeletionRequest,
} from "../../../provider/src/core/decisions";
import type { StoredGroup } from "../../../provider/src/core/drift";

const two = { mapping: { sales: "two" } };
const group = { userGroupId: "acme", name: "Acme", mapping: { sales: "one" } };
const stored: StoredGroup = { ...group, providedId: "acme", token: "t1", adopted: false };
const key = keyOf(undefined, "acme");
const inEu = keyOf("eu", "acme");

/** What is known beforehand: told to the claims of one deployment. */
type Told = (claims: Claims) => void;

const state =
  (resource: string, fate: Fate, values: object = {}, at = key): Told =>
  (claims) => {
    claims.record(resource, [[at, { group: { ...stored, ...values }, fate }]]);
  };
const got =
  (resource: string, values: object = {}, { isNew = false, isLookup = false, at = key } = {}): Told =>
  (claims) => {
    claims.get(resource, at, { ...stored, ...values }, isNew, isLookup);
  };
const declared =
  (resource: string, at = key): Told =>
  (claims) => {
    claims.declare(resource, [[at, group]]);
  };
const former: Told = (claims) => {
  claims.record("other", [[key, { group: stored, fate: "removed", isFormer: true }]]);
};
const keptAsFormer: Told = (claims) => {
  claims.keepAsFormer("other", key, { ...stored, mapping: { sales: "unknown" } });
};
const deleted: Told = (claims) => {
  claims.delete(key, { providedId: "acme", token: "t1" });
};

function claimsOf(told: readonly Told[]): Claims {
  const claims = new Claims();
  for (const tell of told) tell(claims);
  return claims;
}

describe("the decision on a creation that found the group with token t1", () => {
  const response = {
    isNew: false,
    isPossiblyApplied: false,
    group: { token: "t1", name: "Acme", properties: {} },
  };
  const adopted = { adopted: true };
  const other = { token: "t0" };
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
    [
      "another resource leaves it, other keepers",
      [state("other", "leaves", { keepers: { m: "1" } })],
      "mapping-conflict",
    ],
    [
      "another resource adopted it with other values",
      [state("other", "leaves", { ...two, ...adopted })],
      "mapping-conflict",
    ],
    ["the same, with changes: update", [state("other", "leaves", two)], "adopt", { changes: "update" }],
    ["the state of another resource has another token", [state("other", "leaves", other)], "adopt"],
    ["the same, adopt is false", [state("other", "leaves", other)], "adoption-refused", { adopt: false }],
    [
      "the state of another resource has another token and mapping",
      [state("other", "leaves", { ...other, ...two })],
      "mapping-conflict",
    ],
    [
      "one proves its values, one doesn't",
      [state("b", "leaves", { ...two, ...adopted }), state("a", "leaves")],
      "move",
    ],
    ["it is the former group of another resource", [former], "mapping-conflict"],
    [
      "an import didn't know its mapping",
      [state("other", "leaves", { mapping: undefined, unknown: ["mapping"] })],
      "move",
    ],
    ["a lookup created it, same values", [got("found", {}, lookup)], "move"],
    ["a lookup created it, other values", [got("found", two, lookup)], "recreate"],
    ["a lookup found it", [got("found", two, { isLookup: true })], "adopt"],
    ["the engine skipped the deletion", [state("own", "replaced", two)], "replacement-retained"],
    ["an option replaces the resource, same values", [state("own", "replaced")], "move"],
    ["the replaced group had another token", [state("own", "replaced", { ...other, ...two })], "adopt"],
    [
      "the same, adopt is false",
      [state("own", "replaced", { ...other, ...two })],
      "adoption-refused",
      { adopt: false },
    ],
    ["its deletion had no effect", [state("own", "replaced", two), deleted], "replacement-retained"],
    [
      "another ID has the token",
      [state("other", "stays", { userGroupId: "Acme", providedId: "Acme" }, keyOf(undefined, "Acme"))],
      "wrong-group",
    ],
    ["another connection has it", [state("other", "stays", {}, inEu)], "declared-twice"],
    ["another connection leaves it", [state("other", "leaves", {}, inEu)], "move"],
  ];
  for (const [what, told, decision, { adopt = true, changes = "replace" } = {}] of rows)
    it(`is ${decision}: ${what}`, () => {
      const request = { resource: "own", key, group, adopt, changes } as const;
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
      const request = { resource: "own", key, group, adopt, changes: "replace" } as const;
      const creation = decideCreation(claimsOf(told), request, { ...response, isPossiblyApplied: true });
      assert.equal(creation.do === "refuse" ? creation.code : creation.do, decision);
    });

  it("is made before the request if a state of another resource has other values", () => {
    const before = (told: Told[], changes: "replace" | "update" = "replace") =>
      decideBeforeCreation(claimsOf(told), { resource: "own", key, group, adopt: true, changes })?.code;
    assert.equal(before([state("other", "leaves", two)]), "mapping-conflict");
    assert.equal(before([former]), "mapping-conflict");
    assert.equal(before([state("other", "leaves")]), undefined);
    assert.equal(before([state("own", "replaced", two)]), undefined);
    assert.equal(before([state("other", "leaves", two), deleted]), undefined);
    assert.equal(before([state("other", "leaves", two)], "update"), undefined);
  });
});

describe("the decision on a deletion of the group with token t1 and mapping one", () => {
  const adopted = { adopted: true };
  const t2 = { token: "t2" };
  const unproved = { stored: { ...stored, ...adopted } };
  const Acme = { userGroupId: "Acme", providedId: "Acme" };
  const atAcme = keyOf(undefined, "Acme");
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
    ["another resource has kept it as a former group", [keptAsFormer], "release"],
    ["the diff of another resource wasn't clear", [state("other", "unclear")], "delete"],
    [
      "what another resource had is deleted",
      [
        state("other", "stays", t2),
        (claims) => {
          claims.delete(key, { providedId: "acme", ...t2 });
        },
      ],
      "delete",
    ],
    ["the state of another resource has another token", [state("other", "stays", t2)], "stale"],
    ["another resource created it again", [got("other", { ...two, ...t2 }, { isNew: true })], "release"],
    [
      "another resource adopted it with another mapping",
      [got("other", { ...two, ...adopted })],
      "mapping-conflict",
    ],
    [
      "the same, and neither created it",
      [got("other", { ...two, ...adopted })],
      "mapping-conflict",
      unproved,
    ],
    [
      "neither state created it",
      [state("other", "stays", { ...two, ...adopted })],
      "release unproved",
      unproved,
    ],
    ["the other state created it", [state("other", "stays", two)], "release", unproved],
    ["both states created it with different mappings", [state("other", "stays", two)], "mapping-conflict"],
    ["with changes: update", [got("other", { ...two, ...adopted })], "release", { changes: "update" }],
    ["a lookup reads it", [got("found", {}, { isLookup: true })], "delete"],
    ["another ID has its token", [state("other", "stays", Acme, atAcme)], "shared"],
    [
      "its token was returned for another ID",
      [
        (claims) => {
          claims.refuse("other", atAcme, "t1");
        },
      ],
      "shared",
    ],
    [
      "its token was returned to a resource that it was refused",
      [
        (claims) => {
          claims.refuse("other", key, "t1");
        },
      ],
      "delete",
    ],
    [
      "another resource got it with another API token",
      [got("other")],
      "other-account",
      { isOtherAccount: true },
    ],
    ["another connection has it", [got("other", {}, { at: inEu })], "release"],
  ];
  for (const [what, told, decision, request] of rows)
    it(`is ${decision}: ${what}`, () => {
      const all = {
        resource: "own",
        key,
        stored,
        changes: "replace",
        isOtherAccount: false,
        ...request,
      } as const;
      const deletion = decideDeletion(claimsOf(told), all);
      const release = deletion.do === "release" && !deletion.isProven ? "release unproved" : deletion.do;
      assert.equal(deletion.do === "refuse" ? deletion.because : release, decision);
    });

  it("knows a state by its former URN, or without one", () => {
    for (const resource of ["former URN", undefined]) {
      const claims = claimsOf([declared("own"), state("own", "replaced")]);
      assert.equal(
        decideDeletion(claims, { resource, key, stored, changes: "replace", isOtherAccount: false }).do,
        "delete",
      );
    }
  });
});
