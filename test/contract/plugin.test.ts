/** The plugin's methods that no driver shows: settings of explicit providers, lookups, time limits, several deployments. */
import assert from "node:assert/strict";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Emulator, EmulatorOptions } from "../../provider/src/testing";
import { emulatorTest } from "../harness/emulatorTest";
import { secret, signatureKey, withoutSecretMarks } from "../../provider/src/values";
import { optionsIn, testIn, type Arguments } from "./contract";
import { fromStruct, PluginMethods, toStruct, type Properties } from "../harness/pluginMethods";
import { EngineLogServer, PluginProcess, unary } from "../harness/pluginProcess";

const urn = (type = "UserGroup") => `urn:pulumi:dev::tests::user-groups:index:${type}::acme`;
const acme = { userGroupId: "acme", name: "Acme" };

class Context {
  readonly methods: PluginMethods;

  constructor(
    readonly emulator: Emulator,
    readonly plugin: PluginProcess,
    readonly lines: readonly string[],
  ) {
    this.methods = new PluginMethods(plugin.client);
  }

  configure(name: string, args: Properties) {
    return this.methods.configure(name, args);
  }

  /** The response has the inputs that the engine records, and passes to `Configure`. */
  checkConfig(name: string, args: Properties) {
    const provider = `urn:pulumi:dev::tests::pulumi:providers:user-groups::${name}`;
    const request = new proto.CheckRequest().setUrn(provider).setNews(toStruct(args));
    return unary<proto.CheckResponse>((done) => this.plugin.client.checkConfig(request, done));
  }

  check(news: Properties) {
    return this.methods.check(urn(), news);
  }

  create(inputs: Properties, options?: { readonly timeout?: number; readonly isPreview?: boolean }) {
    return this.methods.create(urn(), inputs, options);
  }

  /** `isPreview`: sends no request. */
  async update(olds: Properties, news: Properties, { id = "acme", isPreview = false } = {}) {
    const response = await this.methods.update(urn(), id, olds, news, isPreview);
    return fromStruct(response.getProperties());
  }
}

/** The changed paths, each with the kind of its change. */
function kindsOf(diff: proto.DiffResponse): unknown[] {
  return [...diff.getDetaileddiffMap().entries()].map(([path, change]) => [path, change.getKind()]);
}

type Environment = (emulator: Emulator) => Record<string, string>;

const settings: Environment = ({ baseUrl, apiToken }) => ({
  USER_GROUPS_BASE_URL: baseUrl,
  USER_GROUPS_API_TOKEN: apiToken,
});

/** The settings of another service, which doesn't respond. */
const elsewhere: Environment = () => ({
  USER_GROUPS_API_TOKEN: "for-another-service",
  USER_GROUPS_BASE_URL: "http://127.0.0.1:9",
  USER_GROUPS_TIMEOUT: "0.5",
});

const updating: Environment = (emulator) => ({ ...settings(emulator), USER_GROUPS_CHANGES: "update" });

interface PluginOptions extends EmulatorOptions {
  /** Default: the settings of the emulator. */
  readonly environment?: Environment;
  readonly isAttached?: boolean;
}

/** A test with a plugin of its own. */
function pluginTest(
  title: string,
  ...args: Arguments<PluginOptions, (context: Context) => Promise<void>>
): void {
  const { environment = settings, isAttached = false, ...options } = optionsIn(args);
  emulatorTest(title, options, async (emulator) => {
    const lines: string[] = [];
    const log = await EngineLogServer.start((line) => lines.push(line));
    const plugin = await PluginProcess.start(isAttached ? undefined : log.address, environment(emulator));
    try {
      await testIn(args)(new Context(emulator, plugin, lines));
    } finally {
      await plugin.stop();
      log.stop();
    }
  });
}

describe("contract: an explicit provider of the plugin", () => {
  pluginTest(
    "doesn't use the default API token or address",
    { environment: elsewhere, isAttached: true },
    async (context) => {
      await context.configure("eu-1", { baseUrl: context.emulator.baseUrl });
      await assert.rejects(
        context.create(acme),
        /^Error: The setting apiToken of the provider "eu-1" is missing\. Pass the argument apiToken, or set the environment variable USER_GROUPS_EU_1_API_TOKEN\. \[setting-missing\]$/,
      );
      await context.configure("eu-1", { apiToken: context.emulator.apiToken });
      await assert.rejects(context.create(acme), /setting baseUrl of the provider "eu-1" is missing/);
      await context.configure("eu-1", {});
      await assert.rejects(context.create(acme), /connection failed/);
      assert.equal(context.emulator.requests.length, 0);
    },
  );

  for (const name of ["default", "default_2_0_0"])
    pluginTest(
      `named ${name} has its own arguments, unless they are the configuration`,
      {
        environment: (emulator) => ({
          ...elsewhere(emulator),
          PULUMI_CONFIG: '{"baseUrl":"https://configured.example.com","timeout":"30","eu":"{}"}',
        }),
        isAttached: true,
      },
      async (context) => {
        const { baseUrl, apiToken } = context.emulator;
        const configured = { baseUrl: "https://configured.example.com", timeout: "30" };
        const checked = await context.checkConfig(name, { baseUrl, apiToken });
        await context.configure(name, fromStruct(checked.getInputs()));
        await context.create(acme);
        assert.equal(context.emulator.groups.size, 1);
        const own = await context.checkConfig(name, configured);
        assert.deepEqual(fromStruct(own.getInputs()), configured);
        // Recorded at the last update, with another configuration.
        await context.configure(name, { baseUrl, apiToken });
        await assert.rejects(context.create({ ...acme, userGroupId: "b" }), /connection failed/);
      },
    );

  pluginTest("without a name is the default one", { environment: () => ({}) }, async (context) => {
    await context.configure("", {});
    await assert.rejects(context.create(acme), /The setting user-groups:baseUrl is missing/);
  });
});

