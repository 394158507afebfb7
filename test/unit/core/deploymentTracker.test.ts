import assert from "node:assert/strict";
import { DeploymentTracker, type GroupValues } from "../../../provider/src/core/deploymentTracker";
import type { StoredGroup } from "../../../provider/src/core/storedGroup";
import { unknownValue } from "../../../provider/src/values";

const key = "acme";
const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 1 } };
const other = { ...acme, mapping: { sales: 2 } };
const stored = { ...acme, token: "t", adopted: false };

/** One resource declares the group, which its state has (`recorded`) or not. */
function declare(tracker: DeploymentTracker, resource: string, values?: GroupValues, recorded?: GroupValues) {
  const groups = (group?: GroupValues) => new Map(group ? [[key, group]] : []);
  return tracker.declare({ resource, groups: groups(values), recorded: recorded && groups(recorded) });
}

type Step = (tracker: DeploymentTracker) => unknown;

function tracking(...steps: Step[]): DeploymentTracker {
  const tracker = new DeploymentTracker();
  for (const step of steps) step(tracker);
  return tracker;
}

const declared: Step = (tracker) => declare(tracker, "one", acme);
const kept: Step = (tracker) => declare(tracker, "one", acme, acme);
const own: Step = (tracker) => {
  tracker.noteOwn(key, acme, { token: "t" });
};
const deletedFirst: Step = (tracker) => {
  tracker.noteDeletedFirst(key, stored);
};
const replaced: Step = (tracker) => {
  tracker.noteReplaced(key);
};
const adopted: Step = (tracker) => {
  tracker.noteHolder(key, acme.mapping, false);
};
const created: Step = (tracker) => {
  tracker.noteHolder(key, acme.mapping, true);
};
const deleted: Step = (tracker) => {
  tracker.noteDeleted(key);
};
const leaving: Step = (tracker) => {
  tracker.noteLeaving(key, other);
};
const left: Step = (tracker) => declare(tracker, "two", undefined, other);
const lookedUp: Step = (tracker) => {
  tracker.noteLookedUp(key);
};

describe("the tracker of a deployment: the deletion of a resource", () => {
  for (const [what, keeps, ...steps] of [
    ["nothing is known of", false],
    ["another resource declares", true, declared],
    ["another resource has adopted", true, declared, adopted],
    ["another resource adopted in an earlier run", true, kept, own],
    ["a lookup reads", true, lookedUp],
    ["is replaced", false, kept, own, replaced],
    [
      "is replaced on demand, which the engine checks again without its state",
      false,
      kept,
      deletedFirst,
      declared,
    ],
    ["was replaced, and is there again", true, kept, replaced, deleted, created],
    ["only a refresh or a destroy has compared", false, own, deletedFirst, replaced],
    ["leaves the program", false, left],
  ] as const)
    it(`${keeps ? "keeps" : "deletes"} a group that ${what}`, () => {
      const tracker = tracking(...steps);
      assert.equal(tracker.isUsedElsewhere(key) && !tracker.isReplaced(key), keeps);
    });
});

describe("the tracker of a deployment: the mapping of a group that is kept", () => {
  const former = { ...stored, token: "former" };
  for (const [what, isInDoubt, { mapping, ...group }, ...steps] of [
    ["the same mapping, adopted", false, acme, declared, adopted],
    ["another mapping, adopted", true, other, declared, adopted],
    ["another mapping, created in this deployment", false, other, declared, created],
    ["another mapping, to be adopted", true, other, declared],
    ["the same mapping, to be adopted", false, acme, declared],
    ["another mapping, set by this stack before", false, other, kept, own],
    ["another mapping, and both states have the same token", true, { ...other, token: "t" }, kept, own],
    [
      "no mapping, and the state has an empty one",
      false,
      { mapping: {} },
      (tracker) => declare(tracker, "one", { name: "A" }),
    ],
    ["another mapping, in no program", false, other, adopted],
  ] as const satisfies [string, boolean, Partial<StoredGroup>, ...Step[]][])
    it(`is ${isInDoubt ? "in doubt" : "certain"} with ${what}`, () => {
      assert.equal(tracking(...steps).isMappingInDoubt(key, { ...former, ...group, mapping }), isInDoubt);
    });
});

