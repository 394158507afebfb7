/** The two tables of decisions: for each row, the facts of which it is made. test/contract shows what each row is for. */
import assert from "node:assert/strict";
import { decideCreate } from "../../../provider/src/core/deployment/createTable";
import { decideDelete, type DeleteSituation } from "../../../provider/src/core/deployment/deleteTable";
import { Facts, type Holder, type PlannedGroup } from "../../../provider/src/core/deployment/facts";
import { customerOf } from "../../../provider/src/core/state/resource";
import type { StoredGroup } from "../../../provider/src/core/state/storedGroup";

const address = "https://one.example";
const values = { userGroupId: "acme", name: "Acme", mapping: { sales: "one" } };
const acme: StoredGroup = { ...values, providedId: "acme", token: "t1", adopted: false };
const former = [{ name: "Acme", mapping: { sales: "one" }, providedId: "acme", token: "t1" }];
const successor = { providedId: "acme~2", token: "t2", former };
const Acme = { userGroupId: "Acme", providedId: "Acme" };
const two = { mapping: { sales: "two" } };
const t2 = { token: "t2" };
const adopted = { adopted: true };

type Told = (facts: Facts) => void;

function known(resource: string, changed: Partial<StoredGroup>, connection?: string) {
  const group = { ...acme, ...changed };
  return { resource, customer: customerOf(connection, group.userGroupId), address, group };
}

const holds =
  (how: Holder["how"], changed: Partial<StoredGroup> = {}, resource = "other", connection?: string): Told =>
  (facts) => {
    facts.hold({ ...known(resource, changed, connection), how });
  };
const plans =
  (plan: PlannedGroup["plan"], changed: Partial<StoredGroup> = {}, resource = "own"): Told =>
  (facts) => {
    facts.plan({ ...known(resource, changed), plan });
  };
const declares =
  (resource = "other"): Told =>
  (facts) => {
    facts.declare(resource, [customerOf(undefined, "acme")], {});
  };
const deletes =
  (token = "t1"): Told =>
  (facts) => {
    facts.noteDeleted(address, { providedId: "acme", token });
  };
const diffs: Told = (facts) => {
  facts.startDiff("other");
};

function factsOf(told: readonly Told[]): Facts {
  const facts = new Facts();
  for (const tell of told) tell(facts);
  return facts;
}

describe("the table of creations", () => {
  const customer = customerOf(undefined, "acme");
  const usual = { resource: "own", customer, address, group: acme, adopt: true, isDerived: false };
  const ofEu = holds("stays", {}, "other", "eu");
  const lost = { isPossiblyApplied: true };
  const rows: [row: string, what: string, told: Told[], options?: object][] = [
    ["new", "another ID has the token", [holds("stays", Acme)], { isNew: true }],
    ["token of another ID", "a state has it", [holds("stays", Acme)]],
    ["token of another ID", "a state has it as former", [holds("stays", { ...Acme, former })]],
    ["token of another ID", "a state that leaves has it", [plans("removed", Acme)]],
    ["held by another connection", "a state stays", [ofEu]],
    ["found", "the group of the other connection was deleted", [ofEu, deletes()]],
    ["own former group", "the state has it", [], { own: { ...acme, ...successor } }],
    ["found", "the former group has another token", [], { own: { ...acme, former }, token: "t3" }],
    ["not deleted", "its deletion was skipped", [plans("recreated")]],
    ["not deleted", "its deletion had no effect", [plans("recreated"), deletes()]],
    ["not deleted", "an attempt was lost, nothing deleted", [plans("recreated")], lost],
    ["found", "it was deleted, an attempt was lost", [plans("recreated"), deletes()], lost],
    ["found", "the state had another token", [plans("recreated", t2)]],
    ["found", "another resource recreates it", [plans("recreated", {}, "other")]],
    ["own group", "the state has it", [], { own: acme, adopt: false }],
    ["found", "the state has another token", [], { own: { ...acme, ...t2 } }],
    ["found, adopt is false", "a state of another resource has it", [holds("stays")], { adopt: false }],
    ["found by its derived ID", "the ID is derived", [], { isDerived: true }],
    ["found", "nothing is known", []],
  ];
  for (const [row, what, told, options = {}] of rows)
    it(`has the row "${row}": ${what}`, () => {
      const found = { isNew: false, isPossiblyApplied: false, token: "t1", ...options };
      const situation = { ...usual, own: undefined, facts: factsOf(told), ...options };
      assert.equal(decideCreate(situation, found).row, row);
    });
});

