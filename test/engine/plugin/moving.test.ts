import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";
import { pluginProgram, projectFile } from "./program";

/** Each resource for the package and for the plugin; the package has a connection to the same address, too. */
const resources = (connection: string, renamed = "Renamed") => `
  const parent = new pulumi.ComponentResource("tests:index:Customer", "customer");
  const child = new UserGroup("child", { userGroupId: "child", name: "Child" }, { parent });
  const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", mapping: { sales: "one" }, keepers: { a: "b" } });
  const kept = new UserGroup("kept", { userGroupId: "kept", name: "Kept" }, { protect: true });
  const eu = new UserGroup("eu", { userGroupId: "eu", name: "EU"${connection} });
  const renamed = new UserGroup("renamed", { userGroupId: "renamed", name: "${renamed}" });
  const tenants = new UserGroups("tenants", { groups: { one: { name: "One" }, two: { name: "Two" } } });
  exports.tokens = { child: child.token, acme: acme.token, kept: kept.token, eu: eu.token, renamed: renamed.token };
  exports.tenants = tenants.tokens;
`;

const dynamicProgram = (renamed?: string) => ({
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "index.js": `
    const pulumi = require("@pulumi/pulumi");
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    ${resources(', connection: "eu"', renamed)}
  `,
});

describe("moving from the dynamic resources to the plugin", () => {
  const world = newWorld(({ baseUrl, apiToken }) => ({
    program: dynamicProgram(),
    env: {
      USER_GROUPS_BASE_URL: baseUrl,
      USER_GROUPS_API_TOKEN: apiToken,
      USER_GROUPS_EU_BASE_URL: baseUrl,
      USER_GROUPS_EU_API_TOKEN: apiToken,
    },
  }));
  let former: Record<string, string>;
  before(async () => {
    succeeds(await world.stack.up());
    former = tokensOf(world.emulator);
    world.emulator.clearRequests();
  });
  const assertMoved = async (up: Result, ...changed: string[]) => {
    for (const name of ["child", "acme", "kept", "eu", "tenants"])
      assert.deepEqual(stepsOf(up, name), ["update"], name);
    const unchanged = Object.keys(former).filter((id) => !changed.includes(id));
    const tokens = tokensOf(world.emulator);
    for (const id of unchanged) assert.equal(tokens[id], former[id], id);
    for (const { type, outputs } of await world.stack.resources()) {
      assert.doesNotMatch(type, /dynamic/);
      assert(!("__provider" in outputs) && !("connection" in outputs));
    }
    const { one, two, ...single } = tokens;
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: single, tenants: { one, two } });
  };

  it("changes no token and sends no request, but for a group whose name changes in the same run", async () => {
    await world.stack.program(pluginProgram(resources("", "Renamed since")));
    const preview = succeeds(await world.stack.preview());
    assert.deepEqual(requestsTo(world.emulator), []);
    assert(stepsOf(preview, "renamed").includes("replace"));
    const up = succeeds(await world.stack.up());
    await assertMoved(up, "renamed");
    assert.deepEqual(requestsTo(world.emulator), [
      'DELETE "renamed" deleted 200',
      'GET "renamed" created 200',
    ]);
  });

  it("is over: the next up has no change, and protect is still in force", async () => {
    const again = succeeds(await world.stack.up());
    assert.deepEqual(again.changes, { same: 8 });
    assert.equal((await world.stack.resource("kept")).protect, true);
  });

  it("goes back without a lost token: the resources of the package adopt the groups", async () => {
    const tokens = tokensOf(world.emulator);
    await world.stack.program(pluginProgram(retained(resources("", "Renamed since"))));
    succeeds(await world.stack.up());
    // The engine needs the plugin once more: it removes the former resources from the state.
    await world.stack.program({ ...dynamicProgram("Renamed since"), "Pulumi.yaml": projectFile });
    world.emulator.clearRequests();
    succeeds(await world.stack.up());
    assert.deepEqual(tokensOf(world.emulator), tokens);
    assert.doesNotMatch(requestsTo(world.emulator).join("\n"), /DELETE/);
  });
});

/** With retainOnDelete for each resource, and without protect. */
function retained(program: string): string {
  return `
    pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: { ...opts, retainOnDelete: true, protect: false } }));
    ${program}
  `;
}

describe("moving to the plugin", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `g${index}`);
  const program = `
    exports.tokens = {};
    for (const id of ${JSON.stringify(ids)})
      exports.tokens[id] = new UserGroup(id, { userGroupId: id, name: "Group" }).token;
  `;
  const world = newWorld(() => ({
    program: {
      ...dynamicProgram(),
      "index.js": `const { UserGroup } = require("pulumi-user-groups"); ${program}`,
    },
  }));
  let former: Record<string, string>;
  beforeEach(async () => {
    await world.stack.program({
      ...dynamicProgram(),
      "index.js": `const { UserGroup } = require("pulumi-user-groups"); ${program}`,
    });
    succeeds(await world.stack.up());
    former = tokensOf(world.emulator);
    world.emulator.clearRequests();
    await world.stack.program(pluginProgram(program));
  });
  afterEach(async () => {
    succeeds(await world.stack.destroy());
  });

  it("with --refresh reads each group once, and changes no token", async () => {
    succeeds(await world.stack.up({ flags: ["--refresh"] }));
    assert.deepEqual(requestsTo(world.emulator).sort(), ids.map((id) => `GET "${id}" returned 200`).sort());
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: former });
  });
});
