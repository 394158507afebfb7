import assert from "node:assert/strict";
import {
  decideCreation,
  decideDeclaration,
  decideDeletion,
  type DeletionRequest,
} from "../../../provider/src/core/deployment/decisions";
import {
  DeploymentFacts,
  keyOf,
  type Declared,
  type Fact,
  type Seen,
} from "../../../provider/src/core/deployment/facts";
import type { RecordedGroup } from "../../../provider/src/core/group/recordedGroup";

const [one, two] = [{ sales: "one" }, { sales: "two" }];
const group = { userGroupId: "acme", name: "Acme", mapping: one };
const stored: RecordedGroup = { ...group, token: "t1", adopted: false };
const key = keyOf(undefined, "acme");

const seen =
  (kind: Seen["kind"]) =>
  (values: object = {}, { token = "t1", adopted = false } = {}): Fact => {
    return { kind, group: { ...group, ...values, token, adopted } };
  };
const [recorded, left, held, lookedUp] = [seen("recorded"), seen("leaving"), seen("held"), seen("looked up")];

const declared: Declared = { kind: "declared", resource: "other", values: group, isFresh: true };
const tried: Fact = { kind: "tried" };
const replaced = seen("replaced")();
const deleted: Fact = { kind: "deleted", token: "t1" };
const adopted = { adopted: true };
const [toTwo, toOther] = [{ mapping: two }, { token: "t2" }];
const inEu = (fact: Fact) => ["eu", "acme", fact] as const;

type Keyed = Fact | readonly [connection: string | undefined, userGroupId: string, fact: Fact];

function factsOf(all: readonly Keyed[]): DeploymentFacts {
  const facts = new DeploymentFacts();
  for (const each of all) {
    if ("kind" in each) facts.add(key, each);
    else facts.add(keyOf(each[0], each[1]), each[2]);
  }
  return facts;
}

describe("the decision on a creation that found the group with token t1", () => {
  const shown = { token: "t1", name: "Acme", properties: {} };
  const response = { isNew: false, isPossiblyApplied: false, group: shown };
  const rows: [what: string, facts: Keyed[], decision: string, adopt?: boolean, changes?: "update"][] = [
    ["nothing is known", [], "adopted"],
    ["nothing is known, adopt is false", [], "adoption-refused", false],
    ["the declaration alone proves nothing", [declared, tried], "adoption-refused", false],
    ["a state with another token proves nothing", [left(toTwo, { token: "t0" })], "adopted"],
    ["a former resource has the same values", [left()], "movedFrom"],
    ["a former resource has the same values, adopt is false", [left()], "movedFrom", false],
    ["a former resource has other values", [left(toTwo)], "mapping-conflict"],
    ["a former resource has other keepers", [left({ keepers: { month: "1" } })], "mapping-conflict"],
    ["a former resource adopted it with other values", [left(toTwo, adopted)], "mapping-conflict"],
    ["another proves its values, one doesn't", [left(), left(toTwo, adopted)], "movedFrom"],
    ["with changes: update", [left(toTwo)], "adopted", true, "update"],
    ["a lookup created it with other values", [lookedUp({ mapping: undefined })], "recreated"],
    ["a lookup created it with the same values", [lookedUp()], "movedFrom"],
    ["a lookup found it", [lookedUp(toTwo, adopted)], "adopted"],
    ["a lookup found it, adopt is false", [lookedUp({}, adopted)], "adoption-refused", false],
    ["the engine skipped the deletion", [replaced], "retained"],
    ["the replaced group had another token", [seen("replaced")({}, toOther)], "recreated"],
    ["its own state had another token", [recorded({}, toOther)], "recreated"],
    ["its deletion had no effect", [recorded(), deleted], "retained"],
    ["the replaced group is deleted", [replaced, { kind: "deleted", token: "t0" }], "adopted"],
    ["another ID has the token", [[undefined, "Acme", left({ userGroupId: "Acme" })]], "wrong-group"],
    ["another connection has it", [inEu(declared), inEu(recorded())], "declared-twice"],
    ["a former connection has it", [inEu(left())], "movedFrom"],
  ];
  for (const [what, facts, decision, adopt = true, changes = "replace"] of rows)
    it(`is ${decision}: ${what}`, () => {
      const request = { key, group, adopt, changes } as const;
      const creation = decideCreation(factsOf(facts), request, response);
      assert.equal(typeof creation === "string" ? creation : Object.keys(creation)[0], decision);
      const ofNew = decideCreation(factsOf(facts), request, { ...response, isNew: true });
      assert.equal(ofNew, decision === "wrong-group" ? decision : "created");
    });

  it("is ambiguous after an attempt without a response", () => {
    const request = { key, group, adopt: false, changes: "replace" } as const;
    assert.equal(
      decideCreation(factsOf([]), request, { ...response, isPossiblyApplied: true }),
      "adoption-ambiguous",
    );
  });
});

