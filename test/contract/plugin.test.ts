/** The plugin's methods that no driver shows: settings of explicit providers, lookups, time limits, several deployments. */
import assert from "node:assert/strict";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { serviceDefinition } from "../../provider/adapters/plugin/serviceDefinition";
import type { Emulator, EmulatorOptions } from "../../provider/testing";
import { secret, withoutSecretMarks } from "../../provider/values";
import { emulatorTest } from "../support/harness/emulatorTest";
import {
  EngineLogServer,
  fromStruct,
  PluginMethods,
  PluginProcess,
  toStruct,
  unary,
  type Properties,
} from "../support/harness/pluginProcess";

const urn = "urn:pulumi:dev::tests::user-groups:index:UserGroup::acme";
const urnOfMany = "urn:pulumi:dev::tests::user-groups:index:UserGroups::many";
const acme = { userGroupId: "acme", name: "Acme" };

interface Context {
  readonly emulator: Emulator;
  readonly methods: PluginMethods;
  /** What the plugin logs to the engine that started it. */
  readonly lines: readonly string[];
}

interface PluginOptions extends EmulatorOptions {
  /** Default: the settings of the emulator. */
  readonly environment?: (emulator: Emulator) => Record<string, string>;
  /** Whether the engine attaches to a plugin that is running, which it may configure several times. Default: it starts it. */
  readonly isAttached?: boolean;
}

/** A test with a plugin of its own. */
function pluginTest(title: string, options: PluginOptions, test: (context: Context) => Promise<void>): void {
  const { environment = settings, isAttached = false, ...service } = options;
  emulatorTest(title, service, async (emulator) => {
    const lines: string[] = [];
    const log = await EngineLogServer.start((line) => lines.push(line));
    const plugin = await PluginProcess.start(isAttached ? undefined : log.address, environment(emulator));
    try {
      await test({ emulator, lines, methods: new PluginMethods(plugin.client) });
    } finally {
      await plugin.stop();
      log.stop();
    }
  });
}

function settings({ baseUrl, apiToken }: Emulator): Record<string, string> {
  return { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken };
}

/** Those of another service, which doesn't respond. */
function elsewhere(): Record<string, string> {
  return {
    USER_GROUPS_API_TOKEN: "for-another-service",
    USER_GROUPS_BASE_URL: "http://127.0.0.1:9",
    USER_GROUPS_TIMEOUT: "0.5",
    PULUMI_CONFIG: '{"baseUrl":"https://configured.example.com","timeout":"30"}',
  };
}

function updating(emulator: Emulator): Record<string, string> {
  return { ...settings(emulator), USER_GROUPS_CHANGES: "update" };
}

/** The changed paths, each with the kind of its change. */
function kindsOf(diff: proto.DiffResponse): unknown[] {
  return [...diff.getDetaileddiffMap().entries()].map(([path, change]) => [path, change.getKind()]);
}

function reasonsOf(checked: proto.CheckResponse): string {
  return checked
    .getFailuresList()
    .map((failure) => failure.getReason())
    .join("\n");
}

const { UPDATE } = proto.PropertyDiff.Kind;

describe("contract: an explicit provider of the plugin", () => {
  pluginTest(
    "has no default API token or address",
    { environment: elsewhere, isAttached: true },
    async ({ emulator: { baseUrl, apiToken, requests }, methods }) => {
      await methods.configure("eu-1", { baseUrl });
      await assert.rejects(
        methods.create(urn, acme),
        /^Error: The setting apiToken of the provider "eu-1" is missing\..* USER_GROUPS_EU_1_API_TOKEN\. .*\[setting-missing\]$/,
      );
      await methods.configure("eu-1", { apiToken });
      await assert.rejects(methods.create(urn, acme), /setting baseUrl of the provider "eu-1" is missing/);
      assert.equal(requests.length, 0);
    },
  );

  for (const name of ["default", "default_2_0_0"])
    pluginTest(
      `named ${name} has its own arguments, unless they are the configuration`,
      { environment: elsewhere, isAttached: true },
      async ({ emulator: { baseUrl, apiToken, groups }, methods }) => {
        const checked = await methods.checkConfig(name, { baseUrl, apiToken });
        await methods.configure(name, fromStruct(checked.getInputs()));
        await methods.create(urn, acme);
        assert.equal(groups.size, 1);
        const configured = { baseUrl: "https://configured.example.com", timeout: "30" };
        const own = await methods.checkConfig(name, configured);
        assert.deepEqual(fromStruct(own.getInputs()), configured);
        // Recorded at the last update, with another configuration.
        await methods.configure(name, { baseUrl, apiToken });
        await assert.rejects(methods.create(urn, { ...acme, userGroupId: "b" }), /connection failed/);
      },
    );

  pluginTest(
    "has secret credentials, and is checked without files",
    { isAttached: true },
    async (context) => {
      const { methods, emulator } = context;
      const secrets = { apiToken: "t0ken", headers: '{"x-key":"k"}', clientKey: "/no/such/file" };
      const args = { baseUrl: emulator.baseUrl, clientCertificate: "/no/such/file", ...secrets };
      const checked = await methods.checkConfig("eu", args);
      assert.equal(reasonsOf(checked), "");
      const marked = Object.entries(secrets).map(([name, value]) => [name, secret(value)]);
      assert.deepEqual(fromStruct(checked.getInputs()), { ...args, ...Object.fromEntries(marked) });
      const asObject = await methods.checkConfig("eu", { ...args, headers: { "x-key": "k" } });
      assert.deepEqual(fromStruct(asObject.getInputs())["headers"], secret({ "x-key": "k" }));
      await methods.configure("eu", args);
      await assert.rejects(
        methods.create(urn, acme),
        /clientCertificate of the provider "eu" is neither PEM/,
      );
    },
  );

  pluginTest("is refused with a wrong header or name, without a value", {}, async ({ methods }) => {
    const reasons = reasonsOf(await methods.checkConfig("eu", { headers: '{"host":"s3cret"}' }));
    assert.match(reasons, /headers of the provider "eu" must not have host, .*\[setting-invalid\]$/);
    assert.doesNotMatch(reasons, /s3cret/);
    assert.match(reasonsOf(await methods.checkConfig("eu-former", {})), /must not end in "former"/);
  });
});

