import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { userGroup } from "../../../provider/src/provider";
import {
  changedFields,
  identityFields,
  isEqual,
  recordFields,
  replacingFields,
} from "../../../provider/src/provider/changes";
import { userGroupArguments } from "../../../provider/src/schema";
import { inEnvironment } from "../environment";
import { withWarnings } from "../world";
import { configure } from "./oneGroup";

/** JSON of few keys and values, so that two of them are often alike. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, "1", "", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__"), tie("json"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), json, { maxKeys: 3 });
const few = fc.constantFrom("a", "b");
const args = fc.record(
  {
    name: few,
    mapping: fc.dictionary(few, fc.constantFrom("a", "1", 1), { maxKeys: 2 }),
    properties: object,
    dataSourceProvidedId: few,
    adopt: fc.boolean(),
    connection: few,
  },
  { requiredKeys: ["name"] },
);

const record = z.record(z.string(), z.unknown());

describe("changes", () => {
  it("go by every argument, and each in one way", () => {
    const fields = [...replacingFields, ...identityFields, ...recordFields];
    assert.deepEqual([...fields].sort(), Object.keys(userGroupArguments.shape).sort());
  });

  it("are those of the fields that differ", () => {
    const olds = { name: "a", mapping: { a: 1 }, properties: undefined };
    const news = { name: "a", mapping: { a: 2 }, properties: { a: 1 } };
    assert.deepEqual(changedFields(replacingFields, olds, news), ["mapping", "properties"]);
    assert.deepEqual(changedFields(["mapping"], olds, news), ["mapping"]);
  });

  it("are none between what is absent, undefined or null", () => {
    for (const [one, other] of [
      [{}, { name: undefined }],
      [{ name: null }, {}],
      [{ name: undefined }, { name: null }],
    ] as const)
      assert.deepEqual(changedFields(replacingFields, one, other), []);
  });

  it("are none in another order of keys", () => {
    fc.assert(fc.property(json, (value) => isEqual(value, reversed(value))));
    fc.assert(fc.property(fc.jsonValue(), (value) => isEqual(value, reversed(value))));
  });

  it("are every other difference of JSON", () => {
    let equal = 0;
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = canonical(one) === canonical(other);
        assert.equal(isEqual(one, other), isSame);
        equal += Number(isSame);
      }),
      { numRuns: 1000 },
    );
    assert(equal > 10 && equal < 900, `${equal} pairs of 1000 were equal`);
  });

  it(
    "are seen by diff where an argument differs in more than the order of its keys, and only then",
    inEnvironment({}, () =>
      withWarnings(async () => {
        await configure();
        await fc.assert(
          fc.asyncProperty(
            args,
            fc.oneof(args, fc.constant(undefined)),
            fc.boolean(),
            async (old, other, isReversed) => {
              const news = record.parse(other ?? (isReversed ? reversed(old) : old));
              const recorded = { ...old, userGroupId: "acme", token: "t", adopted: false };
              const wanted = { ...news, userGroupId: "acme" };
              const { changes, replaces = [] } = await userGroup.diff("acme", recorded, wanted);
              const fields = Object.keys({ ...old, ...news });
              const changed = fields.filter(
                (key) => canonical(Reflect.get(old, key)) !== canonical(news[key]),
              );
              assert.equal(changes, changed.length > 0);
              const rewriting = changed.filter((key) => !["dataSourceProvidedId", "adopt"].includes(key));
              assert.deepEqual([...replaces].sort(), rewriting.sort());
            },
          ),
          { numRuns: 500 },
        );
      }),
    ),
  );
});

/** The same JSON with the keys of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

/** One text for all orders of keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join()}}`;
}
