/** What is secret in the states of the engine, which stores them as ciphertext. */
import assert from "node:assert/strict";
import { markedOf, plainTexts } from "../support/model/secrets";
import { acme, behavior, beta, both, declareMany } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: secrets", () => {
  both("the token is one after each command, and after a failure", {}, async (context, declare) => {
    const isSecret = async () => {
      assert.match((await context.secretOutputs()).join(), /\btokens?\b/);
    };
    await context.applies(declare({ acme, beta }));
    await isSecret();
    context.emulator.rotateToken("acme");
    succeeds(await context.refresh());
    await isSecret();
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "tab" }, beta }));
    await isSecret();
    context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
    fails(await context.up(declare({ acme, beta, bad: beta })), /\[service-refused\]/);
    await isSecret();
  });
});

/** Old values, none of which the program has as an input any more. */
const old = {
  name: "old-name",
  mapping: { sales: "old-source" },
  properties: { region: "old-region" },
  keepers: { month: "old-month" },
  dataSourceProvidedId: "old-data-source",
};
const changed = { name: "New", mapping: { sales: "new" } };

describe("contract: the reason of a refused deletion", () => {
  both("shows no value of the group", { drivers: ["provider"] }, async (context, declare) => {
    await context.applies(declare({ acme: old, beta }));
    const body = JSON.stringify({ success: 0, error: "old-name is used by OLD-SOURCE in old-region" });
    context.emulator.fault({ kind: "status", status: 409, body, userGroupId: "acme", method: "DELETE" });
    const { errors } = await context.up(declare({ acme: changed, beta }));
    assert.match(errors, /"\[secret\] is used by \[secret\] in \[secret\]"/);
  });
});

describe("contract: old values in a state are secrets", () => {
  behavior("of a group whose change failed at the deletion", {}, async (context) => {
    await context.applies(declareMany({ acme: old, beta }));
    context.emulator.fault({ kind: "refuse", userGroupId: "acme", times: Infinity });
    fails(await context.up(declareMany({ acme: changed, beta })), /"acme".*\[service-refused\]/s);
    assertNoneIsShown((await context.resources()).map(({ outputs }) => outputs));
  });

  behavior(
    "of a group that a partly failed update created, after a refresh",
    { engine: "release" },
    async (context) => {
      await context.applies(declareMany({ beta }));
      context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
      fails(await context.up(declareMany({ acme: old, bad: beta, beta })), /\[service-refused\]/);
      succeeds(await context.refresh());
      assertNoneIsShown((await context.resources()).flatMap(({ inputs, outputs }) => [inputs, outputs]));
    },
  );
});

function assertNoneIsShown(properties: readonly object[]): void {
  assert(JSON.stringify(properties).includes("old-name"));
  const texts = properties.flatMap((each) => plainTexts(markedOf(each)));
  const shown = texts.filter(({ text }) => text.startsWith("old-"));
  assert.deepEqual(shown, []);
}
