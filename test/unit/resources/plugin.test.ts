import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { Provider, UserGroup, UserGroups } from "../../../provider/src/resources/plugin";
import { schemaFile } from "../../../release/schema/pluginSchema";
import { mockEngine, record, valueOf, withOptions } from "./mockedProgram";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 7 }, properties: { region: "eu" } };
const property = z.object({ secret: z.boolean().default(false) });
const resource = z.object({
  properties: z.record(z.string(), property),
  aliases: z.array(z.object({ type: z.string() })),
});
const { resources, provider } = z
  .object({
    resources: z.record(z.string(), resource),
    provider: z.object({ inputProperties: z.record(z.string(), property) }),
  })
  .parse(JSON.parse(readFileSync(schemaFile, "utf8")));

describe("pulumi-user-groups/plugin, with setMocks", () => {
  let registered: readonly pulumi.runtime.MockResourceArgs[] = [];
  beforeEach(async () => {
    registered = await mockEngine(() => ({ token: "t0ken", tokens: { acme: "t0ken" }, adopted: false }));
  });

  for (const [type, create] of Object.entries({
    "user-groups:index:UserGroup": (opts: pulumi.CustomResourceOptions) => new UserGroup("acme", acme, opts),
    "user-groups:index:UserGroups": (opts: pulumi.CustomResourceOptions) =>
      new UserGroups("acme", { groups: { acme: { name: "Acme" } } }, opts),
  }))
    it(`has the type, outputs, secrets and alias of the schema's ${type}`, async () => {
      const { properties, aliases } = resources[type] ?? assert.fail();
      const { made, options } = await withOptions<UserGroup | UserGroups>(create);
      const outputs = Object.entries(made).filter(([name]) => name !== "id" && name !== "urn");
      const ofSchema = Object.entries(properties).map(([name, { secret }]): [string, boolean] => [
        name,
        secret,
      ]);
      const found = outputs.flatMap(([name, output]) =>
        pulumi.Output.isInstance(output) ? [{ name, output }] : [],
      );
      const secrets = found.map(async ({ name, output }) => [name, await pulumi.isSecret(output)] as const);
      assert.deepEqual(new Map(await Promise.all(secrets)), new Map(ofSchema));
      assert.equal(registered[0]?.type, type);
      assert.deepEqual(options.aliases, aliases);
      const secretNames = ofSchema.filter(([, isSecret]) => isSecret).map(([name]) => name);
      assert.deepEqual([...(options.additionalSecretOutputs ?? [])].sort(), secretNames.sort());
    });

  it("registers the arguments, and nothing of a dynamic resource", async () => {
    await valueOf(new UserGroup("acme", { ...acme, name: pulumi.output("Acme") }).urn);
    assert.deepEqual(record(registered[0]?.inputs), acme);
  });

  it("reads a group by its ID", async () => {
    const group = UserGroup.get("acme", "acme", { name: "Acme" });
    assert.deepEqual([await valueOf(group.token), registered[0]?.id], ["t0ken", "acme"]);
  });

  it("has the provider's settings, numbers and objects as text, and API token, headers and key as secrets", async () => {
    const settings = {
      baseUrl: "https://eu.example.com",
      timeout: 5,
      maxConnections: 7,
      changes: "update",
    } as const;
    const more = { formerBaseUrl: "https://old.example.com", clientCertificate: "client.pem" };
    const secrets = { apiToken: "s3cret", headers: { "x-key": "s3cret" }, clientKey: "client.key" };
    await valueOf(new Provider("eu", { ...settings, ...more, ...secrets }).urn);
    const inputs = record(registered[0]?.inputs);
    assert.equal(registered[0]?.type, "pulumi:providers:user-groups");
    assert.deepEqual(Object.keys(inputs).sort(), Object.keys(provider.inputProperties).sort());
    const { apiToken, headers, clientKey, ...others } = inputs;
    assert.deepEqual(others, { ...settings, ...more, timeout: "5", maxConnections: "7" });
    const inSecrets = [apiToken, headers, clientKey].map((secret) => record(secret)["value"]);
    assert.deepEqual(inSecrets, ["s3cret", '{"x-key":"s3cret"}', "client.key"]);
  });
});
