import assert from "node:assert/strict";
import { z } from "zod";
import { errorOf, fails, isSecret, newWorld, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";
import { pluginProgram, warningsByResource } from "./program";

describe("plugin: many user groups", () => {
  const world = newWorld(() => ({
    program: tenants(`{ acme: { name: "Acme" }, "a.b": { name: "Dotted" }, gone: { name: "Gone" } }`),
  }));
  before(async () => {
    succeeds(await world.stack.up());
  });
  beforeEach(() => {
    world.emulator.clearRequests();
  });

  it("have their tokens as secrets", async () => {
    const { id, outputs } = await world.stack.resource("tenants");
    assert.equal(id, "user-groups");
    assert(isSecret(outputs["tokens"]));
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  it("have a diff that names each changed group", async () => {
    await world.stack.program(
      tenants(`{
        acme: { name: "Acme" },
        "a.b": { name: "Dotted", properties: { seats: 5 } },
        added: { name: "Added" },
      }`),
    );
    const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    const shown = preview.output.replaceAll(/^ +/gm, "");
    assert.match(shown, /^\+ added: \{\n\+ name: "Added"/m);
    assert.match(shown, /^- gone *: \{\n- name: "Gone"/m);
    assert.match(shown, /^\+ properties: \{\n\+ seats: 5/m);
    assert.doesNotMatch(shown, /acme/);
    assert.deepEqual(stepsOf(preview, "tenants"), ["update"]);
    const [warning] = warningsByResource(preview);
    assert.match(
      warning ?? "",
      /^tenants: user groups in this change: 1 to create.*1 to delete.*1 to delete and/,
    );
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("fail in part: the others are done and recorded, and the next up does the rest", async () => {
    world.emulator.fault({ kind: "refuse", userGroupId: "added", times: Infinity });
    const up = fails(await world.stack.up());
    assert.match(errorOf(up, "tenants"), /Cannot update all user groups: 1 failed\./);
    const { outputs, initErrors } = await world.stack.resource("tenants");
    assert.deepEqual(Object.keys(z.record(z.string(), z.unknown()).parse(outputs["groups"])), [
      "a.b",
      "acme",
    ]);
    assert.equal(initErrors.length, 2);
    world.emulator.clearFaults();
    world.emulator.clearRequests();
    const again = succeeds(await world.stack.up());
    assert.deepEqual(stepsOf(again, "tenants"), ["update"]);
    assert.deepEqual(requestsTo(world.emulator), ['GET "added" created 200']);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  it("are read by a refresh", async () => {
    world.emulator.renameGroup("acme", "Theirs");
    succeeds(await world.stack.refresh());
    const { inputs } = await world.stack.resource("tenants");
    assert.deepEqual(inputs["groups"], {
      acme: { name: "Theirs" },
      "a.b": { name: "Dotted", properties: { seats: 5 } },
      added: { name: "Added" },
    });
  });
});

function tenants(groups: string): Record<string, string> {
  return pluginProgram(`exports.tokens = new UserGroups("tenants", { groups: ${groups} }).tokens;`);
}
