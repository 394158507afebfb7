import assert from "node:assert/strict";
import { newFixture, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";
import { pluginProgram } from "./pluginProgram";

/** Each kind of resource. A program for the package has a connection, which leads to the same address. */
const resources = (renamed: string, { connection = "", protect = true }) => `
  const customer = new pulumi.ComponentResource("tests:index:Customer", "customer");
  const child = new UserGroup("child", { userGroupId: "child", name: "Child" }, options("UserGroup", { parent: customer }));
  const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", keepers: { a: "b" } }, options("UserGroup"));
  const nested = new UserGroup("nested", { userGroupId: "nested", name: "Nested" }, options("UserGroup", { parent: acme }));
  const kept = new UserGroup("kept", { userGroupId: "kept", name: "Kept" }, options("UserGroup", { protect: ${protect} }));
  const eu = new UserGroup("eu", { userGroupId: "eu", name: "EU"${connection} }, options("UserGroup", { provider: euProvider }));
  const renamed = new UserGroup("renamed", { userGroupId: "renamed", name: "${renamed}" }, options("UserGroup"));
  const tenants = new UserGroups("tenants", { groups: { one: { name: "One" }, two: { name: "Two" } } }, options("UserGroups"));
  exports.tokens = Object.fromEntries(Object.entries({ child, acme, nested, kept, eu, renamed }).map(([id, { token }]) => [id, token]));
  exports.tenants = tenants.tokens;
`;

/** `aliasPrefix`: of the type that the resources had before. */
const dynamicProgram = (renamed: string, aliasPrefix?: string) => ({
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "index.js": `
    const pulumi = require("@pulumi/pulumi");
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const aliasPrefix = ${JSON.stringify(aliasPrefix)};
    const options = (type, opts) => ({ ...opts, aliases: aliasPrefix ? [{ type: aliasPrefix + type }] : [] });
    const euProvider = undefined;
    ${resources(renamed, { connection: ', connection: "eu"' })}
  `,
});

const movedProgram = (renamed: string, baseUrl: string) =>
  pluginProgram(`
    const options = (type, opts) => opts;
    const euProvider = new Provider("europe", { baseUrl: "${baseUrl}" });
    ${resources(renamed, {})}
  `);

describe("moving from the dynamic resources to the plugin", () => {
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program: dynamicProgram("Renamed"),
    env: { USER_GROUPS_EU_BASE_URL: baseUrl, USER_GROUPS_EU_API_TOKEN: apiToken },
  }));
  const unchanged = ["child", "acme", "nested", "kept", "eu", "tenants"];
  let former: Record<string, string>;
  before(async () => {
    succeeds(await fixture.stack.up());
    former = tokensOf(fixture.emulator);
  });
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });
  const assertTokens = async (expected: Record<string, string>) => {
    assert.deepEqual(tokensOf(fixture.emulator), expected);
    const { one, two, ...tokens } = expected;
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens, tenants: { one, two } });
  };

  it("is shown by the preview as an update of each resource, without a request", async () => {
    await fixture.stack.program(movedProgram("Renamed", fixture.emulator.baseUrl));
    const preview = succeeds(await fixture.stack.preview());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(preview, name), ["update"], name);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("changes no token and sends no request, except for a group whose name changes in the same run", async () => {
    await fixture.stack.program(movedProgram("Renamed since", fixture.emulator.baseUrl));
    const up = succeeds(await fixture.stack.up());
    for (const name of unchanged) assert.deepEqual(stepsOf(up, name), ["update"], name);
    const replaced = ['DELETE "renamed" deleted 200', 'GET "renamed" created 200'];
    assert.deepEqual(requestsTo(fixture.emulator), replaced);
    const { renamed = "" } = tokensOf(fixture.emulator);
    assert.notEqual(renamed, former["renamed"]);
    await assertTokens({ ...former, renamed });
    former = { ...former, renamed };
    for (const { type, outputs } of await fixture.stack.resources()) {
      assert.doesNotMatch(type, /dynamic/);
      assert(!("__provider" in outputs) && !("connection" in outputs));
    }
  });

  it("is over: the next up has no change, and protect and the parents are those of the program", async () => {
    const again = succeeds(await fixture.stack.up());
    assert.deepEqual(again.changes, { same: 10 });
    assert.deepEqual(requestsTo(fixture.emulator), []);
    assert.equal((await fixture.stack.resource("kept")).protect, true);
    const { urn } = await fixture.stack.resource("nested");
    assert.match(urn, /::user-groups:index:UserGroup\$user-groups:index:UserGroup::nested$/);
  });

  it("goes back in one up, without a request and without the plugin: each resource has the plugin's type as alias", async () => {
    await fixture.stack.program(dynamicProgram("Renamed since", "user-groups:index:"));
    const up = succeeds(await fixture.stack.up());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    await assertTokens(former);
    const again = succeeds(await fixture.stack.preview());
    assert.deepEqual(again.changes, { same: 9 });
    const types = (await fixture.stack.resources()).map(({ type }) => type);
    assert(!types.some((type) => type.startsWith("user-groups:")), types.join("\n"));
  });
});
