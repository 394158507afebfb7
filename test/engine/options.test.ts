/** Options of resources and of commands that the engine keeps to itself, or passes on in its own way. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import {
  errorOf,
  fails,
  isSecret,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
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
    `);
  const fixture = newFixture(() => ({ program: programOf("Before") }));

  it("work as on other resources, and no group counts as declared twice when the engine checks it twice", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    const { outputs } = await stack.resource("discreet");
    assert(isSecret(outputs["token"]) && isSecret(outputs["name"]));

    await stack.program(programOf("Before", "After"));
    assert.match(errorOf(fails(await stack.up()), "guarded"), /unable to replace .*\n.*protect/);
    emulator.clearRequests();
    await stack.program(programOf("After"));
    const up = succeeds(await stack.up({ flags: ["--replace", (await stack.resource("discreet")).urn] }));
    assert.deepEqual(stepsOf(up, "ignoring"), ["same"]);
    for (const name of ["hurried", "renamed", "triggered", "linked", "discreet"])
      assert(stepsOf(up, name).includes("replace"), name);
    const hurried = ['DELETE "hurried" deleted 200', 'GET "hurried" created 200'];
    assert.deepEqual(requestsTo(emulator, "hurried"), hurried);
    for (const id of ["triggered", "linked", "discreet"]) assert.equal(tokensOf(emulator)[id], former[id]);
  });
});

/** The package's classes leave the option out. Generated SDKs pass it to the engine. */
describe("plugin: deleteBeforeReplace: false", () => {
  const programOf = (name: string, options: object) =>
    pluginProgram(`
      const args = { userGroupId: "acme", name: "${name}", token: undefined };
      const options = ${JSON.stringify(options)};
      exports.token = new pulumi.CustomResource("user-groups:index:UserGroup", "acme", args, options).token;
    `);
  const options = { deleteBeforeReplace: false };
  const fixture = newFixture(() => ({ program: programOf("Before", options) }));

  it("makes a replacement fail; the group and its token stay, until an up without the option", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf("After", options));
    const failed = fails(await stack.up());
    assert.match(errorOf(failed, "acme"), /deleteBeforeReplace: false.*\[replacement-retained\]/);
    assert.deepEqual(requestsTo(emulator), ['GET "acme" returned 200']);
    assert.deepEqual(await stack.plainOutputs(), { token: former["acme"] });

    await stack.program(programOf("After", {}));
    succeeds(await stack.up());
    assert.notDeepEqual(tokensOf(emulator), former);
    assert.deepEqual(await stack.plainOutputs(), { token: tokensOf(emulator)["acme"] });
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

describe("the engine's command, if a stack or a folder is named like a command", () => {
  const groups = Object.fromEntries(["acme", "beta"].map((id) => [id, { name: id }]));
  const declared = packageProgram(
    `new UserGroups("tenants", { groups: ${JSON.stringify(groups)}, deletionLimit: 1 });`,
  );
  const fixture = newFixture(() => ({ program: declared }));

  for (const { name, words } of [
    { name: "down", words: ["-s", "down"] },
    { name: "dev", words: ["-C", "refresh"] },
  ])
    it(`keeps to deletionLimit in pulumi ${words.join(" ")}, also in a destroy, until the limit has gone`, async () => {
      const { stack, emulator } = fixture;
      if (name !== "dev") succeeds(await stack.run(["stack", "init", "--no-select", name]));
      await fs.symlink(stack.folder, join(stack.folder, "refresh"), "junction").catch(() => undefined);
      const flags = ["--yes", "--skip-preview", ...(name === "dev" ? ["--stack", "dev"] : [])];
      const run = (command: string) => stack.run([...words, command, ...flags]);
      await stack.program(declared);
      succeeds(await run("up"));
      await stack.program(packageProgram(""));
      for (const command of ["up", "destroy"])
        fails(await run(command), /"acme", "beta".*can't be seen whether.*\[deletion-limit\]/);
      assert.equal(emulator.groups.size, 2);
      await stack.program(
        packageProgram(`new UserGroups("tenants", { groups: ${JSON.stringify(groups)} });`),
      );
      succeeds(await run("up"));
      succeeds(await run("destroy"));
      assert.equal(emulator.groups.size, 0);
    });
});

describe("plugin: replaceOnChanges of an argument that changes only the state", () => {
  const programOf = (source: string) => {
    const args = { userGroupId: "acme", name: "Acme", dataSourceProvidedId: source };
    const options = { replaceOnChanges: ["dataSourceProvidedId"] };
    return pluginProgram(`new UserGroup("acme", ${JSON.stringify(args)}, ${JSON.stringify(options)});`);
  };
  const fixture = newFixture(() => ({ program: programOf("one") }));

  it("keeps the token, and the preview says with which option it would be another", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    await stack.program(programOf("two"));
    const warnings = warningsOf(succeeds(await stack.preview())).join("\n");
    succeeds(await stack.up());
    assert.equal(tokensOf(emulator)["acme"], former["acme"]);
    assert.match(warnings, /user group "acme".*keep their tokens.*deleteBeforeReplace/s);
  });
});

describe("plugin: replaceOnChanges beside overlap", () => {
  const programOf = (name: string) => {
    const args = { userGroupId: "acme", name, overlap: true };
    return pluginProgram(`new UserGroup("acme", ${JSON.stringify(args)}, { replaceOnChanges: ["name"] });`);
  };
  const fixture = newFixture(() => ({ program: programOf("one") }));

  it("creates the new group, and deletes the former one in the next up, once its token is delivered", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    await stack.program(programOf("two"));
    assert.match(errorOf(fails(await stack.up()), "acme"), /user group "acme".*\[move-unconfirmed\]/);
    assert.equal(emulator.groups.size, 2);
    succeeds(await stack.up());
    assert.deepEqual(
      [...emulator.groups.values()].map(({ name }) => name),
      ["two"],
    );
  });
});

describe("a component with several groups", () => {
  const fixture = newFixture(() => ({
    program: packageProgram(`
      class Customers extends pulumi.ComponentResource {
        constructor(name) {
          super("tests:index:Customers", name);
          for (const id of ["acme", "beta"]) new UserGroup(id, { userGroupId: id, name: id }, { parent: this });
          new UserGroups("many", { groups: { gamma: { name: "Gamma" } } }, { parent: this });
        }
      }
      new Customers("customers");
    `),
  }));

  it("creates them, although each knows the URN of the component", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    assert.deepEqual(Object.keys(tokensOf(emulator)).sort(), ["acme", "beta", "gamma"]);
    assert.match((await stack.resource("acme")).urn, /tests:index:Customers\$.*::acme$/);
  });
});
