import assert from "node:assert/strict";
import vm from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { jsonInput } from "../../../provider/src/resources/jsonInputs";

/** The error that an input fails with, at once or when its value is known. */
async function errorOf(input: () => unknown): Promise<string> {
  try {
    await resolved(input());
  } catch (error) {
    assert(error instanceof Error);
    return error.message;
  }
  return assert.fail("It was accepted.");
}

/** With the outputs in it. */
async function resolved(value: unknown): Promise<unknown> {
  // The SDK's own way to wait for an output.
  return (pulumi.output(value) as pulumi.Output<unknown> & { promise(): Promise<unknown> }).promise();
}

describe("an input", () => {
  const refused: [kind: string, value: unknown][] = [
    ["a Date", new Date()],
    ["a Map", new Map([["a", 1]])],
    ["a bigint", 1n],
    ["NaN", NaN],
    ["a Date", vm.runInNewContext("new Date()")],
  ];
  for (const [n, [kind, value]] of refused.entries())
    it(`can't have ${kind} (${n}), at any depth, in an output or a promise`, async () => {
      for (const [input, place] of [
        [value, "properties is"],
        [{ plan: { list: [1, value] } }, "properties.plan.list[1] is"],
        [Promise.resolve({ "a b": value }), 'properties["a b"] is'],
        // An output may be secret, with its keys.
        [{ plan: pulumi.secret("x").apply(() => ({ seats: value })) }, "properties.plan contains"],
        [{ plan: pulumi.secret("x").apply(() => value) }, "properties.plan is"],
      ] as const)
        assert.equal(
          await errorOf(() => jsonInput(input, ["properties"])),
          `The argument ${place} ${kind}, which JSON doesn't have. Pass a string, a number or a plain object. [argument-invalid]`,
        );
    });

  it("may be any JSON, which stays as it is, and undefined", () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        assert.deepEqual(jsonInput(json, []), json);
      }),
    );
    assert.deepEqual(jsonInput({ a: undefined, b: null }, []), { a: undefined, b: null });
  });

  it("can't have the key __proto__, which the engine drops", () => {
    assert.throws(
      () => jsonInput(JSON.parse('{"__proto__":{"name":"A"}}'), ["groups"]),
      /groups has the key __proto__/,
    );
  });

  it("may be a plain object without a prototype, or of another realm", () => {
    const foreign: unknown = vm.runInNewContext('({ plan: { seats: [1, { deep: "x" }] } })');
    assert.equal(JSON.stringify(jsonInput(foreign, [])), JSON.stringify(foreign));
    assert.deepEqual(jsonInput(Object.assign(Object.create(null), { a: 1 }), []), { a: 1 });
  });

  it("keeps outputs, promises and secrets, and leaves assets to the provider", async () => {
    const output = jsonInput(pulumi.secret({ region: "eu" }), []);
    assert(pulumi.Output.isInstance(output));
    assert.equal(await pulumi.isSecret(output), true);
    assert.deepEqual(await resolved(output), { region: "eu" });
    assert.deepEqual(await jsonInput(Promise.resolve([1]), []), [1]);
    const asset = new pulumi.asset.StringAsset("text");
    assert.equal(jsonInput(asset, []), asset);
  });
});

/** The key __proto__ is refused. */
const anyJson = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('"__proto__"'));
