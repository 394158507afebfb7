import assert from "node:assert/strict";
import {
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
} from "../harness";

const unchanged = ["child", "nested", "kept", "tenants"];

/** `alias`: the beginning of the type that the resources had before. */
const text = (name: string, alias = "") => `
  const group = (id, name, opts) => {
    const aliases = "${alias}" ? [{ type: "${alias}UserGroup" }] : [];
    return new UserGroup(id, { userGroupId: id, name, keepers: { a: "b" } }, { ...opts, aliases });
  };
  const child = group("child", "Child", { parent: new pulumi.ComponentResource("tests:index:Customer", "customer") });
  const nested = group("nested", "Nested", { parent: child });
  const kept = group("kept", "Kept", { protect: true });
  const renamed = group("renamed", "${name}");
  const aliases = "${alias}" ? [{ type: "${alias}UserGroups" }] : [];
  const { tokens } = new UserGroups("tenants", { groups: { one: { name: "One" } } }, { aliases });
  exports.tokens = { child: child.token, nested: nested.token, kept: kept.token, renamed: renamed.token, one: tokens.one };
`;

describe("moving from the dynamic resources to the plugin", () => {
  const fixture = newFixture(() => ({ program: packageProgram(text("Renamed")) }));
  const assertOutputs = async () => {
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  };
  const types = async () => (await fixture.stack.resources()).map(({ type }) => type).join("\n");

  it("changes no token and sends no request, except for a group whose name changes in the same run", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const { renamed: former, ...kept } = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(pluginProgram(text("Renamed since")));
    for (const run of [await stack.preview(), await stack.up()])
      for (const name of unchanged) assert.deepEqual(stepsOf(succeeds(run), name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), ['DELETE "renamed" deleted 200', 'GET "renamed" created 200']);
    const { renamed, ...others } = tokensOf(emulator);
    assert(renamed !== former);
    assert.deepEqual(others, kept);
    await assertOutputs();
    assert.doesNotMatch(await types(), /dynamic/);

    assert.deepEqual(succeeds(await stack.up()).changes, { same: 7 });
    assert.equal((await stack.resource("kept")).protect, true);
    assert.match((await stack.resource("nested")).urn, /\$user-groups:index:UserGroup::nested$/);
  });

  it("goes back in one up, without a request: each resource has the plugin's type as alias", async () => {
    const { stack, emulator } = fixture;
    emulator.clearRequests();
    await stack.program(packageProgram(text("Renamed since", "user-groups:index:")));
    const up = succeeds(await stack.up());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), []);
    await assertOutputs();
    assert.deepEqual(Object.keys(succeeds(await stack.preview()).changes), ["same"]);
    assert.doesNotMatch(await types(), /^user-groups:/m);
  });
});
