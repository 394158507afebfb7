import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds, tokensOf } from "../harness";
import { pluginProgram } from "./program";

const programOf = (name: string, options: object) =>
  pluginProgram(`
    const options = ${JSON.stringify(options)};
    exports.token = new UserGroup("acme", { userGroupId: "acme", name: "${name}" }, options).token;
  `);

/** The package leaves the option out, in its own class. Generated SDKs pass it to the engine. */
describe("plugin: deleteBeforeReplace: false", () => {
  const options = { deleteBeforeReplace: false };
  const world = newWorld(() => ({ program: programOf("Acme", options) }));

  it("makes a replacement fail; the group and its token stay, until an up without the option", async () => {
    succeeds(await world.stack.up());
    const former = tokensOf(world.emulator);
    world.emulator.clearRequests();

    await world.stack.program(programOf("Acme Corporation", options));
    const failed = fails(await world.stack.up());
    assert.match(errorOf(failed, "acme"), /deleteBeforeReplace: false.*\[replacement-retained\]/);
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" returned 200']);
    assert.deepEqual(tokensOf(world.emulator), former);
    const recorded = (await world.stack.resources()).filter(({ name }) => name === "acme");
    assert(recorded.length > 0 && recorded.every(({ outputs }) => outputs["name"] === "Acme"));

    world.emulator.clearRequests();
    await world.stack.program(programOf("Acme Corporation", {}));
    succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator), ['DELETE "acme" deleted 200', 'GET "acme" created 200']);
    assert.deepEqual(await world.stack.plainOutputs(), { token: tokensOf(world.emulator)["acme"] });
  });
});
