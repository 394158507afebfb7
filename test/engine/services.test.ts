/** Several services in one program: explicit providers of the plugin. test/contract/plugin has what one of them does with its settings. */
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/testing";
import { fails, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "../support/engine";

/** The service of the program's settings, and two others. */
function newServices() {
  let eu: Emulator;
  let us: Emulator;
  before("two more services", async () => {
    eu = await startEmulator();
    us = await startEmulator();
  });
  after("their end", () => Promise.all([eu.stop(), us.stop()]));
  return {
    get eu() {
      return eu;
    },
    get us() {
      return us;
    },
  };
}

const secrets = ["s3cret-key-of-eu", "s3cret-key-of-us"];

describe("two explicit providers, of which one has its settings from the environment", () => {
  const count = 20;
  const services = newServices();
  const fixture = newFixture(() => {
    const { eu, us } = services;
    const ofUs = { baseUrl: us.baseUrl, headers: { "x-key": "s3cret-key-of-us" } };
    return {
      program: {
        ...pluginProgram(""),
        "index.ts": `
          import * as pulumi from "@pulumi/pulumi";
          import { Provider, UserGroup, type ProviderArgs } from "pulumi-user-groups/plugin";

          const apiToken = new pulumi.Config().requireSecret("apiTokenOfUs");
          const settings: Record<string, ProviderArgs> = { eu: {}, us: { ...${JSON.stringify(ofUs)}, apiToken } };
          for (const [name, args] of Object.entries(settings)) {
            const provider = new Provider(name, args);
            for (let n = 0; n < ${count}; n += 1)
              new UserGroup(name + n, { userGroupId: "t" + n, name: "Tenant" }, { provider });
          }
        `,
        "package.json": '{ "main": "index.ts" }',
      },
      services: [eu, us],
      env: {
        USER_GROUPS_EU_BASE_URL: eu.baseUrl,
        USER_GROUPS_EU_API_TOKEN: eu.apiToken,
        USER_GROUPS_EU_HEADERS: '{"x-key":"s3cret-key-of-eu"}',
      },
      config: { "tests:apiTokenOfUs": { secret: us.apiToken } },
      secrets,
    };
  });

  it("each lead to their service with its own token and headers, in many operations at once", async () => {
    const { stack, emulator } = fixture;
    const { eu, us } = services;
    for (const [command, effect] of [
      ["up", "created"],
      ["refresh", "returned"],
      ["destroy", "deleted"],
    ] as const) {
      succeeds(await stack[command]({ flags: ["--parallel", "64"] }));
      for (const [name, { requests }] of Object.entries({ eu, us })) {
        assert.equal(requests.length, count);
        for (const { authorized, headers, effect: shown } of requests)
          assert.deepEqual([shown, authorized, headers["x-key"]], [effect, true, `s3cret-key-of-${name}`]);
      }
      for (const service of [eu, us]) service.clearRequests();
    }
    assert.deepEqual(requestsTo(emulator), []);
  });
});

describe("a dynamic resource with a provider of the plugin", () => {
  const services = newServices();
  const given = "const provider = () => new Provider('eu', { baseUrl: process.env.EU, apiToken: 't0ken' });";
  const importing = `const { Provider } = require("pulumi-user-groups/plugin");\n${given}`;
  const acme = '"acme", { userGroupId: "acme", name: "Acme" }';
  const component = (options: string) =>
    `new pulumi.ComponentResource("tests:index:Tenant", "tenant", {}, { ${options} })`;
  const resources = {
    provider: `new UserGroup(${acme}, { provider: provider() });`,
    "providers of its component": `new UserGroup(${acme}, { parent: ${component("providers: [provider()]")} });`,
    "provider of its component": `new UserGroups("acme", { groups: {} }, { parent: ${component("providers: { 'user-groups': provider() }")} });`,
  };
  const programOf = (text: string) => {
    const files = packageProgram("");
    const sdk = 'const pulumi = require("@pulumi/pulumi");';
    const classes = 'const { UserGroup, UserGroups } = require("pulumi-user-groups");';
    return { ...files, ...pluginProject(), "index.js": [sdk, classes, importing, text].join("\n") };
  };
  const pluginProject = () => ({ "Pulumi.yaml": pluginProgram("")["Pulumi.yaml"] ?? "" });
  const fixture = newFixture(() => ({
    program: programOf(resources.provider),
    env: { EU: services.eu.baseUrl },
    services: [services.eu, services.us],
  }));

  for (const [option, text] of Object.entries(resources))
    it(`by ${option} is refused in the program, with the import that works`, async () => {
      const { stack, emulator } = fixture;
      await stack.program(programOf(text));
      const { eu } = services;
      const refusal =
        /Resource "acme" is given a provider of the plugin.*Import the class from "pulumi-user-groups\/plugin"\. \[argument-invalid\]/;
      fails(await stack.preview(), refusal);
      fails(await stack.up({ flags: ["--skip-preview"] }), refusal);
      for (const service of [emulator, eu]) assert.deepEqual(requestsTo(service), []);
    });
});
