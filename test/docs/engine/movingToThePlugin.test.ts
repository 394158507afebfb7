import assert from "node:assert/strict";
import { newFixture, requestsTo, stepsOf, succeeds, tokensOf } from "../../engine/harness";
import { pluginEntry } from "../../engine/plugin/pluginProgram";
import { programOf, snippetOf } from "./pagePrograms";

const page = "docs/languages.md";
const onTheWayBack = programOf(page);
const withoutAliases = (text: string) => text.replaceAll(/^.*\baliases: .*\n?/gm, "");

/** The program for the package: the page's, before it has aliases. */
const packageProgram = {
  ...onTheWayBack,
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "index.ts": withoutAliases(onTheWayBack["index.ts"] ?? ""),
};

const yaml = (text: string) => ({ "Pulumi.yaml": `name: tests\nruntime: yaml\n${pluginEntry}\n${text}` });

describe("moving to the plugin, as its page says", () => {
  const fixture = newFixture(() => ({ program: packageProgram }));

  it("takes one up there and one back, sends no request, and changes no token", async () => {
    succeeds(await fixture.stack.up());
    const tokens = tokensOf(fixture.emulator);
    fixture.emulator.clearRequests();
    for (const program of [yaml(snippetOf(page, "yaml")), { ...packageProgram, ...onTheWayBack }]) {
      await fixture.stack.program(program);
      assert.deepEqual(succeeds(await fixture.stack.up()).changes, { same: 1, update: 2 });
      const outputs = { acmeToken: tokens["acme"], globexToken: tokens["globex"] };
      assert.deepEqual(await fixture.stack.plainOutputs(), outputs);
    }
    await fixture.stack.program(packageProgram);
    assert.deepEqual(succeeds(await fixture.stack.preview()).changes, { same: 3 });
    assert.deepEqual(requestsTo(fixture.emulator), []);
    assert.deepEqual(tokensOf(fixture.emulator), tokens);
  });
});

describe("moving to the plugin with another name of a resource", () => {
  const shown = snippetOf(page, "yaml", 1);
  const acme = `
    const { UserGroup } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
  `;
  const fixture = newFixture(() => ({ program: acme }));
  before(async () => {
    succeeds(await fixture.stack.up());
    fixture.emulator.clearRequests();
  });

  it("is an update with the alias that the page shows", async () => {
    await fixture.stack.program(yaml(shown));
    const preview = succeeds(await fixture.stack.preview());
    assert.deepEqual(preview.changes, { same: 1, update: 1 });
  });

  it("adopts and then deletes the group without the alias, and --refresh creates it again", async () => {
    await fixture.stack.program(yaml(withoutAliases(shown).replace("    options:\n", "")));
    const preview = succeeds(await fixture.stack.preview());
    assert.deepEqual(stepsOf(preview, "acme-corporation"), ["create"]);
    assert.deepEqual(stepsOf(preview, "acme"), ["delete"]);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    succeeds(await fixture.stack.up());
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" returned 200', 'DELETE "acme" deleted 200']);
    succeeds(await fixture.stack.up({ flags: ["--refresh"] }));
    const state = JSON.stringify(await fixture.stack.plainState());
    assert(state.includes(tokensOf(fixture.emulator)["acme"] ?? "no token"));
  });
});
