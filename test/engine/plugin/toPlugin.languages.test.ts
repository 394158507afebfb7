import assert from "node:assert/strict";
import { isSecret, newFixture, requestsTo, stepsOf, succeeds, tokensOf, type Environment } from "../harness";
import { addNodeSdk, addPythonSdk, newSdks } from "../harness/sdks";
import { node, python, typescript } from "./toPluginPrograms";

describe("moving from the dynamic resources in TypeScript", () => {
  const sdks = newSdks();

  const to = (
    language: string,
    program: Record<string, string>,
    prepare: (folder: string) => Promise<Environment>,
  ) =>
    describe(`to ${language}`, () => {
      const fixture = newFixture(() => ({ program: typescript }));

      it("takes one up, sends no request, and changes no token", async () => {
        succeeds(await fixture.stack.up());
        const former = tokensOf(fixture.emulator);
        assert.deepEqual(Object.keys(former).sort(), ["acme", "globex", "initech"]);
        fixture.emulator.clearRequests();

        await fixture.stack.program(program);
        const env = await prepare(fixture.stack.folder);
        const up = succeeds(await fixture.stack.up({ env }));
        for (const name of ["acme", "tenants"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
        assert.deepEqual(tokensOf(fixture.emulator), former);
        assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });

        const again = succeeds(await fixture.stack.preview({ env }));
        assert.deepEqual(again.changes, { same: 3 });
        assert.deepEqual(requestsTo(fixture.emulator), []);
        const [acme, tenants] = [
          await fixture.stack.resource("acme"),
          await fixture.stack.resource("tenants"),
        ];
        assert.equal(acme.type, "user-groups:index:UserGroup");
        assert.equal(tenants.type, "user-groups:index:UserGroups");
        assert(isSecret(acme.outputs["token"]) && isSecret(tenants.outputs["tokens"]));
      });
    });

  to("Python", python, (folder) => addPythonSdk(sdks, folder));
  to("the generated SDK for Node.js", node, (folder) => addNodeSdk(sdks, folder));
});
