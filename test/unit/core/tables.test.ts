/** The two tables, row by row, and the moves that a `UserGroups` refuses. Each case is the first row that matches. */
import assert from "node:assert/strict";
import { decideDelete, type DeleteSituation } from "../../../provider/core/deletion/deleteTable";
import { Facts, type Declaration, type KnownGroup } from "../../../provider/core/deployment/facts";
import { refusalOf, wouldTakeOver } from "../../../provider/core/deletion/moves";
import { decideCreate } from "../../../provider/core/creation/createGroup";
import type { StoredGroup } from "../../../provider/core/state/group";
import { derivedId } from "../../../provider/core/rotation/overlap";
import { resourceOf, unknownValue as unknown } from "../../../provider/values";

const own = resourceOf("own");
const other = resourceOf("other");
const values = { name: "Acme", mapping: { sales: "one" }, properties: { seats: 2 }, keepers: { month: "1" } };
const stored: StoredGroup = {
  ...{ ...values, userGroupId: "acme", providedId: "acme" },
  ...{ token: "t1", adopted: false },
};
const derived = { ...stored, providedId: derivedId(stored, "replace") };
const until = "2026-01-02T12:00:00Z";
const former = { ...stored, providedId: "acme~1", token: "t0", until };

type Known = readonly [KnownGroup["resource"], KnownGroup["status"], Partial<StoredGroup>?];

interface Deployment {
  readonly known?: readonly Known[];
  /** The resource that declares the customer, and its values. */
  readonly declared?: readonly [KnownGroup["resource"], object?];
  readonly deleted?: readonly StoredGroup[];
}

/** What the facts of a deployment show the resource `own` of the customer acme. */
function viewOf({ known = [], declared, deleted = [] }: Deployment) {
  const facts = new Facts();
  if (declared) {
    const [resource, others] = declared;
    const declaration = { values: { ...values, ...others }, overlap: undefined, endsFormer: false };
    facts.declare(resource, new Map([["acme", declaration]]), { dropped: [] });
  }
  for (const [resource, status, changed] of known)
    facts.note({ resource, status, group: { ...stored, ...changed } });
  for (const group of deleted) facts.noteDeleted(group);
  return facts.view({ resource: own, userGroupId: "acme" });
}

describe("the table of creations", () => {
  const found = (token = "t1") => {
    return { isNew: false, isPossiblyApplied: false, group: { token, name: "Acme", properties: {} } };
  };
  const situation = {
    ...{ group: stored, providedId: "acme", own: undefined, adopt: true, isDerived: false },
    result: found(),
  };
  type Situation = Omit<Parameters<typeof decideCreate>[0], "own"> & {
    readonly own: StoredGroup | undefined;
  };
  const asFormer = {
    ...stored,
    providedId: "acme~2",
    token: "t2",
    former: [{ ...former, providedId: "acme" }],
  };
  const elsewhere = { userGroupId: "ACME", providedId: "ACME" };
  const cases: [row: string, what: string, Partial<Situation>, Deployment?][] = [
    ["new", "the service created it", { result: { ...found(), isNew: true } }],
    [
      "new",
      "also with the token of a deleted group",
      { result: { ...found(), isNew: true } },
      { deleted: [stored] },
    ],
    ["wrong-group", "its token is another group's", {}, { known: [[other, "stays", elsewhere]] }],
    ["former", "the state's former group", { own: asFormer, result: found("t0") }],
    ["replacement-retained", "it was to be recreated, and is there", {}, { known: [[own, "recreated"]] }],
    ["still-shown", "its deletion is confirmed", {}, { known: [[own, "recreated"]], deleted: [stored] }],
    ["still-shown", "another resource has deleted it", {}, { deleted: [stored] }],
    ["own", "the state's own", { own: stored, adopt: false }],
    ["adoption-refused", "adopt is false", { adopt: false }],
    ["adoption-refused", "the state had another token", { own: stored, adopt: false, result: found("t9") }],
    ["found", "anything else", {}],
    ["found", "another resource has it", {}, { known: [[other, "stays"]] }],
  ];
  for (const [row, what, changed, deployment = {}] of cases)
    it(`says "${row}" if ${what}`, () => {
      assert.equal(decideCreate({ ...situation, ...changed }, viewOf(deployment)).row, row);
    });

  it("knows the mapping of a found group only by an ID that is derived from all values", () => {
    for (const isDerived of [false, true])
      assert.deepEqual(decideCreate({ ...situation, isDerived }, viewOf({})), {
        row: "found",
        isMappingKnown: isDerived,
      });
  });
});

