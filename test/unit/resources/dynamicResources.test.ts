import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { UserGroup, UserGroups } from "../../../provider/src";
import { mockEngine, record, valueOf, withOptions } from "./mockedProgram";

const providerText = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 7 }, properties: { region: "eu" } };

describe("UserGroup in a program", () => {
  let registered: readonly pulumi.runtime.MockResourceArgs[] = [];
  beforeEach(async () => {
    registered = await mockEngine((_, name) => ({ token: `token of ${name}`, adopted: false }));
  });

  it("is registered with its type, its arguments, the constant text of its provider and its URN", async () => {
    const keepers = { rotation: "1" };
    const args = { ...acme, dataSourceProvidedId: "warehouse", adopt: false, connection: "eu", keepers };
    await valueOf(new UserGroup("a", { ...args, name: pulumi.output("Acme") }).urn);
    const [{ type, name, inputs, custom } = assert.fail("nothing is registered"), ...more] = registered;
    assert.deepEqual([type, name, custom], ["pulumi-nodejs:dynamic/user-groups:UserGroup", "a", true]);
    const { __resource, ...others } = record(inputs);
    assert.deepEqual(others, { ...args, __provider: providerText });
    assert.equal(__resource, "urn:pulumi:stack::project::pulumi-nodejs:dynamic/user-groups:UserGroup::a");
    assert.deepEqual(more, []);
  });

  it("has its values as outputs, and the tokens alone as secrets", async () => {
    const group = new UserGroup("a", { ...acme, overlap: true, overlapHours: 0.5 });
    const { urn, id, ...outputs } = group;
    const values = { ...acme, adopted: false, token: "token of a", overlap: true, overlapHours: 0.5 };
    const found: Record<string, unknown> = {};
    for (const [name, output] of Object.entries<unknown>(outputs)) {
      if (!pulumi.Output.isInstance(output) || name.startsWith("__")) continue;
      const value = await valueOf(output);
      if (value !== undefined) found[name] = value;
      assert.equal(await pulumi.isSecret(output), name === "token" || name === "former", name);
    }
    assert.deepEqual(found, values);
  });

  it("never lets a replacement create first, which would delete the group that was just adopted", async () => {
    for (const options of [{ deleteBeforeReplace: false }, {}])
      assert.equal("deleteBeforeReplace" in (await optionsOf(options)), false);
    assert.equal((await optionsOf({ deleteBeforeReplace: true })).deleteBeforeReplace, true);
  });

  it("takes no stack trace for each of the SDK's promises, and leaves stack traces as they were", async () => {
    const before = Error.stackTraceLimit;
    let during: number | undefined;
    const look: pulumi.ResourceTransformation = () => {
      during = Error.stackTraceLimit;
      return undefined;
    };
    await valueOf(new UserGroup("a", acme, { transformations: [look] }).urn);
    assert.deepEqual([during, Error.stackTraceLimit], [0, before]);
    assert.throws(() => new UserGroup("", acme), {
      stack: /Missing resource name.*dynamicResources\.test/s,
    });
    assert.equal(Error.stackTraceLimit, before);
  });
});

describe("UserGroup.get", () => {
  it("reads the group of an ID with its known values", async () => {
    const read = await mockEngine(() => ({ token: "found", adopted: true }));
    const state = { name: "Acme", properties: { region: "eu" }, connection: "eu" };
    const group = UserGroup.get("a", pulumi.output("acme"), state, { protect: true });
    const values = await Promise.all([group.token, group.userGroupId, group.name].map(valueOf));
    assert.deepEqual(values, ["found", "acme", "Acme"]);
    assert.equal(await pulumi.isSecret(group.token), true);
    const [{ id, inputs } = assert.fail("nothing is read"), ...others] = read;
    const { __resource, ...known } = record(inputs);
    assert.deepEqual([typeof __resource, id, others], ["string", "acme", []]);
    assert.deepEqual(known, { ...state, userGroupId: "acme", __provider: providerText });
  });

  it("has an unknown ID in a preview, so that the engine reads nothing", async () => {
    const read = await mockEngine(() => ({}), { isPreview: true });
    await valueOf(UserGroup.get("a", "acme", { name: "Acme" }).urn);
    assert.deepEqual(
      read.map(({ id }) => id),
      ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
    );
  });
});

describe("UserGroups in a program", () => {
  it("is registered with its arguments and the frozen text of its provider, and has each token as a secret", async () => {
    const registered = await mockEngine(({ groups }) => ({
      tokens: Object.fromEntries(Object.keys(record(groups)).map((id) => [id, `token of ${id}`])),
    }));
    const ids = ["acme", "a.b", "constructor", "apply"];
    const groups = Object.fromEntries(ids.map((id) => [id, { name: pulumi.output("Tenant") }]));
    const resource = new UserGroups("tenants", { groups, removed: "retain", deletionLimit: 3 });
    for (const id of ids)
      assert.equal(await valueOf(resource.tokens.apply((all) => all[id])), `token of ${id}`);
    assert(await pulumi.isSecret(resource.tokens["acme"] ?? assert.fail("tokens can't be looked up by ID")));
    assert.equal(await pulumi.isSecret(resource.groups), false);
    assert.equal(await valueOf<unknown>(resource.connection), undefined);
    const { __resource, ...known } = record(registered[0]?.inputs);
    assert.deepEqual(known, {
      groups: Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])),
      removed: "retain",
      deletionLimit: 3,
      __provider: 'exports.handler = () => require("pulumi-user-groups/provider").userGroups;',
    });
  });
});

/** The options that the engine gets of a resource with these. */
async function optionsOf(options: pulumi.CustomResourceOptions): Promise<pulumi.CustomResourceOptions> {
  return (await withOptions((all) => new UserGroup("a", acme, all), options)).options;
}
