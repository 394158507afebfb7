/** Options of resources and of commands that the engine keeps to itself, or passes on in its own way. */
import assert from "node:assert/strict";
import {
  fails,
  isSecret,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
} from "./harness";

describe("the resource options", () => {
  const programOf = (name: string, guarded = "Before") =>
    packageProgram(`
      const group = (id, name, options) => new UserGroup(id, { userGroupId: id, name }, options);
      group("guarded", "${guarded}", { protect: true });
      group("ignoring", "${name}", { ignoreChanges: ["name"] });
      group("hurried", "${name}", { deleteBeforeReplace: false });
      group("discreet", "Same", { additionalSecretOutputs: ["name"] });
      group("renamed", "${name}", { replaceOnChanges: ["*"] });
      const triggered = group("triggered", "Same", { replacementTrigger: "${name}" });
      group("linked", "Same", { replaceWith: [triggered] });
      UserGroup.get("looked-up", triggered.id, { name: "Same" });
      const parent = new pulumi.ComponentResource("tests:index:Customers", "customers");
      for (const id of ["first", "second"]) group(id, "Same", { parent });
      new UserGroups("many", { groups: { third: { name: "Same" } } }, { parent });
    `);
  const fixture = newFixture(() => ({ program: programOf("Before") }));

  it("work as on other resources, and no group counts as declared twice when the engine checks it twice", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    const { outputs } = await stack.resource("discreet");
    assert(isSecret(outputs["token"]) && isSecret(outputs["name"]));

    await stack.program(programOf("Before", "After"));
    fails(await stack.up(), /unable to replace .*guarded.*\n.*protect/);
    emulator.clearRequests();
    await stack.program(programOf("After"));
    const up = succeeds(await stack.up({ flags: ["--replace", (await stack.resource("discreet")).urn] }));
    assert.deepEqual(stepsOf(up, "ignoring"), ["same"]);
    for (const name of ["hurried", "renamed", "triggered", "linked", "discreet"])
      assert(stepsOf(up, name).includes("replace"), name);
    const hurried = ['DELETE "hurried" deleted 200', 'GET "hurried" created 200'];
    assert.deepEqual(requestsTo(emulator, "hurried"), hurried);
    for (const id of ["triggered", "linked", "discreet", "first", "second", "third"])
      assert.equal(tokensOf(emulator)[id], former[id]);
  });
});

/** The package's classes leave deleteBeforeReplace: false out. Generated SDKs pass it to the engine. */
describe("the resource options of the plugin", () => {
  const programOf = (name: string, source: string, options: object = {}) =>
    pluginProgram(`
      const group = (id, args, options) =>
        new pulumi.CustomResource("user-groups:index:UserGroup", id, { userGroupId: id, ...args, token: undefined }, options);
      group("hurried", { name: "${name}" }, ${JSON.stringify(options)});
      const dataSourceProvidedId = "${source}";
      group("stored", { name: "Same", dataSourceProvidedId }, { replaceOnChanges: ["dataSourceProvidedId"] });
    `);
  const hurriedly = { deleteBeforeReplace: false };
  const fixture = newFixture(() => ({ program: programOf("Before", "one", hurriedly) }));

  it("keep the group and its token if they would replace it before its deletion, until an up without them", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf("After", "one", hurriedly));
    fails(await stack.up(), /deleteBeforeReplace: false.*\[replacement-retained\]/);
    assert.deepEqual(requestsTo(emulator), ['GET "hurried" returned 200']);
    await stack.program(programOf("After", "two"));
    succeeds(await stack.up());
    const { hurried, stored } = tokensOf(emulator);
    assert.notEqual(hurried, former["hurried"]);
    assert.equal(stored, former["stored"]);
  });
});

/** The provider tells `pulumi destroy` from `pulumi up` by the engine's command line, because neither declares anything here. */
describe("the engine's command", () => {
  const withLookup = packageProgram(`
    const groups = { acme: { name: "Acme" }, globex: { name: "Globex" } };
    const tenants = new UserGroups("tenants", { groups, deletionLimit: 1 });
    UserGroup.get("found", "acme", { name: "Acme" }, { dependsOn: tenants });
  `);
  const fixture = newFixture(() => ({ program: withLookup }));

  it("destroy --run-program deletes a group beside its lookup, and more than deletionLimit", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    succeeds(await stack.destroy({ flags: ["--run-program"] }));
    assert.equal(emulator.groups.size, 0);
  });
});
