import assert from "node:assert/strict";
import { errorOf, fails, newFixture, requestsTo, succeeds, tokensOf } from "../harness";
import { pluginProgram } from "./pluginProgram";

const programOf = (name: string, options: object) =>
  pluginProgram(`
    const options = ${JSON.stringify(options)};
    const args = { userGroupId: "acme", name: "${name}", token: undefined };
    exports.token = new pulumi.CustomResource("user-groups:index:UserGroup", "acme", args, options).token;
  `);

/** The package's classes leave the option out. Generated SDKs pass it to the engine. */
describe("plugin: deleteBeforeReplace: false", () => {
  const options = { deleteBeforeReplace: false };
  const fixture = newFixture(() => ({ program: programOf("Acme", options) }));

  it("makes a replacement fail; the group and its token stay, until an up without the option", async () => {
    succeeds(await fixture.stack.up());
    const former = tokensOf(fixture.emulator);
    fixture.emulator.clearRequests();

    await fixture.stack.program(programOf("Acme Corporation", options));
    const failed = fails(await fixture.stack.up());
    assert.match(errorOf(failed, "acme"), /deleteBeforeReplace: false.*\[replacement-retained\]/);
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" returned 200']);
    assert.deepEqual(tokensOf(fixture.emulator), former);
    const stored = (await fixture.stack.resources()).filter(({ name }) => name === "acme");
    assert(stored.length > 0 && stored.every(({ outputs }) => outputs["name"] === "Acme"));

    fixture.emulator.clearRequests();
    await fixture.stack.program(programOf("Acme Corporation", {}));
    succeeds(await fixture.stack.up());
    assert.deepEqual(requestsTo(fixture.emulator), ['DELETE "acme" deleted 200', 'GET "acme" created 200']);
    assert.deepEqual(await fixture.stack.plainOutputs(), { token: tokensOf(fixture.emulator)["acme"] });
  });
});