describe("contract: the check of a provider of the plugin", () => {
  pluginTest(
    "marks the API token, headers and key as secrets, and needs no file",
    { isAttached: true },
    async (context) => {
      const secrets = { apiToken: "t0ken", headers: '{"x-key":"k"}', clientKey: "/no/such/file" };
      const { baseUrl } = context.emulator;
      const args = { baseUrl, clientCertificate: "/no/such/file", ...secrets };
      const checked = await context.checkConfig("eu", args);
      assert.deepEqual(checked.getFailuresList(), []);
      const marked = Object.entries(secrets).map(([name, value]) => [name, secret(value)]);
      assert.deepEqual(fromStruct(checked.getInputs()), { ...args, ...Object.fromEntries(marked) });
      const asObject = await context.checkConfig("eu", { ...args, headers: { "x-key": "k" } });
      assert.deepEqual(fromStruct(asObject.getInputs())["headers"], secret({ "x-key": "k" }));
      await context.configure("eu", args);
      await assert.rejects(context.create(acme), /clientCertificate of the provider "eu" is neither PEM/);
    },
  );

  pluginTest("refuses headers without showing a value", async (context) => {
    const checked = await context.checkConfig("eu", { headers: '{"host":"s3cret"}' });
    const [reason] = checked.getFailuresList().map((failure) => failure.getReason());
    assert.match(
      reason ?? "",
      /The setting headers of the provider "eu" must not have host, .*\[setting-invalid\]$/,
    );
    assert.doesNotMatch(reason ?? "", /s3cret/);
  });
});