describe("the table of deletions", () => {
  const situation: DeleteSituation = {
    ...{ stored, isFormer: false, until: undefined, retains: false },
    ...{ isUpdate: false, overlaps: false, changes: "replace" },
  };
  const byUpdate = { isUpdate: true };
  const retained = { isUpdate: true, retains: true };
  const ofFormer = { stored: former, isFormer: true };
  const renamed = { name: "Corp" };
  const cases: [row: string, what: string, Partial<DeleteSituation>, Deployment?][] = [
    ["nothing", "its deletion is confirmed", {}, { deleted: [stored] }],
    [
      "nothing",
      "its ID has a group that this deployment created",
      {},
      { known: [[other, "new", { token: "t2" }]] },
    ],
    ["nothing", "its own replacement has another token", {}, { known: [[own, "got", { token: "t2" }]] }],
    [
      "wrong-group",
      "its token is held for another ID",
      {},
      { known: [[other, "stays", { providedId: "ACME" }]] },
    ],
    ["removed-elsewhere", "another resource declares it", byUpdate, { declared: [other] }],
    [
      ...(["removed-elsewhere", "another resource declares it and has its group"] as const),
      ...([byUpdate, { declared: [other], known: [[other, "stays"]] }] as const),
    ],
    [
      ...([
        "mapping-conflict declares-other-mapping",
        "the other resource declares another mapping",
      ] as const),
      ...([retained, { declared: [other, { mapping: { sales: "two" } }] }] as const),
    ],
    ["retained", "the other resource will adopt it", retained, { declared: [other, renamed] }],
    [
      ...(["leaves", "the other resource has it, although it declares another mapping"] as const),
      ...([retained, { declared: [other, { mapping: {} }], known: [[other, "got"]] }] as const),
    ],
    ["leaves", "another resource has it", {}, { known: [[other, "got"]] }],
    [
      "leaves",
      "another resource has created it with other keepers",
      {},
      { known: [[other, "new", { keepers: {} }]] },
    ],
    [
      "leaves",
      "another resource has it as a former group",
      ofFormer,
      { known: [[other, "stays", { former: [former], token: "t2", providedId: "acme~2" }]] },
    ],
    [
      "mapping-conflict has-other-mapping",
      "another resource has it with other keepers",
      {},
      { known: [[other, "got", { keepers: {} }]] },
    ],
    [
      "leaves",
      "what an import didn't know differs",
      {},
      { known: [[other, "got", { keepers: {}, notImported: ["keepers"] }]] },
    ],
    [
      "leaves",
      "changes is update, and the mapping differs",
      { changes: "update" },
      { known: [[other, "got", { mapping: {} }]] },
    ],
    [
      "leaves again",
      "changes is update, and a state has another name",
      { changes: "update" },
      { known: [[other, "stays", renamed]] },
    ],
    ["retained", "removed is retain", { retains: true }],
    [
      "retained",
      "removed is retain, and a former group is in its time",
      { ...ofFormer, retains: true, until },
    ],
    ["delete", "removed is retain, and a former group's time is over", { ...ofFormer, retains: true }],
    [
      "move-unconfirmed got-another-token",
      "a state has its ID with another token",
      {},
      { known: [[other, "stays", { token: "t2" }]] },
    ],
    [
      "move-unconfirmed in-its-time",
      "it is a former group of a declared customer",
      { ...ofFormer, until },
      { declared: [other] },
    ],
    [
      "move-unconfirmed deleted-first",
      "overlap is deleted before its replacement",
      { overlaps: true },
      { declared: [own] },
    ],
    [
      "move-unconfirmed got-another-group",
      "another resource got another group",
      {},
      { known: [[other, "got", { providedId: "acme~2", token: "t2" }]] },
    ],
    [
      "move-unconfirmed not-got-yet",
      "another resource declares it, and has no group",
      {},
      { declared: [other] },
    ],
    [
      "delete",
      "the declaring resource recreates it",
      {},
      { declared: [other], known: [[other, "recreated"]] },
    ],
    [
      "delete",
      "the declaring resource has another group for longer",
      {},
      { declared: [other], known: [[other, "stays", { providedId: "acme~2", token: "t2" }]] },
    ],
    ["delete", "nobody else has or declares it", {}, { known: [[own, "left"]] }],
  ];
  for (const [expected, what, changed, deployment = {}] of cases)
    it(`says "${expected}" if ${what}`, () => {
      const decision = decideDelete({ ...situation, ...changed }, viewOf(deployment));
      const reason = "reason" in decision ? ` ${decision.reason}` : "";
      const again = "resend" in decision ? " again" : "";
      assert.equal(decision.row + reason + again, expected);
    });
});

