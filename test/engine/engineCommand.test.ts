/** The provider tells `pulumi destroy` from `pulumi up` by the engine's command line, because neither declares anything here. */
import assert from "node:assert/strict";
import { fails, newFixture, succeeds } from "./harness";

const head = `const { UserGroup, UserGroups } = require("pulumi-user-groups");`;

describe("the engine's command", () => {
  const fixture = newFixture(() => ({ program: head }));

  it("destroy --run-program deletes a group beside its lookup", async () => {
    await fixture.stack.program(`${head}
      const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
      UserGroup.get("found", "acme", { name: "Acme" }, { dependsOn: acme });
    `);
    succeeds(await fixture.stack.up());
    succeeds(await fixture.stack.destroy({ flags: ["--run-program"] }));
    assert.equal(fixture.emulator.groups.size, 0);
  });

  it("up keeps to deletionLimit if the program declares no group any more, and destroy doesn't", async () => {
    await fixture.stack.program(`${head}
      new UserGroups("tenants", { groups: { a: { name: "A" }, b: { name: "B" } }, deletionLimit: 1 });
    `);
    succeeds(await fixture.stack.up());
    await fixture.stack.program(head);
    fails(await fixture.stack.up(), /would delete 2 user groups .*\[deletion-limit\]/);
    assert.equal(fixture.emulator.groups.size, 2);
    succeeds(await fixture.stack.destroy());
    assert.equal(fixture.emulator.groups.size, 0);
  });
});
