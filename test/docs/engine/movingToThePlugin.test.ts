import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf } from "../../engine/harness";
import { pluginEntry } from "../../engine/plugin/program";
import { programOf, snippetOf } from "./program";

const page = "docs/moving-to-the-plugin.md";
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
  const world = newWorld(() => ({ program: packageProgram }));

  it("takes one up there and one back, sends no request, and changes no token", async () => {
    succeeds(await world.stack.up());
    const tokens = tokensOf(world.emulator);
    world.emulator.clearRequests();
    for (const program of [yaml(snippetOf(page, "yaml")), { ...packageProgram, ...onTheWayBack }]) {
      await world.stack.program(program);
      assert.deepEqual(succeeds(await world.stack.up()).changes, { same: 1, update: 2 });
      const outputs = { acmeToken: tokens["acme"], globexToken: tokens["globex"] };
      assert.deepEqual(await world.stack.plainOutputs(), outputs);
    }
    await world.stack.program(packageProgram);
    assert.deepEqual(succeeds(await world.stack.preview()).changes, { same: 3 });
    assert.deepEqual(requestsTo(world.emulator), []);
    assert.deepEqual(tokensOf(world.emulator), tokens);
  });
});

describe("moving to the plugin with another name of a resource", () => {
  const shown = snippetOf(page, "yaml", 1);
  const acme = `
    const { UserGroup } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
  `;
  const world = newWorld(() => ({ program: acme }));
  before(async () => {
    succeeds(await world.stack.up());
    world.emulator.clearRequests();
  });

  it("is an update with the alias that the page shows", async () => {
    await world.stack.program(yaml(shown));
    const preview = succeeds(await world.stack.preview());
    assert.deepEqual(preview.changes, { same: 1, update: 1 });
  });

  it("adopts and then deletes the group without the alias, and --refresh creates it again", async () => {
    await world.stack.program(yaml(withoutAliases(shown).replace("    options:\n", "")));
    const preview = succeeds(await world.stack.preview());
    assert.deepEqual(stepsOf(preview, "acme-corporation"), ["create"]);
    assert.deepEqual(stepsOf(preview, "acme"), ["delete"]);
    assert.deepEqual(requestsTo(world.emulator), []);
    succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" returned 200', 'DELETE "acme" deleted 200']);
    succeeds(await world.stack.up({ flags: ["--refresh"] }));
    const state = JSON.stringify(await world.stack.plainState());
    assert(state.includes(tokensOf(world.emulator)["acme"] ?? "no token"));
  });
});
