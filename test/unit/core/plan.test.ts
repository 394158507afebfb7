/** Plans that no program of the contract suite shows. */
import assert from "node:assert/strict";
import { enforceDeletionLimit } from "../../../provider/core/change/guards";
import * as plans from "../../../provider/core/change/plan";
import { userGroupsShape } from "../../../provider/core/state/shapes";
import type { StoredGroup } from "../../../provider/core/state/group";
import { isObject, propertiesOf, unknownValue as unknown } from "../../../provider/values";

interface Rules {
  readonly removed?: unknown;
  readonly overlap?: unknown;
  readonly overlapHours?: unknown;
  readonly changes?: "replace" | "update";
}

/** The plan of a change from and to some groups. */
function plan(olds: unknown, news: unknown, { changes = "replace", ...rules }: Rules = {}) {
  const { groups = new Map() } = userGroupsShape.wantedIn({ groups: news });
  const now = Date.parse("2026-01-02T12:00:00Z");
  return plans.planChanges(groupsIn(olds), { wanted: { groups, ...rules }, changes, now });
}

function groupsIn(groups: unknown): Map<string, StoredGroup> {
  const entries = Object.entries(isObject(groups) ? groups : {});
  return new Map(
    entries.map(([userGroupId, group]) => {
      const recorded = { userGroupId, providedId: userGroupId, name: "", token: "another", adopted: false };
      return [userGroupId, { ...recorded, ...propertiesOf(group) }];
    }),
  );
}

/** `request update: name`, `leave retain` or `record`; a change of nothing is `none`. */
function textOf(change: plans.PlannedChange<object>): string {
  if (plans.changesNothing(change)) return "none";
  if (change.is === "create" || change.is === "record") return change.is;
  const because = change.is === "request" && change.because.length > 0 ? `: ${change.because.join()}` : "";
  return `${change.is} ${change.how}${because}`;
}

const a = { name: "A", mapping: { sales: 1 }, properties: { seats: { of: 2 } } };

describe("the plan of a change of groups", () => {
  const named: unknown = JSON.parse('{ "constructor": { "name": "C" }, "__proto__": { "name": "P" } }');
  const imported = { mapping: undefined, notImported: ["mapping"] };
  const drifted = { a: { ...a, name: "F", drift: { name: "A" } } };
  const apart = { a: { ...a, providedId: "a~1" } };
  const cases: [what: string, olds: unknown, news: unknown, change: string, Rules?][] = [
    ["new groups, whatever their IDs", {}, named, "create"],
    ["the same groups, whatever their IDs", named, named, "none"],
    ["groups that leave, whatever their IDs", named, {}, "leave delete"],
    ["groups that leave and are retained", named, {}, "leave retain", { removed: "retain" }],
    ["a mapping that an import didn't know", { a: { ...a, ...imported } }, { a }, "record"],
    ["no mapping either", { a: { ...a, ...imported } }, { a: { ...a, mapping: null } }, "record"],
    ["no keepers, which an import didn't know", { a: { ...a, notImported: ["keepers"] } }, { a }, "record"],
    ["a drift that the program has taken over", drifted, { a }, "record"],
    ["hours of a group", { a }, { a: { ...a, overlapHours: 1 } }, "record"],
    ["a doubt", { a: { ...a, doubt: true } }, { a }, "request settle"],
    [
      "a doubt and a change",
      { a: { ...a, doubt: true } },
      { a: { ...a, name: "B" } },
      "request recreate: name",
    ],
    ["a drift that the program keeps", drifted, { a: { ...a, name: "F" } }, "request recreate: name"],
    ["a change", { a }, { a: { ...a, name: "B", keepers: { k: "1" } } }, "request recreate: name,keepers"],
    ["a change with overlap", { a }, { a: { ...a, name: "B" } }, "request renew: name", { overlap: true }],
    ["a change of a group with another ID", apart, { a: { ...a, name: "B" } }, "request renew: name"],
    [
      "a change with updates",
      { a },
      { a: { ...a, mapping: {} } },
      "request update: mapping",
      { changes: "update" },
    ],
    [
      ...(["keepers with updates", { a }, { a: { ...a, name: "B", keepers: { k: "1" } } }] as const),
      ...(["request recreate: keepers", { changes: "update" }] as const),
    ],
  ];
  for (const [what, olds, news, change, rules] of cases)
    it(`is only "${change}" for ${what}`, () => {
      const changes = plan(olds, news, rules);
      assert.equal(changes.length, [olds, news].includes(named) ? 2 : 1);
      assert.deepEqual([...new Set(changes.map(textOf))], [change]);
    });

  for (const [what, news, removed] of [
    ["a group", { a: unknown }, undefined],
    ["a part of a field", { a: { ...a, properties: { seats: { of: unknown } } } }, undefined],
    ["the argument removed", {}, unknown],
  ] as const)
    it(`is uncertain if ${what} is unknown, and then within any limit`, () => {
      const changes = plan({ a }, news, { removed });
      assert.deepEqual(
        changes.map(({ isUncertain }) => isUncertain),
        [true],
      );
      enforceDeletionLimit(changes, { groups: undefined, deletionLimit: 0 });
    });

  it("counts the groups that it deletes once: with overlap, those of hours that are 0", () => {
    const news = { a: { ...a, name: "B" }, b: { ...a, name: "B", overlapHours: 0 } };
    const changes = plan({ a, b: a, gone: a }, news, { overlap: true });
    const wanted = { groups: undefined, overlap: true };
    enforceDeletionLimit(changes, { ...wanted, deletionLimit: 2 });
    assert.throws(
      () => {
        enforceDeletionLimit(changes, { ...wanted, deletionLimit: 1 });
      },
      { code: "deletion-limit" },
    );
  });
});

describe("the plan of former groups", () => {
  const ended = { ...a, userGroupId: "a", providedId: "a~1", token: "t1", until: "2026-01-02T12:00:00Z" };
  const staying = { ...ended, name: "S", providedId: "a~2", token: "t2", until: "2026-01-02T12:00:01Z" };
  const olds = { a: { ...a, name: "C", former: [ended, staying] } };
  const cases: [what: string, news: object, expired: string[], Rules][] = [
    ["whose time is over", { a: { name: "C" } }, ["t1"], { overlap: true }],
    ["of a program that leaves overlap out", { a: { name: "C" } }, ["t1"], {}],
    ["of a program with overlap: false", { a: { name: "C" } }, ["t1", "t2"], { overlap: false }],
    ["of a resource without hours", { a: { name: "C" } }, ["t1", "t2"], { overlap: true, overlapHours: 0 }],
    ["of a group without hours", { a: { name: "C", overlapHours: 0 } }, ["t1", "t2"], { overlap: true }],
    ["within fewer hours", { a: { name: "C" } }, ["t1"], { overlap: true, overlapHours: 0.0001 }],
    ["of a customer who is retained", {}, ["t1"], { removed: "retain" }],
    ["but never the one that is current again", { a }, [], { overlap: true }],
  ];
  for (const [what, news, expired, rules] of cases)
    it(`ends those ${what}`, () => {
      const declared = Object.entries(news).map(([id, group]) => [id, { ...a, ...propertiesOf(group) }]);
      const [change] = plan(olds, Object.fromEntries(declared), rules);
      assert.deepEqual(
        change?.expired.map(({ token }) => token),
        expired,
      );
    });
});
