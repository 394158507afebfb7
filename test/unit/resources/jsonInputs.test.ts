import assert from "node:assert/strict";
import vm from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { jsonInput } from "../../../provider/resources/jsonInputs";

describe("an input", () => {
  const refused: [kind: string, value: unknown][] = [
    ["a Map", new Map([["a", 1]])],
    ["a bigint", 1n],
    ["NaN", NaN],
    ["a Date", vm.runInNewContext("new Date()")],
  ];
  for (const [kind, value] of refused)
    it(`can't have ${kind}, at any depth, in an output or a promise`, async () => {
      for (const [input, place] of [
        [value, "properties is"],
        [{ plan: { list: [1, value] } }, "properties.plan.list[1] is"],
        [Promise.resolve({ "a b": value }), 'properties["a b"] is'],
        // An output may be secret, with its keys.
        [{ plan: pulumi.secret("x").apply(() => ({ seats: value })) }, "properties.plan contains"],
      ] as const)
        assert.equal(
          await errorOf(() => jsonInput(input, ["properties"])),
          `The argument ${place} ${kind}, which JSON doesn't have. Pass a string, a number or a plain object. [argument-invalid]`,
        );
    });

  it("may be any JSON, which stays as it is, and undefined", () => {
    // The key __proto__ is refused.
    const anyJson = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('"__proto__"'));
    fc.assert(
      fc.property(anyJson, (json) => {
        assert.deepEqual(jsonInput({ json }, ["properties"]), { json });
      }),
    );
    const others = { a: undefined, deep: nested(99), list: [{ toString: "x", constructor: null, then: 1 }] };
    assert.deepEqual(jsonInput(others, ["properties"]), others);
  });

  const signature = "4dabf18193072939515e22adb298388d";
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const half = "has half of a character, as a text that was cut inside an emoji: cut it between characters";
  const output = pulumi.output("secret");
  /** A template literal does the same. */
  const asText: (value: unknown) => string = String;
  const ofOutput = "contains an Output: use pulumi.interpolate, or what your language has instead";
  const reserved = "is a text that Pulumi reserves for itself";
  for (const [input, issue] of [
    [{ acme: { name: `Acme ${asText(output)}` } }, `groups.acme.name ${ofOutput}`],
    [
      { [`acme-${asText(output)}`]: { name: "Acme" } },
      /^groups\["acme-Calling .*"\] contains an Output: use /,
    ],
    [
      { acme: { properties: { a: JSON.stringify({ output }) } } },
      "groups.acme.properties.a contains an Output: use",
    ],
    [
      { acme: { mapping: { sales: "k" + asText(Promise.resolve(1)) } } },
      "groups.acme.mapping.sales contains a Promise",
    ],
    [{ acme: { keepers: { day: asText({}) } } }, "groups.acme.keepers.day contains an object: pass"],
    [{ acme: { name: "Acme 😀".slice(0, -1) } }, `groups.acme.name ${half}`],
    [{ "acme\ud83d": { name: "Acme" } }, `groups["acme\\ud83d"] ${half}`],
    [{ acme: { name: unknown } }, `groups.acme.name ${reserved}`],
    [{ acme: { keepers: { [signature]: "1" } } }, `groups.acme.keepers has the key ${signature}, which`],
    [{ acme: JSON.parse('{"__proto__":1}') as unknown }, "groups.acme has the key __proto__, which"],
    [{ toString: { name: "Acme" } }, "groups has the key toString, which"],
    [{ acme: { properties: { __pulumiOutput: true } } }, "groups.acme.properties has the key __pulumiOutput"],
    [{ acme: { properties: nested(101) } }, "groups.acme.properties has more than 100 levels of objects"],
  ] as const)
    it(`can't have what Pulumi can't transport: ${String(issue)}`, async () => {
      const error = await errorOf(() => jsonInput(input, ["groups"]));
      const begin = "The argument ";
      const rest = error.slice(begin.length);
      assert(typeof issue === "string" ? rest.startsWith(issue) : issue.test(rest), error);
      assert(error.startsWith(begin) && error.endsWith(". [argument-invalid]"), error);
      // Its keys may be secret.
      const secretError = await errorOf(() =>
        jsonInput(
          pulumi.secret("x").apply(() => input),
          ["groups"],
        ),
      );
      assert.match(
        secretError,
        /^The argument groups (contains|has the key toString)[^"[]*\. \[argument-invalid\]$/,
      );
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

/** The error that an input fails with, at once or when its value is known. */
async function errorOf(input: () => unknown): Promise<string> {
  try {
    await resolved(input());
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return assert.fail("It was accepted.");
}

/** With the outputs in it. */
async function resolved(value: unknown): Promise<unknown> {
  // The SDK's own way to wait for an output.
  return (pulumi.output(value) as pulumi.Output<unknown> & { promise(): Promise<unknown> }).promise();
}

function nested(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
}
