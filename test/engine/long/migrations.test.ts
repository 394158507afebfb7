/** One `up` moves groups from the dynamic resources to the plugin, and one moves them back. */
import assert from "node:assert/strict";
import {
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
} from "../../support/engine";

const unchanged = ["nested", "kept", "tenants"];

/** `alias`: the beginning of the type that the resources had before. */
const text = (name: string, alias = "") => `
  const aliasesOf = (type) => ("${alias}" ? [{ type: "${alias}" + type }] : []);
  const group = (id, name, opts, overlap) => {
    const args = { userGroupId: id, name, keepers: { a: "b" }, overlap, overlapHours: 0 };
    return new UserGroup(id, args, { ...opts, aliases: aliasesOf("UserGroup") });
  };
  const nested = group("nested", "Nested", { parent: new pulumi.ComponentResource("tests:index:Customer", "customer") });
  const kept = group("kept", "Kept", { protect: true });
  const renamed = group("renamed", "${name}", { protect: true }, true);
  const many = new UserGroups("tenants", { groups: { one: { name: "One" } } }, { aliases: aliasesOf("UserGroups") });
  exports.former = renamed.former;
  exports.tokens = { one: many.tokens.one, nested: nested.token, kept: kept.token, renamed: renamed.token };
`;

describe("moving from the dynamic resources to the plugin", () => {
  const fixture = newFixture(() => ({ program: packageProgram(text("Renamed")) }));

  it("changes no token and sends no request, except for a group with overlap whose name changes; one up goes back", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const kept = tokensOf(emulator);
    const [oldId = ""] = Object.keys(kept).filter((id) => id.startsWith("renamed"));
    emulator.clearRequests();
    await stack.program(pluginProgram(text("Renamed since")));
    for (const run of [await stack.preview(), await stack.up()])
      for (const name of unchanged) assert.deepEqual(stepsOf(succeeds(run), name), ["update"], name);
    const [newId = ""] = Object.keys(tokensOf(emulator)).filter((id) => !(id in kept));
    assert.deepEqual(requestsTo(emulator), [`GET "${newId}" created 200`]);
    const { [newId]: renamed, ...others } = tokensOf(emulator);
    assert.deepEqual(others, kept);
    const former = JSON.stringify((await stack.plainOutputs())["former"]);
    for (const part of [oldId, kept[oldId] ?? ""]) assert(former.includes(`"${part}"`));
    assert.equal((await stack.resource("kept")).protect, true);

    emulator.clearRequests();
    await stack.program(packageProgram(text("Renamed since", "user-groups:index:")));
    const back = succeeds(await stack.up());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(back, name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), [`DELETE "${oldId}" deleted 200`]);
    const { [oldId]: _, ...plain } = kept;
    assert.deepEqual(await stack.plainOutputs(), { former: null, tokens: { ...plain, renamed } });
    assert.deepEqual(Object.keys(succeeds(await stack.preview()).changes), ["same"]);
  });
});
