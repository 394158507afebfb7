import assert from "node:assert/strict";
import { newWorld, requestsTo, succeeds } from "../engine/harness";
import { example } from "./example";

for (const name of ["javascript", "esm"]) {
  describe(`examples/${name}`, () => {
    const world = newWorld(() => ({ program: example(name) }));

    it("creates a group for each customer, and gives out its token", async () => {
      assert.deepEqual(succeeds(await world.stack.up()).changes, { create: 3 });
      const { acme, globex } = Object.fromEntries(world.emulator.groups);
      assert.deepEqual([acme?.name, acme?.properties], ["Acme Corporation", { region: "eu" }]);
      assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
      const tokens = { acme: acme?.token, globex: globex?.token };
      assert.deepEqual(await world.stack.plainOutputs(), { tokens });
    });

    it("deletes the groups with the stack", async () => {
      assert.deepEqual(succeeds(await world.stack.destroy()).changes, { delete: 3 });
      assert.deepEqual(requestsTo(world.emulator).slice(2).sort(), [
        'DELETE "acme" deleted 200',
        'DELETE "globex" deleted 200',
      ]);
    });
  });
}
