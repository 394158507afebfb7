import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { behavior, declareMany } from "./contract";

describe("contract: UserGroups", () => {
  behavior("of groups add and remove them, and one line says how many", async (context) => {
    const tenant = { name: "Tenant" };
    await context.applies(declareMany({ a: tenant, b: tenant, c: tenant }));
    const [, tokenOfB] = [context.requests(), context.token("b")];
    const program = declareMany({ b: tenant, c: { name: "New" }, d: tenant });
    const { changes, warnings } = await context.preview(program);
    assert.deepEqual(changes["tenants"], "update");
    assert.match(
      warnings.join("\n"),
      /1 to create .*1 to delete .*1 to delete and create again with a new token/,
    );
    await context.applies(program);
    assert.deepEqual(context.requests().sort(), [
      "DELETE a deleted",
      "DELETE c deleted",
      "GET c created",
      "GET d created",
    ]);
    assert.equal(context.token("b"), tokenOfB);
  });
});

describe("contract: the groups of UserGroups", () => {
  behavior(
    "need as many requests and bytes each, whatever their number",
    { drivers: ["provider"], settings: { maxConnections: "5" } },
    async (context) => {
      const sizes: number[] = [];
      const requestsOf = async (run: Promise<unknown>, expected: number) => {
        await run;
        assert.equal(context.requests().length, expected);
      };
      for (const count of [25, 100]) {
        await requestsOf(context.applies(declareMany(many(count))), count);
        sizes.push(JSON.stringify(await context.resource("tenants")).length / count);
        await requestsOf(context.refresh(), count);
        await requestsOf(context.applies(declareMany(many(count))), 0);
        await requestsOf(context.applies(declareMany(many(count, { name: "New" }))), 2 * count);
        await requestsOf(context.destroy(), count);
        assert.equal(context.emulator.groups.size, 0);
      }
      const [few = 0, more = Infinity] = sizes;
      assert(few - more < 30 && more - few < 4, `${few} and ${more} bytes a group`);
      assert.deepEqual([context.emulator.connections, context.emulator.peakConnections], [5, 5]);
    },
  );
});
