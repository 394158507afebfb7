/** Options of resources and of commands that the engine keeps to itself, or passes on in its own way. */
import assert from "node:assert/strict";
import { newFixture, packageProgram, requestsTo, stepsOf, succeeds, tokensOf } from "../support/engine";

describe("resource options by which the engine replaces a resource", () => {
  const programOf = (name: string) =>
    packageProgram(`
      const group = (id, name, options) => new UserGroup(id, { userGroupId: id, name }, options);
      group("hurried", "${name}", { deleteBeforeReplace: false });
      const triggered = group("triggered", "Same", { replacementTrigger: "${name}" });
      group("linked", "Same", { replaceWith: [triggered] });
      UserGroup.get("looked-up", triggered.id, { name: "Same" });
      const parent = new pulumi.ComponentResource("tests:index:Customers", "customers");
      group("child", "Same", { parent });
    `);
  const fixture = newFixture(() => ({ program: programOf("Before") }));

  it("keep the tokens of unchanged groups, none of which counts as declared twice when the engine checks it twice", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const { hurried: _, ...former } = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf("After"));
    const up = succeeds(await stack.up({ flags: ["--replace", (await stack.resource("child")).urn] }));
    for (const name of ["hurried", "triggered", "linked", "child"])
      assert(stepsOf(up, name).includes("replace"), name);
    const { hurried: __, ...tokens } = tokensOf(emulator);
    assert.deepEqual(tokens, former);
    const requests = ['DELETE "hurried" deleted 200', 'GET "hurried" created 200'];
    assert.deepEqual(requestsTo(emulator, "hurried"), requests);
  });
});

describe("destroy --run-program", () => {
  const fixture = newFixture(() => ({
    program: packageProgram(`
      new UserGroup("single", { userGroupId: "acme", name: "Acme", overlap: true });
      new UserGroups("many", { groups: { globex: { name: "Globex" }, hooli: { name: "Hooli" } } });
    `),
  }));

  it("deletes the groups, although the program declares them in the same run", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    assert.equal(emulator.groups.size, 3);
    succeeds(await stack.destroy({ flags: ["--run-program"] }));
    assert.equal(emulator.groups.size, 0);
    assert.deepEqual(await stack.resources(), []);
  });
});
