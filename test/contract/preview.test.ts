import assert from "node:assert/strict";
import { unknownValue as unknown } from "../../provider/src/values";
import { acme, behavior, bothInModel, declareMany } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: a preview", () => {
  bothInModel("needs no settings, and accepts unknown values at any depth", async (context, declare) => {
    delete context.settings["baseUrl"];
    const properties = { list: [unknown], nested: { deep: unknown } };
    for (const group of [acme, { name: unknown, mapping: unknown, properties }, { name: "A", mapping: null }])
      assert.equal(await context.isUpToDate(declare({ acme: group }, { adopt: null })), false);
    assert.equal(context.emulator.connections, 0);
  });

  bothInModel(
    "refuses numbers that aren't exact, and values too large for a response",
    async (context, declare) => {
      const { errors } = await context.preview(declare({ acme: { ...acme, mapping: { sales: 2 ** 53 } } }));
      assert.match(errors, /must not be a number beyond 2\^53/);
      succeeds(await context.preview(declare({ acme: { ...acme, mapping: { sales: 2 ** 53 - 1 } } })));
      const rounded = { ...acme, properties: { seats: 2 ** 53 } };
      fails(
        await context.preview(declare({ acme: rounded })),
        /properties.*must not be a number beyond 2\^53/,
      );
      const large = { ...acme, properties: { text: "é".repeat(134_000) } };
      fails(await context.preview(declare({ acme: large })), /must have at most 800,000 bytes/);
      await context.applies(declare({ acme: { ...large, properties: { text: "é".repeat(133_000) } } }));
    },
  );

  behavior(
    "refuses groups that are too large for a partial failure",
    { drivers: ["provider"] },
    async (context) => {
      const program = declareMany({ a: { name: "A", properties: { text: "x".repeat(9 * 1024 * 1024) } } });
      fails(
        await context.preview(program),
        /groups is too large: its state would have 9\.0 MiB\. .*\[groups-too-large\]/,
      );
    },
  );
});
