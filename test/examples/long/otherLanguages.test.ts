import assert from "node:assert/strict";
import { newWorld, requestsTo, succeeds, tokensOf, type Environment } from "../../engine/harness";
import { addGoSdk, addPythonSdk, newSdks } from "../../engine/harness/sdks";
import { pluginEntry } from "../../engine/plugin/program";
import { example } from "../example";

describe("examples in other languages", () => {
  const sdks = newSdks();

  const creates = (name: string, prepare: (folder: string) => Promise<Environment>) =>
    describe(`examples/${name}`, () => {
      const world = newWorld(() => {
        const { "Pulumi.yaml": project = "", ...files } = example(name);
        return { program: { ...files, "Pulumi.yaml": project + pluginEntry }, patience: 500 };
      });

      it("creates both groups, exports their tokens, and deletes them", async () => {
        const env = await prepare(world.stack.folder);
        succeeds(await world.stack.up({ env }));
        const { acme, globex } = Object.fromEntries(world.emulator.groups);
        assert.deepEqual([acme?.name, acme?.properties], ["Acme Corporation", { region: "eu" }]);
        assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
        assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
        world.emulator.clearRequests();
        const preview = succeeds(await world.stack.preview({ env }));
        assert.deepEqual(preview.changes, { same: 3 });
        assert.deepEqual(requestsTo(world.emulator), []);
        succeeds(await world.stack.destroy({ env }));
        assert.equal(world.emulator.groups.size, 0);
      });
    });

  creates("yaml", () => Promise.resolve({}));
  creates("python", (folder) => addPythonSdk(sdks, folder));
  creates("go", (folder) => addGoSdk(sdks, folder));
});