describe("contract: the plugin, in a read", () => {
  pluginTest("is refused without a name, and of UserGroups", {}, async ({ emulator, methods }) => {
    await assert.rejects(
      methods.read(urn, "acme", { mapping: { a: 1 } }),
      /Cannot look up user group "acme": its name is missing, or a preview doesn't know it yet/,
    );
    await assert.rejects(methods.read(urn, "acme"), /the ID must be <userGroupId>=<name>/);
    await assert.rejects(
      methods.read(urnOfMany, "many", { groups: { acme: { name: "Acme" } } }),
      /UserGroups can't be imported or looked up/,
    );
    assert.equal(emulator.requests.length, 0);
  });

  pluginTest(
    "of pulumi do, which stores nothing, finds an ID that overlap derives, and its deletion deletes the group",
    {},
    async ({ emulator, methods }) => {
      emulator.putGroup({ ...acme, userGroupId: "acme~5d41402a" });
      const id = "acme~5d41402a=Acme";
      await assert.rejects(methods.read(urn, id), /overlap gives such an ID.*\[argument-invalid\]/);
      assert.equal(emulator.requests.length, 0);
      // `pulumi do` passes inputs.
      const read = await methods.read(urn, id, {}, {});
      await methods.delete(urn, id, fromStruct(read.getProperties()));
      assert.equal(emulator.groups.size, 0);
    },
  );

  pluginTest(
    "by an import ID has the values for an update, but needs the mapping where get-or-create would clear it",
    { environment: updating, existing: "update" },
    async ({ emulator, methods }) => {
      const stored = { ...acme, mapping: { sales: 1 } };
      emulator.putGroup(stored);
      await assert.rejects(methods.read(urn, "acme=Acme"), /an import without.*\[setting-conflict\]/);
      assert.equal(emulator.requests.length, 0);
      const imported = { ...stored, dataSourceProvidedId: "source", properties: {} };
      const id = JSON.stringify(imported);
      const read = await methods.read(urn, id);
      assert.deepEqual(withoutSecretMarks(fromStruct(read.getInputs())), imported);
      const olds = fromStruct(read.getProperties());
      const news = { ...imported, name: "New" };
      assert.deepEqual(kindsOf(await methods.diff(urn, id, olds, news)), [["name", UPDATE]]);
      await methods.update(urn, id, olds, news);
      assert.equal(emulator.groups.get("acme")?.name, "New");
    },
  );
});