describe("the table of deletions", () => {
  const customer = customerOf(undefined, "acme");
  const usual = { resource: "own", customer, address, stored: acme, changes: "replace" } as const;
  const usualFlags = { isFormer: false, isUpdate: false, retains: false };
  const isFormer = { isFormer: true };
  const unproved = { stored: { ...acme, ...adopted } };
  const update = { changes: "update" } as const;
  const imported = { mapping: undefined, unknown: ["mapping" as const] };
  const rows: [row: string, what: string, told: Told[], options?: Partial<DeleteSituation>][] = [
    ["deleted before", "another resource declares it", [deletes(), declares()]],
    ["held with the same values", "it was created again", [deletes(), holds("new")]],
    ["token of another ID", "a state has it", [holds("stays", Acme)]],
    ["held as former", "a state has it as former", [holds("stays", successor)]],
    ["got another group", "and drops it now", [holds("got", { ...successor, former: undefined })]],
    ["held with the same values", "a state stays", [holds("stays")]],
    ["held with the same values", "another resource got it", [holds("got")]],
    ["held with the same values", "another connection has it", [holds("got", {}, "other", "eu")]],
    ["held with the same values", "a replacement got it", [holds("got", {}, "own")]],
    ["otherwise", "an update's own state", [holds("stays", {}, "own")], { isUpdate: true }],
    ["held with the same values", "a group with its token is new", [holds("new", two)]],
    ["held with the same values", "an import didn't know the mapping", [holds("got", imported)]],
    ["held with the same values", "with changes: update", [holds("got", two)], update],
    ["held by its creator", "neither has sent its name", [holds("stays", { name: "New" })], unproved],
    ["held by its creator", "this state adopted it", [holds("stays", two)], unproved],
    ["held with other values", "both adopted it", [holds("got", { ...two, ...adopted })], unproved],
    ["held with other values", "this state created it", [holds("got", { ...two, ...adopted })]],
    ["held with other values", "other keepers", [holds("got", { keepers: { m: "1" } })], update],
    ["replaced by a new group", "another resource created it", [holds("new", { ...two, ...t2 })]],
    ["replaced by a new group", "of a former group", [holds("stays", t2)], isFormer],
    ["held with another token", "a state stays", [holds("stays", t2)]],
    ["otherwise", "a later diff no longer has it", [holds("stays"), diffs]],
    ["got another group", "with overlap", [holds("new", { ...successor, former: undefined })]],
    ["otherwise", "of a former group", [holds("new", { ...successor, former: undefined })], isFormer],
    ["not got yet", "another resource declares it", [declares()]],
    ["otherwise", "the resource declares it", [declares("own"), plans("recreated")]],
    ["otherwise", "its URN was another one", [declares(), plans("recreated", {}, "other")]],
    ["otherwise", "another resource leaves it", [plans("removed", {}, "other")]],
    ["retained", "removed is retain", [], { retains: true }],
    ["otherwise", "removed is retain, of a former group", [], { retains: true, ...isFormer }],
  ];
  for (const [row, what, told, options] of rows)
    it(`has the row "${row}": ${what}`, () => {
      const situation = { ...usual, ...usualFlags, facts: factsOf(told), ...options };
      assert.equal(decideDelete(situation).row, row);
    });
});
