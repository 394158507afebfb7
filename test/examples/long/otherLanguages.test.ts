import assert from "node:assert/strict";
import { resolve } from "node:path";
import { newFixture, requestsTo, succeeds, tokensOf, type Environment } from "../../engine/harness";
import { addGoSdk, addPythonSdk, newSdks } from "../../engine/harness/sdks";
import { example } from "../example";

describe("examples in other languages", () => {
  const sdks = newSdks();

  const creates = (name: string, prepare: (folder: string) => Promise<Environment>) =>
    describe(`examples/${name}`, () => {
      const fixture = newFixture(() => {
        const plugin = { "../../../plugin": resolve(__dirname, "../../../plugin") };
        return { program: example(name, { "Pulumi.yaml": plugin }), patience: 500 };
      });

      it("creates both groups, exports their tokens, and deletes them", async () => {
        const env = await prepare(fixture.stack.folder);
        succeeds(await fixture.stack.up({ env }));
        const { acme, globex } = Object.fromEntries(fixture.emulator.groups);
        assert.deepEqual([acme?.name, acme?.properties], ["Acme Corporation", { region: "eu" }]);
        assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
        assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
        fixture.emulator.clearRequests();
        const preview = succeeds(await fixture.stack.preview({ env }));
        assert.deepEqual(preview.changes, { same: 3 });
        assert.deepEqual(requestsTo(fixture.emulator), []);
        succeeds(await fixture.stack.destroy({ env }));
        assert.equal(fixture.emulator.groups.size, 0);
      });
    });

  creates("languages/yaml", () => Promise.resolve({}));
  creates("languages/python", (folder) => addPythonSdk(sdks, folder));
  creates("languages/go", (folder) => addGoSdk(sdks, folder));
});
