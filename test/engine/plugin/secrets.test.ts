import assert from "node:assert/strict";
import { isSecret, newWorld, stepsOf, succeeds } from "../harness";
import { pluginProgram } from "./program";

/** Texts that must be read nowhere; the harness looks for them after each operation. */
const hidden = ["hidden-name", "hidden-deep", "hidden-group", "hidden-later"];

describe("plugin: a secret argument", () => {
  const world = newWorld(() => ({
    program: pluginProgram(`
      new UserGroup("named", { userGroupId: "named", name: pulumi.secret("hidden-name") });
      new UserGroup("deep", {
        userGroupId: "deep", name: "Deep", properties: { plan: { seats: [pulumi.secret("hidden-deep"), "open"] } } });
      new UserGroups("tenants", { groups: { one: { name: "One", properties: { key: pulumi.secret("hidden-group") } } } });
    `),
    secrets: hidden,
  }));

  it("reaches the service, and is encrypted in inputs and outputs", async () => {
    succeeds(await world.stack.up());
    assert.equal(world.emulator.groups.get("named")?.name, "hidden-name");
    const { inputs, outputs } = await world.stack.resource("named");
    assert(isSecret(inputs["name"]) && isSecret(outputs["name"]) && isSecret(outputs["token"]));
  });

  it("stays one when a refresh finds another value, and in the preview of its correction", async () => {
    world.emulator.renameGroup("named", "hidden-later");
    succeeds(await world.stack.refresh({ flags: ["--diff"] }));
    const { inputs, outputs } = await world.stack.resource("named");
    assert(isSecret(inputs["name"]) && isSecret(outputs["name"]));
    const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    assert(stepsOf(preview, "named").includes("replace"));
    assert.deepEqual([stepsOf(preview, "deep"), stepsOf(preview, "tenants")], [["same"], ["same"]]);
  });
});
