/** States of every version, the IDs that `overlap` derives, and when former groups are over. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { outputsOf } from "../../../provider/adapters/results";
import type { StoredGroup } from "../../../provider/core/state/group";
import * as overlap from "../../../provider/core/rotation/overlap";
import * as shapes from "../../../provider/core/state/shapes";
import { propertiesOf, secret } from "../../../provider/values";

const one = (state: object) => shapes.userGroupState.parse(propertiesOf(state));
const many = (state: object) => shapes.userGroupsState.parse(propertiesOf(state));

describe("a state", () => {
  it("is no stricter than responses and arguments: an empty name is valid", () => {
    const internal = { groups: { acme: { sent: { name: "Acme" } } } };
    const state = { name: "", token: "t", adopted: false, internal };
    assert.deepEqual(one({ ...state, userGroupId: "acme", __provider: "text", later: 1 }), state);
    const groups = { acme: { name: "", properties: null, mapping: { a: {} } } };
    const parsed = many({ groups, tokens: { acme: "t" } }).groups;
    assert.deepEqual(parsed, { acme: { name: "", mapping: { a: {} } } });
  });

  it("of a hand-written provider, without adopted, counts as one of a group that existed before", () => {
    const state = { name: "Acme", token: "t", adopt: true };
    const group = shapes.userGroupShape.parseState("acme", state).groups.get("acme");
    assert.deepEqual([group?.providedId, group?.adopted], ["acme", true]);
  });

  for (const [shape, state, issue] of [
    [shapes.userGroupShape, { name: "Acme", token: "" }, "token must not be empty"],
    [shapes.userGroupShape, { name: ["s3cret"], token: "t" }, "name must be a string"],
    [shapes.userGroupsShape, { groups: { a: { name: 7 } }, tokens: {} }, "groups.a.name must be a string"],
    [
      shapes.userGroupShape,
      {
        name: "A",
        token: "t",
        former: [{ name: "A", providedId: "a", token: "u", until: "soon" }],
      },
      "former\\[0\\].until must be a time in ISO 8601",
    ],
  ] as const)
    it(`is invalid if its ${issue} is wrong; the error names the property, not the value`, () => {
      const message = new RegExp(
        `^((?!s3cret).)* is invalid: its ${issue}((?!s3cret).)*\\[state-invalid\\]$`,
      );
      assert.throws(() => shape.parseState("acme", { ...state }), { message });
    });
});

const acme = {
  ...{ userGroupId: "acme", name: "Acme" },
  mapping: { sales: "one", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
  keepers: { month: "1" },
};

it("the derived ID of existing groups never changes, as the digests of other programs have confirmed", () => {
  const unusual = { name: 'Zoë "株"', properties: { "\ufb33": true, "😀": "\u000f\n", b: 0.1, a: 1e21 } };
  for (const [id, values, changes, besides] of [
    ["acme~d52622c6", { name: "Acme", mapping: {}, properties: undefined }, "replace"],
    ["acme~8fd4bb0e", acme, "replace"],
    ["acme~b0ae008c", unusual, "replace"],
    ["acme~1d8fc6ce", { ...acme, keepers: {} }, "update"],
    ["acme~10ee0868", { name: "Acme", keepers: { month: "2" } }, "update"],
    ["acme~17baa99f", { name: "Acme" }, "replace", ["token"]],
  ] as const)
    assert.equal(overlap.derivedId({ userGroupId: "acme", ...values }, changes, besides), id);
});

describe("a former group", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  const before = { ...acme, providedId: "acme~8fd4bb0e", token: "t1", adopted: false };
  const [former] =
    overlap.formerAfter(before, { providedId: "acme~2", token: "t2" }, { now, hours: 1.5 }) ?? [];

  it("has an end that is fixed at the change, of which a fraction of an hour is a part", () => {
    assert(former);
    assert.equal(former.until, "2026-01-02T13:30:00.000Z");
    const isExpiredAfter = (milliseconds: number) => overlap.isExpired(former, now + milliseconds);
    assert.deepEqual([isExpiredAfter(5_400_000 - 1), isExpiredAfter(5_400_000)], [false, true]);
  });

  it("is ended by the program only with 0 hours, of the group or the resource, or with overlap: false", () => {
    const cases: [isEnded: boolean, args: overlap.OverlapArguments, group: overlap.OverlapArguments][] = [
      [true, { overlap: false }, {}],
      [true, { overlap: true, overlapHours: 0 }, {}],
      [true, { overlap: true, overlapHours: 5 }, { overlapHours: 0 }],
      [false, { overlap: true, overlapHours: 0 }, { overlapHours: 2 }],
      [false, { overlap: true, overlapHours: 0.1 }, {}],
      [false, {}, {}],
    ];
    for (const [isEnded, args, group] of cases) assert.equal(overlap.endsFormer(args, group), isEnded);
  });
});

describe("the output internal", () => {
  const anyProperties = fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue(), { noNullPrototype: true });
  const anyGroup: fc.Arbitrary<StoredGroup> = fc
    .record(
      {
        properties: anyProperties,
        drift: fc.record({ name: fc.string(), properties: anyProperties }, { requiredKeys: [] }),
        returned: fc.record({ name: fc.string(), properties: fc.string() }, { requiredKeys: [] }),
        notImported: fc.constant(["mapping", "keepers"] as const),
        doubt: fc.constant(true),
      },
      { requiredKeys: [] },
    )
    .map((others) => ({ ...{ userGroupId: "acme", name: "Acme" }, ...others, ...inService }));
  const inService = { providedId: "acme", token: "t0ken", adopted: false };

  it("has all that outputs don't show, so that a state is read as it was written", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        for (const shape of [shapes.userGroupShape, shapes.userGroupsShape]) {
          const resource = { credentialsDigest: "d1gest", incomplete: true, lookup: true };
          const written = shape.serializeState({ ...resource, groups: new Map([["acme", group]]) });
          const { groups, ...read } = shape.parseState("acme", propertiesOf(written));
          const { drift, properties = {}, ...others } = groups.get("acme") ?? assert.fail();
          const { drift: drifted, properties: sent = {}, ...expected } = group;
          assert.deepEqual(defined({ ...others, properties }), defined({ ...expected, properties: sent }));
          assert.deepEqual(defined(drift ?? {}), defined(drifted ?? {}));
          assert.deepEqual(defined({ ...read, ...resource }), defined(read));
          assert.deepEqual(defined(shape.serializeState({ ...read, groups })), defined(written));
        }
      }),
    );
  });

  const drifted: StoredGroup = {
    ...{ userGroupId: "acme", name: "Acme", properties: { region: "eu" }, ...inService },
    ...{ drift: { name: "ACME" }, returned: { properties: "d1gest" } },
    ...{ notImported: ["mapping"], doubt: true },
  };
  const outputsIn = (group: StoredGroup, credentialsDigest?: string) =>
    shapes.userGroupShape.serializeState({ groups: new Map([["acme", group]]), credentialsDigest });

  it("has what was sent, where the outputs show what the service returns instead", () => {
    const { name, properties, internal } = outputsIn(drifted);
    assert.deepEqual([name, properties], ["ACME", { region: "eu" }]);
    const record = { sent: { name: "Acme" }, returned: { properties: "d1gest" } };
    assert.deepEqual(defined(internal), {
      groups: { acme: { ...record, notImported: ["mapping"], doubt: true } },
    });
    const { drift: _, returned, notImported, doubt, ...plain } = drifted;
    assert.equal(outputsIn(plain)["internal"], undefined);
  });

  it("is secret only where it has values or the digest of the credentials", () => {
    const { internal } = outputsOf({ id: "acme", state: outputsIn(drifted, "d1gest") }, {});
    const record = { sent: secret({ name: "Acme" }), returned: secret({ properties: "d1gest" }) };
    assert.deepEqual(internal, {
      credentialsDigest: secret("d1gest"),
      groups: { acme: { ...record, notImported: ["mapping"], doubt: true } },
    });
  });
});

/** Without undefined, which no state has. */
function defined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
