import assert from "node:assert/strict";
import { isSecret, newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Environment } from "../harness";
import { addNodeSdk, addPythonSdk, newSdks } from "../harness/sdks";
import { node, python, typescript, yaml } from "./pluginMovingPrograms";

describe("moving from the dynamic resources in TypeScript", () => {
  const sdks = newSdks();

  const to = (
    language: string,
    program: Record<string, string>,
    prepare: (folder: string) => Promise<Environment>,
  ) =>
    describe(`to ${language}`, () => {
      const world = newWorld(() => ({ program: typescript }));

      it("takes one up, sends no request, and changes no token", async () => {
        succeeds(await world.stack.up());
        const former = tokensOf(world.emulator);
        assert.deepEqual(Object.keys(former).sort(), ["acme", "globex", "initech"]);
        world.emulator.clearRequests();

        await world.stack.program(program);
        const env = await prepare(world.stack.folder);
        const up = succeeds(await world.stack.up({ env }));
        for (const name of ["acme", "tenants"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
        assert.deepEqual(tokensOf(world.emulator), former);
        assert.deepEqual(await world.stack.plainOutputs(), { tokens: former });

        const again = succeeds(await world.stack.preview({ env }));
        assert.deepEqual(again.changes, { same: 3 });
        assert.deepEqual(requestsTo(world.emulator), []);
        const [acme, tenants] = [await world.stack.resource("acme"), await world.stack.resource("tenants")];
        assert.equal(acme.type, "user-groups:index:UserGroup");
        assert.equal(tenants.type, "user-groups:index:UserGroups");
        assert(isSecret(acme.outputs["token"]) && isSecret(tenants.outputs["tokens"]));
      });
    });

  to("YAML", yaml, () => Promise.resolve({}));
  to("Python", python, (folder) => addPythonSdk(sdks, folder));
  to("the generated SDK for Node.js", node, (folder) => addNodeSdk(sdks, folder));
});
