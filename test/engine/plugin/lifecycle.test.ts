import assert from "node:assert/strict";
import { isSecret, newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";
import { pluginProgram, warningsByResource } from "./program";

describe("plugin: a user group", () => {
  const world = newWorld(() => ({ program: acme("Acme") }));
  let preview: Result;
  let created: Result;
  before(async () => {
    preview = succeeds(await world.stack.preview({ env: withoutSettings }));
    assert.deepEqual(requestsTo(world.emulator), []);
    created = succeeds(await world.stack.up());
  });
  beforeEach(() => {
    world.emulator.clearRequests();
  });

  it("is previewed without a request and without settings", () => {
    assert.deepEqual(stepsOf(preview, "acme"), ["create"]);
    assert.match(preview.output, /token *: \[unknown\]/);
  });

  it("is created, with its token as a secret and its address in the state", async () => {
    assert.deepEqual(created.changes, { create: 2 });
    const { id, inputs, outputs } = await world.stack.resource("acme");
    const { token, ...others } = outputs;
    const args = { userGroupId: "acme", name: "Acme", mapping: { sales: "one" }, properties: { seats: 5 } };
    assert.equal(id, "acme");
    assert(isSecret(token));
    assert.deepEqual(others, { ...args, adopted: false, baseUrl: world.emulator.baseUrl });
    assert.deepEqual(inputs, args);
    assert.deepEqual(await world.stack.plainOutputs(), { token: tokensOf(world.emulator)["acme"] });
  });

  it("is left alone by the next up", async () => {
    const again = succeeds(await world.stack.up());
    assert.deepEqual(stepsOf(again, "acme"), ["same"]);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("has its changed token recorded by a refresh", async () => {
    world.emulator.rotateToken("acme");
    succeeds(await world.stack.refresh());
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" returned 200']);
    const state = JSON.stringify(await world.stack.plainState());
    assert(state.includes(tokensOf(world.emulator)["acme"] ?? "no token"));
  });

  it("is replaced for another name, with a warning under the resource and a diff that names the property", async () => {
    await world.stack.program(acme("Acme Corporation"));
    const shown = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    assert.match(shown.output, /~ name *: "Acme" => "Acme Corporation"/);
    assert.deepEqual(requestsTo(world.emulator), []);
    const up = succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator), ['DELETE "acme" deleted 200', 'GET "acme" created 200']);
    const [warning, ...others] = warningsByResource(up);
    assert.match(warning ?? "", /^acme: user group "acme" is deleted and created again/);
    assert.deepEqual(others, []);
    const step = up.steps.find(({ name, op }) => name === "acme" && op === "replace");
    assert.deepEqual(step?.diffs, ["name"]);
  });

  it("is updated without a request for another dataSourceProvidedId", async () => {
    await world.stack.program(acme("Acme Corporation", ', dataSourceProvidedId: "warehouse"'));
    const up = succeeds(await world.stack.up());
    assert.deepEqual(stepsOf(up, "acme"), ["update"]);
    assert.deepEqual(requestsTo(world.emulator), []);
    assert.deepEqual(await world.stack.plainOutputs(), { token: tokensOf(world.emulator)["acme"] });
  });

  it("keeps its group when the resource is renamed without an alias", async () => {
    const renamed = acme("Acme Corporation", ', dataSourceProvidedId: "warehouse"', "renamed");
    const former = tokensOf(world.emulator);
    await world.stack.program(renamed);
    const up = succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" returned 200']);
    assert.deepEqual(tokensOf(world.emulator), former);
    assert.match(warningsByResource(up).join("\n"), /^acme: user group "acme" is kept/m);
  });

  it("is deleted by destroy", async () => {
    succeeds(await world.stack.destroy());
    assert.deepEqual(requestsTo(world.emulator), ['DELETE "acme" deleted 200']);
    assert.equal(world.emulator.groups.size, 0);
  });
});

const withoutSettings = { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined };

function acme(name: string, others = "", resource = "acme"): Record<string, string> {
  return pluginProgram(`
    const acme = new UserGroup("${resource}", {
      userGroupId: "acme", name: "${name}", mapping: { sales: "one" }, properties: { seats: 5 }${others},
    });
    exports.token = acme.token;
  `);
}