describe("a group that leaves a UserGroups", () => {
  const declaration = (changed: object, overlap?: unknown): Declaration => {
    return { resource: other, values: { ...values, ...changed }, overlap, endsFormer: false };
  };
  const notImported = { ...stored, mapping: undefined, notImported: ["mapping"] as const };
  const cases: [isTakenOver: boolean, what: string, Declaration, StoredGroup, "update"?][] = [
    [true, "the same values", declaration({}), stored],
    [true, "another name", declaration({ name: "Corp", properties: {} }), stored],
    [false, "another mapping", declaration({ mapping: { sales: "two" } }), stored],
    [false, "no keepers", declaration({ keepers: undefined }), stored],
    [true, "another mapping, if changes is update", declaration({ mapping: {} }), stored, "update"],
    [false, "other keepers, if changes is update", declaration({ keepers: {} }), stored, "update"],
    [true, "a mapping that isn't known yet", declaration({ mapping: unknown }), stored],
    [
      false,
      "a mapping that isn't known yet, and other keepers",
      declaration({ mapping: unknown, keepers: {} }),
      stored,
    ],
    [true, "a mapping that an import didn't know", declaration({}), notImported],
    [false, "overlap, and the group has the plain ID", declaration({}, true), stored],
    [false, "no overlap, and the group has a derived ID", declaration({}), derived],
    [true, "overlap, and the group has the ID of the same values", declaration({}, true), derived],
    [
      false,
      "overlap, and the group has the ID of another name",
      declaration({ name: "Corp" }, true),
      derived,
    ],
    [true, "an overlap that isn't known yet", declaration({}, unknown), derived],
    [true, "a name that isn't known yet, with overlap", declaration({ name: unknown }, true), stored],
  ];
  for (const [isTakenOver, what, declared, group, changes = "replace"] of cases)
    it(`${isTakenOver ? "is" : "isn't"} taken over by a resource that declares ${what}`, () => {
      assert.equal(wouldTakeOver(declared, group, changes), isTakenOver);
    });

  const conflict = declaration({ mapping: {} });
  for (const [expected, move] of [
    ["removed-elsewhere", { how: "delete", declaration: declaration({}), hasGroup: false }],
    ["removed-elsewhere", { how: "delete", declaration: declaration({}), hasGroup: true }],
    [undefined, { how: "retain", declaration: declaration({}), hasGroup: false }],
    ["mapping-conflict", { how: "retain", declaration: conflict, hasGroup: false }],
    [undefined, { how: "retain", declaration: conflict, hasGroup: true }],
  ] as const)
    it(`by "${move.how}" is ${expected ?? "allowed"}${move.hasGroup ? ", if the other resource has a group" : ""}`, () => {
      assert.equal(refusalOf({ ...move, stored }, "replace"), expected);
    });
});
