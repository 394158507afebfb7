import assert from "node:assert/strict";
import { unknownValue as unknown } from "../../provider/src/values";
import { acme, behavior, bothInModel, declareMany } from "./contract";
import { fails } from "./stackContext";

describe("contract: a preview", () => {
  bothInModel("needs no settings, and accepts unknown values at any depth", async (context, declare) => {
    delete context.settings["baseUrl"];
    const properties = { list: [unknown], nested: { deep: unknown } };
    for (const group of [acme, { name: unknown, mapping: unknown, properties }, { name: "A", mapping: null }])
      assert.equal(await context.isUpToDate(declare({ acme: group }, { adopt: null })), false);
    assert.equal(context.emulator.connections, 0);
  });

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
