/** What the classes of both entries register with the engine, and what they make of its response. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { UserGroup, UserGroups } from "../../../provider";
import * as plugin from "../../../provider/resources/plugin";
import { schemaFile } from "../../../tools/release/schema/pluginSchema";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 7 }, properties: { region: "eu" } };
const ids = ["acme", "a.b", "constructor", "apply"];
const groups = Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }]));
const tokens = Object.fromEntries(ids.map((id) => [id, `token of ${id}`]));
const providerText = (name: string) =>
  `exports.handler = () => require("pulumi-user-groups/provider").${name};`;

type Options = pulumi.CustomResourceOptions;

const property = z.object({ secret: z.boolean().default(false) });
const schema = z
  .object({
    resources: z.record(
      z.string(),
      z.object({ properties: z.record(z.string(), property), aliases: z.unknown() }),
    ),
    provider: z.object({ inputProperties: z.record(z.string(), property) }),
  })
  .parse(JSON.parse(readFileSync(schemaFile, "utf8")));

describe("a resource class", () => {
  let registered: readonly pulumi.runtime.MockResourceArgs[];
  beforeEach(async () => {
    registered = await mockEngine();
  });

  it("UserGroup is registered with its arguments, the constant text of its provider and its identity", async () => {
    const others = { dataSourceProvidedId: "warehouse", adopt: false, keepers: { a: "1" } };
    const group = new UserGroup("a", { ...acme, ...others, name: pulumi.output("Acme") });
    await resolved(group.urn);
    const type = "pulumi-nodejs:dynamic/user-groups:UserGroup";
    assert.equal(registered[0]?.type, type);
    assert.deepEqual(registered[0].inputs, {
      ...{ ...acme, ...others, __provider: providerText("userGroup") },
      __resource: `${type}::a`,
    });
    assert.deepEqual([await resolved(group.token), await pulumi.isSecret(group.token)], ["t0ken", true]);
    assert.deepEqual([await resolved(group.name), await pulumi.isSecret(group.name)], ["Acme", false]);
  });

  it("UserGroups is registered with its arguments, and has each token as a secret by its ID", async () => {
    const tenants = new UserGroups("tenants", { groups, removed: "retain", deletionLimit: 3 });
    for (const id of ids) assert.equal(await resolved(tenants.tokens.apply((all) => all[id])), tokens[id]);
    assert(await pulumi.isSecret(tenants.tokens["acme"] ?? assert.fail("tokens can't be looked up by ID")));
    assert.equal(await pulumi.isSecret(tenants.groups), false);
    const { __resource, ...inputs } = inputsOf(registered[0]);
    const provider = { __provider: providerText("userGroups") };
    assert.deepEqual(inputs, { groups, removed: "retain", deletionLimit: 3, ...provider });
  });

  it("isn't registered with a text that was made of an output, as an argument or as its name", () => {
    const asText: (value: unknown) => string = String;
    const text = `cust-${asText(pulumi.output("a"))}`;
    for (const [what, declare] of [
      ["The argument userGroupId", () => new UserGroup("a", { ...acme, userGroupId: text })],
      ["The argument userGroupId", () => new plugin.UserGroup("a", { ...acme, userGroupId: text })],
      ["The name of the resource", () => new UserGroup(text, acme)],
      ["The name of the resource", () => new plugin.UserGroups(text, { groups })],
    ] as const)
      assert.throws(declare, ({ message }: Error) => {
        return message.startsWith(`${what} contains an Output`) && message.endsWith("[argument-invalid]");
      });
    assert.deepEqual(registered, []);
  });

  for (const [type, create] of [
    ["user-groups:index:UserGroup", (options: Options) => new plugin.UserGroup("a", acme, options)],
    ["user-groups:index:UserGroups", (options: Options) => new plugin.UserGroups("a", { groups }, options)],
  ] as const)
    it(`has the type, outputs, secrets and alias of the schema's ${type}`, async () => {
      const { made, options } = await withOptions<plugin.UserGroup | plugin.UserGroups>(create);
      const { properties, aliases } = schema.resources[type] ?? assert.fail();
      const secrets = Object.entries(made).flatMap(([name, output]) =>
        pulumi.Output.isInstance(output) && name !== "id" && name !== "urn"
          ? [pulumi.isSecret(output).then((isSecret) => [name, isSecret] as const)]
          : [],
      );
      const expected = Object.entries(properties).map(([name, { secret }]) => [name, secret] as const);
      assert.deepEqual(new Map(await Promise.all(secrets)), new Map(expected));
      assert.deepEqual([registered[0]?.type, options.aliases], [type, aliases]);
      const secretNames = expected.filter(([, isSecret]) => isSecret).map(([name]) => name);
      assert.deepEqual([...(options.additionalSecretOutputs ?? [])].sort(), secretNames.sort());
      const args = type.endsWith("s") ? { groups } : acme;
      assert.deepEqual(inputsOf(registered[0]), args);
    });

  it("never lets a replacement create first, which would delete the group that was just adopted", async () => {
    const isPassed = async (given: Options) => {
      const { options } = await withOptions((all) => new UserGroup("a", acme, all), given);
      return "deleteBeforeReplace" in options;
    };
    assert.equal(await isPassed({ deleteBeforeReplace: false }), false);
    assert.equal(await isPassed({}), false);
    assert.equal(await isPassed({ deleteBeforeReplace: true }), true);
  });

  const component = (options: pulumi.ComponentResourceOptions) =>
    new pulumi.ComponentResource("tests:index:Tenant", "tenant", {}, options);
  const optionsWith: Record<string, (provider: plugin.Provider) => Options> = {
    "the option provider": (provider) => ({ provider }),
    "the option providers, of which the SDK says to use provider": (provider) => withProviders([provider]),
    "the option providers with names": (provider) => withProviders({ "user-groups": provider }),
    "the providers of its component": (provider) => ({ parent: component({ providers: [provider] }) }),
    "a component within one": (provider) => {
      const parent = component({ providers: { "user-groups": provider } });
      return { parent: new pulumi.ComponentResource("tests:index:Inner", "inner", {}, { parent }) };
    },
  };
  for (const [what, optionsOf] of Object.entries(optionsWith))
    it(`refuses a provider of the plugin by ${what}, which it wouldn't use, and names the import that does`, () => {
      const message =
        'Resource "a" is given a provider of the plugin, which only the plugin\'s resources use. Import the class from ' +
        '"pulumi-user-groups/plugin". [argument-invalid]';
      const options = optionsOf(new plugin.Provider("eu"));
      assert.throws(() => new UserGroup("a", acme, options), { message });
      assert.throws(() => new UserGroups("a", { groups }, options), { message });
      if (!("providers" in options)) assert.doesNotThrow(() => new plugin.UserGroup("a", acme, options));
    });

  /** Not in the types of a resource. */
  function withProviders(providers: NonNullable<pulumi.ComponentResourceOptions["providers"]>): Options {
    const options: pulumi.ComponentResourceOptions = { providers };
    return options;
  }

  it("may have a component without such a provider", async () => {
    await resolved(new UserGroup("a", acme, { parent: component({}) }).urn);
    assert.equal(registered.at(-1)?.type, "pulumi-nodejs:dynamic/user-groups:UserGroup");
  });

  for (const [entry, get] of [
    ["the package", () => UserGroup.get("a", pulumi.output("acme"), { name: "Acme" })],
    ["the plugin", () => plugin.UserGroup.get("a", "acme", { name: "Acme" })],
  ] as const)
    it(`of ${entry} reads the group of an ID with its known values`, async () => {
      const { token, userGroupId } = get();
      assert.deepEqual([await resolved(token), await resolved(userGroupId)], ["t0ken", "acme"]);
      assert.equal(registered[0]?.id, "acme");
      const { __resource, __provider, ...known } = inputsOf(registered[0]);
      assert.deepEqual(known, { userGroupId: "acme", name: "Acme" });
    });

  it("has an unknown ID for a lookup in a preview, so that the engine reads nothing", async () => {
    const read = await mockEngine({ isPreview: true });
    await resolved(UserGroup.get("a", "acme", { name: "Acme" }).urn);
    assert.equal(read[0]?.id, "04da6b54-80e4-46f7-96ec-b56ff0331ba9");
  });

  it("Provider has its settings, numbers and objects as text, and API token, headers and key as secrets", async () => {
    const addresses = { baseUrl: "https://eu.example.com", formerBaseUrl: "https://old.example.com" };
    const texts = { ...addresses, changes: "update", clientCertificate: "client.pem" } as const;
    const secrets = { apiToken: "s3cret", headers: { "x-key": "s3cret" }, clientKey: "client.key" };
    const numbers = { timeout: 5, maxConnections: 7, requestsPerSecond: 0.5 };
    await resolved(new plugin.Provider("eu", { ...texts, ...secrets, ...numbers }).urn);
    assert.equal(registered[0]?.type, "pulumi:providers:user-groups");
    const inputs = inputsOf(registered[0]);
    assert.deepEqual(Object.keys(inputs).sort(), Object.keys(schema.provider.inputProperties).sort());
    const { apiToken, headers, clientKey, ...others } = inputs;
    assert.deepEqual(others, {
      ...texts,
      timeout: "5",
      maxConnections: "7",
      requestsPerSecond: "0.5",
    });
    const inSecrets = [apiToken, headers, clientKey].map((secret) => record(secret)["value"]);
    assert.deepEqual(inSecrets, ["s3cret", '{"x-key":"s3cret"}', "client.key"]);
  });
});

