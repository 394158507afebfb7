import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  asSent,
  storedAsAdopted,
  storedAsRead,
  storedAsSent,
  isReturnedAsBefore,
  withoutDrift,
  withoutState,
  type Group,
  type StoredGroup,
  type ReturnedFields,
} from "../../../provider/src/core/group/storedGroup";

const [eu, us, free] = [{ region: "eu" }, { region: "us" }, { plan: "free" }];
const acme: Group = { userGroupId: "acme", name: " Acme ", mapping: { a: 1 }, properties: eu };
const bare: Group = { userGroupId: "acme", name: "Acme" };
const trimmed = { name: "Acme", properties: eu };

/** A copy without the properties that are undefined, which a state doesn't have. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function returned({ name = "", properties = {} }: ReturnedFields) {
  return { token: "t1", name, properties };
}

function read(stored: StoredGroup, fields: ReturnedFields, isNew = false): StoredGroup {
  return storedAsRead(stored, { group: returned(fields), isNew, isPossiblyApplied: false });
}

/** The state has what is shown: properties as a digest of their JSON, whose keys are sorted. */
function shownAs({ name, properties }: ReturnedFields): StoredGroup["storedAs"] {
  const text = JSON.stringify(properties, Object.keys({ plan: 1, region: 1, ...properties }).sort());
  return {
    ...(name !== undefined && { name }),
    ...(properties && { properties: createHash("sha256").update(text).digest("base64") }),
  };
}

/** Whether the service returns both fields as before. */
function isAsBefore(stored: StoredGroup, fields: ReturnedFields): boolean[] {
  return (["name", "properties"] as const).map((field) =>
    isReturnedAsBefore(field, stored, returned(fields)),
  );
}

describe("the state of a created group", () => {
  const cases: [what: string, group: Group, returned: ReturnedFields, shown: ReturnedFields | undefined][] = [
    ["as sent", acme, { name: " Acme ", properties: eu }, undefined],
    ["with a trimmed name", acme, trimmed, { name: "Acme" }],
    [
      "with a default",
      acme,
      { name: " Acme ", properties: { ...eu, ...free } },
      { properties: { ...eu, ...free } },
    ],
    ["with a default, and none sent", bare, { name: "Acme", properties: free }, { properties: free }],
    ["with an empty name", bare, { name: "" }, { name: "" }],
    ["without properties", acme, { name: " Acme " }, { properties: {} }],
    ["with empty properties, and none sent", bare, { name: "Acme", properties: {} }, undefined],
  ];
  for (const [what, group, fields, shown] of cases)
    it(`that is returned ${what} is as sent, settles, and is sent again as it is`, () => {
      const stored = storedAsSent(group, returned(fields), false);
      assert.deepEqual(
        json(stored),
        json({ ...group, token: "t1", adopted: false, storedAs: shown && shownAs(shown) }),
      );
      assert.deepEqual(json(read(stored, fields)), json(stored));
      assert.deepEqual(json(asSent(stored)), json(stored));
      const { name = "", properties = {} } = fields;
      assert.deepEqual(isAsBefore(stored, { name, properties }), [true, true]);
      assert.deepEqual(isAsBefore(stored, { name: `${name}2`, properties: { other: 1 } }), [false, false]);
    });
});

describe("the state of a group after a read", () => {
  const stored = storedAsSent(acme, returned({ name: "Acme", properties: { ...eu, ...free } }), true);
  const lastSent = { properties: eu };

  const drifts: [returned: ReturnedFields, drift: Partial<StoredGroup>][] = [
    [
      { name: "Theirs", properties: { ...eu, ...free } },
      { name: "Theirs", lastSent: { name: " Acme " } },
    ],
    [
      { name: "Acme", properties: { ...us, ...free } },
      { properties: { ...us, ...free }, lastSent },
    ],
    [
      { name: "Acme", properties: free },
      { properties: free, lastSent },
    ],
    [
      { name: "Acme", properties: {} },
      { properties: {}, lastSent },
    ],
    [
      { name: "Theirs", properties: us },
      { name: "Theirs", properties: us, lastSent: { name: " Acme ", ...lastSent } },
    ],
  ];
  for (const [fields, drift] of drifts)
    it(`has a drift to ${JSON.stringify(fields)} as long as it is there, and what was sent`, () => {
      const drifted = read(stored, fields);
      assert.deepEqual(json(drifted), json({ ...stored, ...drift }));
      assert.deepEqual(json(asSent(drifted)), json(stored));
      assert.deepEqual(isAsBefore(drifted, fields), [true, true]);
      assert.deepEqual(isAsBefore(drifted, { name: "Other", properties: { other: 1 } }), [false, false]);
      assert.deepEqual(json(read(drifted, fields)), json(drifted));
      const undone = { name: "Acme", properties: { ...eu, ...free } };
      assert.deepEqual(json(read(drifted, undone)), json(stored));
    });

  it("has properties that appear where none were sent, and none again when they go", () => {
    const none = storedAsSent(bare, returned({ name: "Acme" }), false);
    const drifted = read(none, { name: "Acme", properties: us });
    assert.deepEqual(json(drifted), json({ ...none, properties: us, lastSent: { properties: {} } }));
    const undone = read(drifted, { name: "Acme", properties: {} });
    assert.deepEqual([undone.properties, undone.lastSent], [{}, undefined]);
  });

  it("has no drift if the service returns what was sent", () => {
    assert.deepEqual(json(read(stored, { name: " Acme ", properties: eu })), json(stored));
  });

  it("counts as sent once the program has taken over the drift", () => {
    const drifted = read(stored, { name: "Theirs", properties: { ...eu, ...free } });
    const taken = withoutDrift(drifted, withoutState(drifted));
    const { name, ...storedAs } = stored.storedAs ?? {};
    assert.deepEqual(json(taken), json({ ...stored, name: "Theirs", storedAs }));
    assert.deepEqual(json(asSent(taken)), json(taken));
  });

  it("counts as adopted if the token is another", () => {
    const created = storedAsSent(bare, returned({ name: "Acme" }), false);
    assert.equal(read({ ...created, token: "t0" }, { name: "Acme" }).adopted, true);
  });

  it("of a group that was created again is that of a created group, without its drift", () => {
    const drifted = read(stored, { name: "Theirs" });
    assert.deepEqual(
      json(read({ ...drifted, token: "old" }, trimmed, true)),
      json({ ...acme, token: "t1", adopted: false, storedAs: { name: "Acme" } }),
    );
  });
});

describe("the state of an adopted group", () => {
  it("has other values as a drift, which the next preview shows", () => {
    const stored = storedAsAdopted(acme, returned({ name: "Theirs", properties: us }));
    const lastSent = { name: " Acme ", properties: eu };
    const theirs = { name: "Theirs", properties: us };
    assert.deepEqual(json(stored), json({ ...acme, ...theirs, token: "t1", adopted: true, lastSent }));
    assert.deepEqual(json(read(stored, theirs)), json(stored));
  });
});
