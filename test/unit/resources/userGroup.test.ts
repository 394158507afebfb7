import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { UserGroup } from "../../../provider/src";
import { mockEngine, record, valueOf } from "./mockedProgram";

const providerText = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 7 }, properties: { region: "eu" } };

describe("UserGroup in a program", () => {
  let registered: readonly pulumi.runtime.MockResourceArgs[] = [];
  beforeEach(async () => {
    registered = await mockEngine((_, name) => ({ token: `token of ${name}`, adopted: false }));
  });

  it("is registered with its type, its arguments, the constant text of its provider and an identification", async () => {
    const keepers = { rotation: pulumi.output("1") };
    const args = {
      ...acme,
      dataSourceProvidedId: "warehouse",
      adopt: false,
      connection: "eu",
      keepers: { rotation: "1" },
    };
    await valueOf(new UserGroup("a", { ...args, name: pulumi.output("Acme"), keepers }).urn);
    const [{ type, name, inputs, custom } = assert.fail("nothing is registered"), ...more] = registered;
    assert.deepEqual([type, name, custom], ["pulumi-nodejs:dynamic/user-groups:UserGroup", "a", true]);
    const { __resource, ...others } = record(inputs);
    assert.deepEqual(others, { ...args, __provider: providerText });
    assert.match(String(__resource), /^[0-9a-f-]{36}$/);
    assert.equal(Buffer.byteLength(providerText), 73);
    assert.deepEqual(more, []);
  });

  it("has an identification of its own", async () => {
    for (const name of ["a", "b"]) await valueOf(new UserGroup(name, { ...acme, userGroupId: name }).urn);
    assert.equal(new Set(registered.map(({ inputs }) => record(inputs)["__resource"])).size, 2);
  });

  it("refuses a value that JSON doesn't have, in the program", () => {
    const properties = { since: new Date() };
    // @ts-expect-error -- the types refuse it, too
    assert.throws(() => new UserGroup("a", { ...acme, properties }), {
      message: /^The argument properties\.since is a Date, which JSON doesn't have\. .*\[argument-invalid\]$/,
    });
    assert.deepEqual(registered, []);
  });

  it("has its values as outputs, and the token alone as a secret", async () => {
    const group = new UserGroup("a", acme);
    const { userGroupId, name, mapping, properties, adopted } = group;
    const set: pulumi.Output<unknown>[] = [userGroupId, name, mapping, properties, adopted];
    const { dataSourceProvidedId, adopt, connection, keepers, baseUrl } = group;
    const unset: pulumi.Output<unknown>[] = [dataSourceProvidedId, adopt, connection, keepers, baseUrl];
    const values = await Promise.all(set.map(valueOf));
    assert.deepEqual(values, ["acme", "Acme", { sales: 7 }, { region: "eu" }, false]);
    for (const output of unset) assert.equal(await valueOf(output), undefined);
    for (const output of [...set, ...unset]) assert.equal(await pulumi.isSecret(output), false);
    assert.equal(await valueOf(group.token), "token of a");
    assert.equal(await pulumi.isSecret(group.token), true);
    assert.equal(await valueOf(group.id), "id");
  });

  it("asks the engine to keep the token secret, beside the outputs that its caller names", async () => {
    assert.deepEqual((await optionsOf({})).additionalSecretOutputs, ["token"]);
    const { additionalSecretOutputs } = await optionsOf({ additionalSecretOutputs: ["name", "properties"] });
    assert.deepEqual(additionalSecretOutputs, ["name", "properties", "token"]);
  });

  it("never lets a replacement create first, which would delete the group that was just adopted", async () => {
    for (const options of [{ deleteBeforeReplace: false }, {}])
      assert.equal("deleteBeforeReplace" in (await optionsOf(options)), false);
    assert.equal((await optionsOf({ deleteBeforeReplace: true })).deleteBeforeReplace, true);
  });

  it("takes no stack trace for each of the SDK's promises, which would double the time of a program", async () => {
    const before = Error.stackTraceLimit;
    let during: number | undefined;
    const look: pulumi.ResourceTransformation = () => {
      during = Error.stackTraceLimit;
      return undefined;
    };
    await valueOf(new UserGroup("a", acme, { transformations: [look] }).urn);
    assert.deepEqual([during, Error.stackTraceLimit], [0, before]);
  });

  it("leaves stack traces as they were, and an error with its own", () => {
    const { stackTraceLimit } = Error;
    assert.throws(() => new UserGroup("", acme), { stack: /Missing resource name.*userGroup\.test/s });
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });

  it("keeps all other options, and those of its caller as they are", async () => {
    const parent = new UserGroup("parent", acme);
    const options: pulumi.CustomResourceOptions = {
      parent,
      protect: true,
      retainOnDelete: true,
      ignoreChanges: ["name"],
      deleteBeforeReplace: false,
    };
    const before = { ...options };
    const { protect, retainOnDelete, ignoreChanges, ...others } = await optionsOf(options);
    assert.deepEqual([protect, retainOnDelete, ignoreChanges], [true, true, ["name"]]);
    assert.equal(others.parent, parent);
    const { transformations, ...after } = options;
    assert.equal(transformations, undefined);
    assert.deepEqual(after, before);
  });
});

describe("UserGroup.get", () => {
  const found = () => ({ token: "found", adopted: true });

  it("reads the group of an ID with its known values", async () => {
    const read = await mockEngine(found);
    const state = {
      name: "Acme",
      properties: { region: "eu" },
      dataSourceProvidedId: "warehouse",
      connection: "eu",
    };
    const group = UserGroup.get("a", pulumi.output("acme"), state, { protect: true });
    assert.equal(await valueOf(group.token), "found");
    assert.equal(await pulumi.isSecret(group.token), true);
    assert.deepEqual([await valueOf(group.id), await valueOf(group.userGroupId)], ["acme", "acme"]);
    assert.deepEqual([await valueOf(group.name), await valueOf(group.adopted)], ["Acme", true]);
    const [{ type, name, id, inputs } = assert.fail("nothing is read"), ...others] = read;
    assert.deepEqual([type, name, id], ["pulumi-nodejs:dynamic/user-groups:UserGroup", "a", "acme"]);
    const { __resource, ...known } = record(inputs);
    assert.deepEqual(known, { ...state, userGroupId: "acme", __provider: providerText });
    assert.deepEqual([typeof __resource, others], ["string", []]);
  });

  it("has an unknown ID in a preview, so that the engine reads nothing", async () => {
    const read = await mockEngine(found, { isPreview: true });
    const group = UserGroup.get("a", "acme", { name: "Acme" });
    await valueOf(group.urn);
    const ids = read.map(({ id }) => id);
    assert.deepEqual(ids, ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"]);
    assert.equal(await pulumi.isSecret(group.token), true);
  });
});

/** The options that the engine gets of a resource with these. */
async function optionsOf(options: pulumi.CustomResourceOptions): Promise<pulumi.CustomResourceOptions> {
  let seen: pulumi.CustomResourceOptions = {};
  const look: pulumi.ResourceTransformation = ({ opts }) => {
    const { transformations, ...others } = opts;
    seen = others;
    return undefined;
  };
  await valueOf(new UserGroup("a", acme, { ...options, transformations: [look] }).urn);
  return seen;
}
