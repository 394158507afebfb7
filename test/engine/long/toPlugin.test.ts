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

const unchanged = ["child", "acme", "nested", "kept", "eu", "tenants"];

/** Each kind of resource. `options` and `eu`: functions and arguments of the program's kind. */
const resources = (renamed: string) => `
  const group = (id, args, opts) => new UserGroup(id, { userGroupId: id, name: "Tenant", ...args }, options("UserGroup", opts));
  const customer = new pulumi.ComponentResource("tests:index:Customer", "customer");
  const acme = group("acme", { keepers: { a: "b" } });
  const groups = {
    acme,
    child: group("child", {}, { parent: customer }),
    nested: group("nested", {}, { parent: acme }),
    kept: group("kept", {}, { protect: true }),
    eu: group("eu", ...eu),
    renamed: group("renamed", { name: "${renamed}" }),
  };
  const many = { one: { name: "One" }, two: { name: "Two" } };
  const { tokens } = new UserGroups("tenants", { groups: many }, options("UserGroups"));
  exports.tokens = Object.fromEntries(Object.entries(groups).map(([id, { token }]) => [id, token]));
  exports.tenants = tokens;
`;

/** `alias`: the beginning of the type that the resources had before. */
const dynamicProgram = (renamed: string, alias = "") =>
  packageProgram(`
    const options = (type, opts) => ({ ...opts, aliases: "${alias}" ? [{ type: "${alias}" + type }] : [] });
    const eu = [{ connection: "eu" }];
    ${resources(renamed)}
  `);

const movedProgram = (renamed: string) =>
  pluginProgram(`
    const options = (type, opts) => opts;
    const eu = [{}, { provider: new Provider("europe", { baseUrl: process.env.USER_GROUPS_EU_BASE_URL }) }];
    ${resources(renamed)}
  `);

describe("moving from the dynamic resources to the plugin", () => {
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program: dynamicProgram("Renamed"),
    env: { USER_GROUPS_EU_BASE_URL: baseUrl, USER_GROUPS_EU_API_TOKEN: apiToken },
  }));
  const assertOutputs = async (expected: Record<string, string>) => {
    const { one, two, ...tokens } = expected;
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens, tenants: { one, two } });
  };
  const types = async () => (await fixture.stack.resources()).map(({ type }) => type).join("\n");
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });

  it("changes no token and sends no request, except for a group whose name changes in the same run", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(movedProgram("Renamed"));
    const preview = succeeds(await stack.preview());
    await stack.program(movedProgram("Renamed since"));
    const up = succeeds(await stack.up());
    for (const run of [preview, up])
      for (const name of unchanged) assert.deepEqual(stepsOf(run, name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), ['DELETE "renamed" deleted 200', 'GET "renamed" created 200']);
    const { renamed = "" } = tokensOf(emulator);
    assert.notEqual(renamed, former["renamed"]);
    await assertOutputs({ ...former, renamed });
    assert.doesNotMatch(await types(), /dynamic/);
  });

  it("is over: the next up has no change, and protect and the parents are those of the program", async () => {
    const { stack, emulator } = fixture;
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 10 });
    assert.deepEqual(requestsTo(emulator), []);
    assert.equal((await stack.resource("kept")).protect, true);
    const { urn } = await stack.resource("nested");
    assert.match(urn, /::user-groups:index:UserGroup\$user-groups:index:UserGroup::nested$/);
  });

  it("goes back in one up, without a request: each resource has the plugin's type as alias", async () => {
    const { stack, emulator } = fixture;
    await stack.program(dynamicProgram("Renamed since", "user-groups:index:"));
    const up = succeeds(await stack.up());
    for (const name of [...unchanged, "renamed"]) assert.deepEqual(stepsOf(up, name), ["update"], name);
    assert.deepEqual(requestsTo(emulator), []);
    await assertOutputs(tokensOf(emulator));
    assert.deepEqual(Object.keys(succeeds(await stack.preview()).changes), ["same"]);
    assert.doesNotMatch(await types(), /^user-groups:/m);
  });
});