describe("contract: the plugin", () => {
  pluginTest("refuses a provider whose variables are those of formerBaseUrl", async (context) => {
    const [failure] = (await context.checkConfig("eu-former", {})).getFailuresList();
    assert.match(failure?.getReason() ?? "", /must not end in "former"/);
  });

  pluginTest("refuses a lookup without a name, and one of UserGroups", async (context) => {
    await assert.rejects(
      context.methods.read(urn(), "acme", {}),
      /Cannot look up user group "acme": its name is missing, or a preview doesn't know it yet/,
    );
    await assert.rejects(
      context.methods.read(urn(), "acme", { mapping: { a: 1 } }),
      /Cannot look up user group "acme"/,
    );
    await assert.rejects(context.methods.read(urn(), "acme"), /the ID must be <userGroupId>=<name>/);
    await assert.rejects(
      context.methods.read(urn("UserGroups"), "many", { groups: { acme: { name: "Acme" } } }),
      /UserGroups can't be imported or looked up/,
    );
    assert.equal(context.emulator.requests.length, 0);
  });

  pluginTest(
    "updates what pulumi do has read by an import ID",
    { environment: updating, existing: "update" },
    async (context) => {
      const { emulator } = context;
      const stored = { ...acme, mapping: { sales: 1 } };
      emulator.putGroup(stored);
      const imported = { ...stored, dataSourceProvidedId: "source" };
      const id = JSON.stringify({ ...imported, properties: {} });
      const read = await context.methods.read(urn(), id);
      assert.deepEqual(withoutSecretMarks(fromStruct(read.getInputs())), { ...imported, properties: {} });
      const olds = fromStruct(read.getProperties());
      const news = { ...imported, name: "New" };
      const { UPDATE } = proto.PropertyDiff.Kind;
      assert.deepEqual(kindsOf(await context.methods.diff(urn(), id, olds, news)), [["name", UPDATE]]);
      await context.update(olds, news, { id });
      assert.equal(emulator.groups.get("acme")?.name, "New");
    },
  );

  pluginTest(
    "imports no group without its mapping where get-or-create would clear it",
    { environment: updating, existing: "update" },
    async ({ emulator, methods }) => {
      emulator.putGroup({ ...acme, mapping: { sales: 1 } });
      await assert.rejects(methods.read(urn(), "acme=Acme"), /an import without.*\[setting-conflict\]/);
      assert.equal(emulator.requests.length, 0);
    },
  );

  pluginTest("previews the token of an unchanged group, and no other", async (context) => {
    const olds = fromStruct((await context.create(acme)).getProperties());
    const previewed = (change: Properties) =>
      context.update(olds, { ...acme, ...change }, { isPreview: true });
    assert.deepEqual((await previewed({ dataSourceProvidedId: "source" }))["token"], olds["token"]);
    assert.notDeepEqual((await previewed({ name: "New" }))["token"], olds["token"]);
    const created = await context.create({ ...acme, userGroupId: "globex" }, { isPreview: true });
    assert.deepEqual([created.getId(), context.emulator.requests.length], ["globex", 1]);
  });

  pluginTest("names each changed group, and replaces none of them with the resource", async (context) => {
    const groups = { acme: { name: "Acme" }, globex: { name: "Globex" } };
    const olds = { groups, tokens: { acme: "t1", globex: "t2" }, adopted: [] };
    const news = { groups: { ...groups, acme: { name: "New" } } };
    const diff = await context.methods.diff(urn("UserGroups"), "acme", olds, news);
    assert.deepEqual(kindsOf(diff), [["groups.acme.name", proto.PropertyDiff.Kind.UPDATE]]);
  });

  pluginTest("has no argument connection, and reads secrets", async (context) => {
    const secret = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", value: "acme" };
    const response = await context.check({ name: "Acme", userGroupId: secret, connection: "eu" });
    assert.deepEqual(
      response.getFailuresList().map((failure) => failure.getReason()),
      [
        "property connection is not an argument of the plugin: pass an explicit provider with the settings of the service",
      ],
    );
    assert.equal(response.getInputs()?.toJavaScript()["userGroupId"], "acme");
  });

  pluginTest("takes the state of a dynamic resource without a request", async (context) => {
    const { baseUrl } = context.emulator;
    const olds = { ...acme, token: "t", adopted: false, connection: "eu", __provider: "text" };
    const moved = { ...olds, baseUrl };
    assert.equal(
      (await context.methods.diff(urn(), "acme", moved, acme)).getChanges(),
      proto.DiffResponse.DiffChanges.DIFF_SOME,
    );
    const { token, ...state } = await context.update(moved, acme);
    assert.deepEqual(state, { ...acme, providedId: "acme", adopted: false, baseUrl });
    assert.equal(withoutSecretMarks(token), "t");
    assert.equal(context.emulator.requests.length, 0);
    await assert.rejects(
      context.methods.diff(urn(), "acme", olds, acme),
      /has the connection "eu" without the address .* \[state-invalid\]$/,
    );
  });

  pluginTest("takes customTimeouts as the time limit of an operation", async (context) => {
    context.emulator.fault({ kind: "status", status: 503, times: Infinity });
    const start = performance.now();
    await assert.rejects(context.create(acme, { timeout: 0.5 }), /\[unexpected-status\]/);
    assert(performance.now() - start < 5_000);
    assert.match(context.lines.join("\n"), /retrying for up to 0\.5 s/);
  });

  pluginTest(
    "starts anew when an engine that attaches configures it again",
    { isAttached: true },
    async (context) => {
      await context.configure("default_0_1_0", {});
      await context.methods.cancel();
      await assert.rejects(context.create(acme), /\[cancelled\]/);
      await context.configure("default_0_1_0", {});
      await context.create(acme);
      assert.equal(context.emulator.groups.size, 1);
    },
  );

  pluginTest("takes settings only from the engine that started it", async (context) => {
    await context.configure("default_0_1_0", {});
    const { client } = context.plugin;
    await unary((callback) => client.attach(new PluginAttach().setAddress("127.0.0.1:9"), callback));
    const elsewhere = { baseUrl: "http://127.0.0.1:9", apiToken: "x" };
    await assert.rejects(
      context.configure("eu", elsewhere),
      /Cannot configure the plugin again.* \[setting-conflict\]$/,
    );
    context.emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    await context.create(acme);
    assert.match(context.lines.join(), /existed/);
  });

  pluginTest("refuses the key __proto__, which google-protobuf drops", async (context) => {
    const request = new proto.CheckRequest().setUrn(urn());
    request.setNews(Struct.fromJavaScript({ ...acme, properties: { PROTO_KEY: "x" } }));
    const bytes = Buffer.from(
      Buffer.from(request.serializeBinary()).toString("latin1").replace("PROTO_KEY", "__proto__"),
      "latin1",
    );
    const response = await unary<proto.CheckResponse>((callback) =>
      context.plugin.client.makeUnaryRequest(
        "/pulumirpc.ResourceProvider/Check",
        () => bytes,
        (answer: Buffer) => proto.CheckResponse.deserializeBinary(answer),
        request,
        (error, answer) => {
          callback(error, answer ?? new proto.CheckResponse());
        },
      ),
    );
    const reasons = response.getFailuresList().map((failure) => failure.getReason());
    assert.deepEqual(reasons, ['property ["with the key __proto__"] is not an argument']);
  });

  pluginTest("warns that a replacement applies ignored changes", async (context) => {
    const restored = { ...acme, name: "New", mapping: { sales: "one" } };
    await context.methods.diff(urn(), "acme", { ...restored, name: "Acme", token: "t" }, restored, [
      "mapping",
    ]);
    await context.check({ ...restored, mapping: { sales: "two" } });
    assert.deepEqual(context.lines.slice(-1), [
      'warning: user group "acme": ignoreChanges has no effect on mapping in a replacement. [ignored-changes-applied]',
    ]);
  });
});