describe("the decision on a deletion of the group with token t1 and mapping one", () => {
  const claimed = { stored: { ...stored, adopted: true } };
  const otherKeepers = { keepers: { month: "2" } };
  const rows: [what: string, facts: Keyed[], decision: string, request?: Partial<DeletionRequest>][] = [
    ["nobody else has it", [], "delete"],
    ["this deployment has deleted it", [deleted], "gone"],
    ["a resource declares it and failed to get it", [declared, tried], "unconfirmed"],
    ["a resource declares it, before an update", [declared], "unconfirmed", { by: "update" }],
    ["--replace with deleteBeforeReplace, same values", [declared], "kept"],
    ["the same, other values", [{ ...declared, values: { ...group, ...toTwo } }], "delete"],
    ["another resource has got it", [declared, tried, held()], "kept"],
    ["another resource has it in its state", [declared, recorded()], "kept"],
    ["another resource no longer has it", [left()], "delete"],
    ["what another resource got is deleted", [held({}, toOther), { kind: "deleted", ...toOther }], "delete"],
    ["another resource has it in its state with another token", [recorded({}, toOther)], "stale"],
    ["another resource adopted it with another mapping", [held(toTwo, adopted)], "mapping-conflict"],
    ["another resource created it with another mapping", [held(toTwo, toOther)], "kept"],
    ["both prove a mapping with one token", [recorded(toTwo)], "mapping-conflict"],
    ["another resource adopted it with other keepers", [held(otherKeepers, adopted)], "mapping-conflict"],
    ["neither proves its mapping", [held(toTwo, adopted)], "mapping-conflict", claimed],
    ["neither state proves it", [recorded(toTwo, adopted)], "kept with an unknown mapping", claimed],
    ["only the other state proves its mapping", [recorded(toTwo)], "kept", claimed],
    ["with changes: update", [held(toTwo, adopted)], "kept", { changes: "update" }],
    ["a lookup reads it", [lookedUp({ mapping: undefined }, adopted)], "kept for lookups"],
    ["a lookup reads it, in a destroy", [lookedUp({}, adopted)], "delete", { isDestroy: true }],
    ["it is replaced", [declared, recorded(), replaced], "delete"],
    ["the engine decides to replace it", [declared, recorded(), declared], "delete"],
    ["the engine replaces it, and the new resource has it", [recorded(), declared, tried, held()], "kept"],
    ["it is recreated by an update", [declared, recorded()], "delete", { by: "recreate" }],
    ["another address has it", [inEu(held())], "kept"],
    ["it is replaced, but another address has it", [replaced, inEu(recorded())], "shared"],
    ["its token came for another ID", [inEu({ kind: "refused", token: "t1" })], "shared"],
    ["another resource adopted what came after it", [held(toTwo, { ...adopted, ...toOther })], "kept"],
  ];
  for (const [what, facts, decision, request] of rows)
    it(`is ${decision}: ${what}`, () => {
      const all = { key, stored, changes: "replace", by: "engine", isDestroy: false, ...request } as const;
      assert.equal(decideDeletion(factsOf(facts), all), decision);
    });
});

describe("the findings about a declaration", () => {
  const rows: [what: string, facts: Keyed[], findings: string][] = [
    ["nothing is known", [], ""],
    ["another resource declares it", [declared], "isDeclaredTwice"],
    ["another connection declares it", [inEu(declared)], ""],
    ["an update removes it", [left(), { kind: "removed" }], "isRemovedBefore"],
    ["a former resource has other values", [left(toTwo)], "isMovedWithChanges"],
    ["a former resource adopted it with others", [left(toTwo, adopted)], "isMovedWithChanges"],
  ];
  for (const [what, facts, findings] of rows)
    it(`are ${findings || "none"}: ${what}`, () => {
      const found = decideDeclaration(factsOf(facts), key, { ...declared, resource: "one" });
      const names = Object.entries(found).flatMap(([name, isFound]) => (isFound ? [name] : []));
      assert.equal(names.join(), findings);
    });
});
