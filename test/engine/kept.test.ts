/** The warnings of many resources that leave: the end of a deployment, which only an engine brings. */
import assert from "node:assert/strict";
import { newFixture, packageProgram, pluginProgram, succeeds, tokensOf, warningsOf } from "../support/engine";

const ids = Array.from({ length: 12 }, (_, index) => `customer-${index}`);
const single = `for (const id of ${JSON.stringify(ids)}) new UserGroup(id, { userGroupId: id, name: "Customer" });`;
const many = `
  const entries = ${JSON.stringify(ids)}.map((id) => [id, { name: "Customer" }]);
  new UserGroups("customers", { groups: Object.fromEntries(entries) });`;

for (const [form, programOf] of [
  ["dynamic resources", packageProgram],
  ["the plugin", pluginProgram],
] as const)
  describe(`a move of many UserGroups into a UserGroups, with ${form}`, () => {
    const fixture = newFixture(() => ({ program: programOf(single) }));

    it("warns of all kept groups once", async () => {
      const { stack, emulator } = fixture;
      succeeds(await stack.up());
      const before = tokensOf(emulator);
      await stack.program(programOf(many));
      const up = succeeds(await stack.up());
      assert.deepEqual(tokensOf(emulator), before);
      const kept = warningsOf(up).filter((line) => line.endsWith("[kept]"));
      assert.deepEqual(
        kept.map((line) => line.replace(/ because.*/, "")),
        ["12 user groups are kept with their tokens,"],
      );
    });
  });
