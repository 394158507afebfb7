/**
 * Results that must not depend on the order in which the engine registers resources, nor on how fast it is. The programs declare their
 * resources in a row, without dependsOn. `RELIABILITY=whole` repeats each 30 times.
 */
import assert from "node:assert/strict";
import { isWhole } from "../support/harness/whole";
import { fails, newFixture, succeeds } from "../support/engine";
import { packageProgram, pluginProgram } from "../support/engine/programs";

const rounds = isWhole ? 30 : 2;

const forms = { "dynamic resources": packageProgram, "the plugin": pluginProgram };
const before = `new UserGroups("tenants", { groups: { acme: { name: "Acme" }, beta: { name: "Beta" } } });`;
const source = `new UserGroups("tenants", { groups: { beta: { name: "Beta" } } });`;
const target = `new UserGroup("one", { userGroupId: "acme", name: "Acme" });`;
const orders = { first: [source, target], last: [target, source] };

for (const [form, programOf] of Object.entries(forms)) {
  describe(`a move out of a UserGroups, with ${form}`, () => {
    const fixture = newFixture(() => ({ program: programOf(before) }));

    for (const [order, resources] of Object.entries(orders))
      it(`is refused by each preview, if the UserGroups is declared ${order}`, async () => {
        const { stack, emulator } = fixture;
        await stack.program(programOf(before));
        succeeds(await stack.up());
        const token = emulator.groups.get("acme")?.token;
        await stack.program(programOf(resources.join("\n")));
        for (let round = 0; round < rounds; round += 1)
          fails(await stack.preview(), /"acme".*removed: "retain".*\[removed-elsewhere\]/s);
        assert.equal(emulator.groups.get("acme")?.token, token);
      });
  });

  describe(`a new group with another account's API token, with ${form}`, () => {
    const fixture = newFixture(() => ({ program: programOf(before) }));

    it("is created in no run, although it is declared before the groups of the state", async () => {
      const { stack, emulator } = fixture;
      succeeds(await stack.up());
      const account = emulator.addAccount();
      const added = `new UserGroup("added", { userGroupId: "added", name: "Added" });`;
      await stack.program(programOf(added + before));
      const env = { USER_GROUPS_API_TOKEN: account.apiToken };
      for (let round = 0; round < rounds; round += 1) {
        fails(await stack.up({ env }), /\[nothing-found\]/);
        assert.deepEqual([...account.groups.keys()], []);
      }
    });
  });
}
