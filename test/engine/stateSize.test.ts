import assert from "node:assert/strict";
import { newFixture, succeeds } from "./harness";

const many = 40;

describe("the state", () => {
  const fixture = newFixture(() => ({ program: programOf(1) }));
  let bytesOfOne: number;
  let bytesOfMany: number;
  before(async () => {
    succeeds(await fixture.stack.up());
    bytesOfOne = await fixture.stack.stateBytes();
    await fixture.stack.program(programOf(1 + many));
    succeeds(await fixture.stack.up());
    bytesOfMany = await fixture.stack.stateBytes();
  });

  it("holds the provider as a constant, to the letter", async () => {
    const text = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
    const groups = (await fixture.stack.resources()).filter(({ type }) => type.endsWith(":UserGroup"));
    assert.equal(groups.length, 1 + many);
    for (const { type, inputs, outputs } of groups) {
      assert.equal(type, "pulumi-nodejs:dynamic/user-groups:UserGroup");
      assert.equal(inputs["__provider"], text);
      assert.equal(outputs["__provider"], text);
    }
  });

  it("takes at most 1,800 bytes a group", () => {
    assert((bytesOfMany - bytesOfOne) / many <= 1_800, `It takes ${(bytesOfMany - bytesOfOne) / many}`);
  });
});

/** As the benchmark does it, so that the figures can be compared. */
function programOf(count: number): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    for (let index = 0; index < ${count}; index += 1)
      new UserGroup("tenant-" + index, { userGroupId: "tenant-" + index, name: "Tenant " + index });
  `;
}