describe("the tracker of a deployment: a group that exists at its creation", () => {
  for (const [what, expected, ...steps] of [
    ["nothing is known of", false, declared],
    ["another resource has left", true, left, declared],
    ["another resource leaves after that", true, declared, left],
    ["an update leaves", true, declared, leaving],
    [
      "its own resource has, on demand",
      true,
      kept,
      (tracker) => {
        tracker.noteOwn(key, other);
      },
    ],
    ["has the same values", false, declared, own],
    ["was created by this deployment", false, left, declared, created],
    ["was adopted by this deployment", true, left, declared, adopted],
    ["was deleted by this deployment", false, left, declared, deleted],
  ] as const satisfies [string, boolean, ...Step[]][])
    it(`${expected ? "has" : "hasn't"} other values if it ${what}`, () => {
      assert.equal(tracking(...steps).hasOtherValues(key, acme), expected);
    });

  it("is undeleted if it should have been deleted first, and wasn't in this deployment", () => {
    assert.equal(tracking(kept, deletedFirst, replaced).undeleted(key), stored);
    assert.equal(tracking(kept, deletedFirst, declared).undeleted(key), stored);
    for (const steps of [
      [kept, deletedFirst],
      [kept, replaced],
      [kept, deletedFirst, replaced, deleted],
    ])
      assert.equal(tracking(...steps).undeleted(key), undefined);
  });
});

describe("the tracker of a deployment: declarations", () => {
  it("finds two resources with the same group, and not one that is checked twice", () => {
    const tracker = tracking(declared);
    assert.deepEqual(declare(tracker, "one", acme, acme).declaredTwice, []);
    assert.deepEqual(declare(tracker, "two", other).declaredTwice, [key]);
    const unknown = { resource: undefined, groups: new Map([[key, acme]]), recorded: undefined };
    assert.deepEqual(new DeploymentTracker().declare(unknown).declaredTwice, []);
    assert.deepEqual(tracking(declared).declare(unknown).declaredTwice, []);
  });

  it("finds a group that moves with other values, in both orders", () => {
    assert.deepEqual(declare(tracking(left), "one", acme).movedWithChanges, [key]);
    assert.deepEqual(declare(tracking(declared), "two", undefined, other).movedWithChanges, [key]);
    for (const values of [other, { ...other, mapping: unknownValue }, { ...other, keepers: { a: "1" } }])
      assert.deepEqual(declare(tracking(left), "one", values).movedWithChanges, []);
    assert.deepEqual(declare(tracking(left, declared, created), "one", acme, acme).movedWithChanges, []);
  });
});

describe("the tracker of a deployment: the reads of a group", () => {
  const live = { ...other, token: "new", adopted: false };
  const stale = { ...acme, token: "old", adopted: false, keepers: { month: "1" } };
  const reading = (tracker: DeploymentTracker, group: StoredGroup, result: Partial<StoredGroup> = {}) =>
    tracker.inTurn(key, () =>
      tracker.read(key, group, async () => {
        await Promise.resolve();
        return { ...group, token: "new", ...result };
      }),
    );

  it("give a state with an earlier token what the other state has read", async () => {
    const tracker = new DeploymentTracker();
    const reads = await Promise.all([reading(tracker, live), reading(tracker, stale)]);
    assert.deepEqual(reads, [live, { ...live, keepers: stale.keepers, dataSourceProvidedId: undefined }]);
  });

  it("end with that of the state that has the token", async () => {
    const tracker = new DeploymentTracker();
    const reads = await Promise.all([reading(tracker, stale), reading(tracker, live)]);
    assert.deepEqual(reads, [{ ...stale, token: "new" }, live]);
  });

  it("are of no use once the group is created again", async () => {
    const tracker = new DeploymentTracker();
    await reading(tracker, live);
    created(tracker);
    assert.deepEqual(await reading(tracker, stale), { ...stale, token: "new" });
  });

  it("go on after one that failed", async () => {
    const tracker = new DeploymentTracker();
    const fails = () => tracker.read(key, stale, () => Promise.reject(new Error("refused")));
    await assert.rejects(tracker.inTurn(key, fails));
    assert.deepEqual(await reading(tracker, live), live);
  });
});