describe("contract: the plugin", () => {
  pluginTest("previews the token of an unchanged group, and no other", {}, async ({ emulator, methods }) => {
    const olds = fromStruct((await methods.create(urn, acme)).getProperties());
    const tokenAfter = async (change: Properties) => {
      const response = await methods.update(urn, "acme", olds, { ...acme, ...change }, true);
      return fromStruct(response.getProperties())["token"];
    };
    assert.deepEqual(await tokenAfter({ dataSourceProvidedId: "source" }), olds["token"]);
    assert.notDeepEqual(await tokenAfter({ name: "New" }), olds["token"]);
    const created = await methods.create(urn, { ...acme, userGroupId: "globex" }, { isPreview: true });
    assert.deepEqual([created.getId(), emulator.requests.length], ["globex", 1]);
  });

  pluginTest("names each changed group, and replaces none with the resource", {}, async ({ methods }) => {
    const groups = { acme: { name: "Acme" }, globex: { name: "Globex" } };
    const olds = { groups, tokens: { acme: "t1", globex: "t2" }, adopted: [] };
    const news = { groups: { ...groups, acme: { name: "New" } } };
    const diff = await methods.diff(urnOfMany, "user-groups", olds, news);
    assert.deepEqual(kindsOf(diff), [["groups.acme.name", UPDATE]]);
  });

  pluginTest("reads secrets", {}, async ({ methods }) => {
    const checked = await methods.check(urn, { name: "Acme", userGroupId: secret("acme") });
    assert.equal(fromStruct(checked.getInputs())["userGroupId"], "acme");
  });

  pluginTest("takes the state of a dynamic resource without a request", {}, async ({ emulator, methods }) => {
    const { baseUrl, requests } = emulator;
    const olds = { ...acme, token: "t", adopted: false, __provider: "text" };
    const diff = await methods.diff(urn, "acme", { ...olds, baseUrl }, acme);
    assert.equal(diff.getChanges(), proto.DiffResponse.DiffChanges.DIFF_SOME);
    const updated = await methods.update(urn, "acme", { ...olds, baseUrl }, acme);
    const { token, ...state } = fromStruct(updated.getProperties());
    assert.deepEqual(state, { ...acme, providedId: "acme", adopted: false, baseUrl });
    assert.equal(withoutSecretMarks(token), "t");
    assert.equal(requests.length, 0);
  });

  pluginTest("takes customTimeouts as the time limit of an operation", {}, async (context) => {
    const { emulator, methods, lines } = context;
    emulator.fault({ kind: "status", status: 503, times: Infinity });
    await assert.rejects(methods.create(urn, acme, { timeout: 0.5 }), /\[unexpected-status\]/);
    assert.match(lines.join("\n"), /retrying for up to 0\.5 s/);
  });

  pluginTest(
    "starts no request once it is cancelled, until an engine that attaches configures it again",
    { isAttached: true },
    async ({ emulator, methods }) => {
      await methods.configure("default_0_1_0", {});
      await methods.cancel();
      await assert.rejects(methods.create(urn, acme), /\[cancelled\]/);
      await methods.configure("default_0_1_0", {});
      await methods.create(urn, acme);
      assert.equal(emulator.groups.size, 1);
    },
  );

  pluginTest(
    "takes one provider's settings from an engine that attaches, and others from the next engine",
    { isAttached: true },
    async ({ emulator, methods }) => {
      const attachTo = (port: number) => {
        const attach = new PluginAttach().setAddress(`127.0.0.1:${port}`);
        return unary((callback) => methods.client.attach(attach, callback));
      };
      const other = { baseUrl: "http://127.0.0.1:9", apiToken: "x" };
      for (const port of [9, 10]) {
        await attachTo(port);
        await methods.configure("one", {});
        await attachTo(port);
        await methods.configure("same", {});
        await assert.rejects(
          methods.configure("two", other),
          /PULUMI_DEBUG_PROVIDERS .* \[setting-conflict\]$/,
        );
      }
      await methods.create(urn, acme);
      assert.equal(emulator.groups.size, 1);
      await attachTo(11);
      await methods.configure("two", other);
    },
  );

  pluginTest("takes settings only from the engine that started it", {}, async (context) => {
    const { emulator, methods, lines } = context;
    await methods.configure("default_0_1_0", {});
    const attach = new PluginAttach().setAddress("127.0.0.1:9");
    await unary((callback) => methods.client.attach(attach, callback));
    await assert.rejects(
      methods.configure("eu", { baseUrl: "http://127.0.0.1:9", apiToken: "x" }),
      /Cannot configure the plugin again.* \[setting-conflict\]$/,
    );
    emulator.putGroup(acme);
    await methods.create(urn, acme);
    assert.match(lines.join(), /existed/);
  });

  it("refuses the key __proto__, which google-protobuf drops", () => {
    const request = new proto.CheckRequest().setNews(toStruct({ PROTO_KEY: "x" }));
    const bytes = Buffer.from(request.serializeBinary());
    bytes.write("__proto__", bytes.indexOf("PROTO_KEY"));
    const { news } = serviceDefinition.check.requestDeserialize(bytes).toObject();
    assert.match(JSON.stringify(news), /"with the key __proto__"/);
  });

  pluginTest("warns that a replacement applies ignored changes", {}, async ({ methods, lines }) => {
    const restored = { ...acme, name: "New", mapping: { sales: "one" } };
    await methods.diff(urn, "acme", { ...restored, name: "Acme", token: "t" }, restored, ["mapping"]);
    await methods.check(urn, { ...restored, mapping: { sales: "two" } });
    assert.match(lines.join(), /user group "acme": ignoreChanges .* mapping .*\[ignored-changes-applied\]$/);
  });
});