/** Starts the SDK's mocks, which return a resource's inputs and tokens. Collects what is registered or read. */
async function mockEngine({ isPreview = false } = {}): Promise<pulumi.runtime.MockResourceArgs[]> {
  const registered: pulumi.runtime.MockResourceArgs[] = [];
  const mocks: pulumi.runtime.Mocks = {
    newResource(args) {
      registered.push(args);
      const id = args.id === undefined || args.id === "" ? "id" : args.id;
      return { id, state: { ...record(args.inputs), token: "t0ken", tokens, adopted: false } };
    },
    call: () => assert.fail("a function is called"),
  };
  await pulumi.runtime.setMocks(mocks, undefined, undefined, isPreview);
  return registered;
}

/** Makes a resource, and gives it with the options that the engine gets. */
async function withOptions<Made extends pulumi.Resource>(
  make: (options: Options) => Made,
  given: Options = {},
) {
  let options: Options = {};
  const transformation: pulumi.ResourceTransformation = ({ opts }) => {
    options = opts;
    return undefined;
  };
  const made = make({ ...given, transformations: [transformation] });
  await resolved(made.urn);
  return { made, options };
}

function inputsOf(resource: pulumi.runtime.MockResourceArgs | undefined): Record<string, unknown> {
  return record(resource?.inputs);
}

function record(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(value);
}

function resolved<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => void output.apply(resolve));
}
