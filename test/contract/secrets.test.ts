/** What is secret in the states of the engine, which stores them as ciphertext. */
import assert from "node:assert/strict";
import { markedOf, plainTexts } from "../model/secrets";
import { acme, behavior, beta, both, declareMany, single } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

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
const refusal = { kind: "refuse", userGroupId: "acme", times: Infinity } as const;

describe("contract: the reason of a refused deletion", () => {
  both("shows no value of the group", { drivers: ["provider"] }, async (context, declare) => {
    await context.applies(declare({ acme: old, beta }));
    const body = JSON.stringify({ success: 0, error: "old-name is used by OLD-SOURCE in old-region" });
    context.emulator.fault({ kind: "status", status: 409, body, userGroupId: "acme", method: "DELETE" });
    const { errors } = await context.up(declare({ acme: changed, beta }));
    assert.match(errors, /"\[secret\] is used by \[secret\] in \[secret\]"/);
  });
});

interface Cause {
  readonly what: string;
  /** Puts old values into the state. */
  readonly happens: (context: StackContext) => Promise<void>;
  /** Whether the inputs in the state have them, too. */
  readonly isInInputs?: boolean;
}

const causes: readonly Cause[] = [
  {
    what: "a group that was changed, and whose deletion failed",
    happens: async (context) => {
      await context.applies(declareMany({ acme: old, beta }));
      context.emulator.fault(refusal);
      fails(await context.up(declareMany({ acme: changed, beta })), /"acme".*\[service-refused\]/s);
    },
  },
  {
    what: "a group that a partly failed update created, after a refresh",
    happens: async (context) => {
      await context.applies(declareMany({ beta }));
      context.emulator.fault({ ...refusal, userGroupId: "bad", times: 1 });
      fails(await context.up(declareMany({ acme: old, bad: beta, beta })), /\[service-refused\]/);
      succeeds(await context.refresh());
    },
    isInInputs: true,
  },
  {
    what: "a group whose replacement skipped the deletion",
    happens: async (context) => {
      const retained = (values: object) => [single("acme", values, { retainOnDelete: true })];
      await context.applies(retained(old));
      fails(await context.up(retained(changed)), /\[replacement-retained\]/);
    },
  },
];

describe("contract: old values in a state are secrets", () => {
  for (const { what, happens, isInInputs = false } of causes)
    behavior(`of ${what}`, isInInputs ? { engine: "release" } : {}, async (context) => {
      await happens(context);
      const values = (await context.resources()).flatMap(({ inputs, outputs }) =>
        isInInputs ? [outputs, inputs] : [outputs],
      );
      assert(JSON.stringify(values).includes("old-name"));
      const texts = values.flatMap((properties) => plainTexts(markedOf(properties)));
      const shown = texts.filter(({ text }) => text.startsWith("old-"));
      assert.deepEqual(shown, []);
    });
});
