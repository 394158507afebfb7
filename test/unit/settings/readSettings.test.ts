import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  findSetting,
  keysOf,
  readPartialSettings,
  readSettings,
  settingNames,
  type SettingName,
  type SettingSources,
} from "../../../provider/src/settings/readSettings";
import { withFolder } from "../../harness/run";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";

type Values = Readonly<Record<string, string | undefined>>;

function sources(configuration: Values, environment: Values = {}): SettingSources {
  return { environment, configuration: { get: (key) => configuration[key] } };
}

const required = { "user-groups:baseUrl": "https://groups.example", "user-groups:apiToken": "t0ken" };
const none = {
  formerBaseUrl: undefined,
  headers: undefined,
  clientCertificate: undefined,
  clientKey: undefined,
};
const defaults = { timeout: 60, maxConnections: 16, changes: "replace", ...none };
const pair = { "user-groups:clientCertificate": tls.cert, "user-groups:clientKey": tls.key };

/** A value from each source, and the name of the variable. */
const examples = {
  baseUrl: ["https://env.example/v1", "https://config.example/v1", "USER_GROUPS_BASE_URL"],
  apiToken: ["env-token", "config-token", "USER_GROUPS_API_TOKEN"],
  timeout: ["0.5", "1.5", "USER_GROUPS_TIMEOUT"],
  maxConnections: ["3", "4", "USER_GROUPS_MAX_CONNECTIONS"],
  changes: ["update", "replace", "USER_GROUPS_CHANGES"],
  formerBaseUrl: ["https://env.example/v0", "https://config.example/v0", "USER_GROUPS_FORMER_BASE_URL"],
  headers: ['{"x-key":"env"}', '{"x-key":"config"}', "USER_GROUPS_HEADERS"],
  clientCertificate: [tls.cert, `${tls.cert}\n`, "USER_GROUPS_CLIENT_CERTIFICATE"],
  clientKey: [tls.key, `${tls.key}\n`, "USER_GROUPS_CLIENT_KEY"],
} satisfies Record<SettingName, [fromEnvironment: string, fromConfiguration: string, variable: string]>;

describe("settings", () => {
  it("have defaults, except the address and the API token", () => {
    const settings = { baseUrl: "https://groups.example", apiToken: "t0ken", ...defaults };
    assert.deepEqual(readSettings(sources(required)), settings);
  });

  for (const name of settingNames) {
    const [fromEnvironment, fromConfiguration, variable] = examples[name];
    const key = `user-groups:${name}`;
    it(`take ${name} from the environment, then from the configuration`, () => {
      assert.deepEqual(keysOf(name, {}), { variable, key, shown: key });
      const configuration = { ...required, ...pair, [key]: fromConfiguration };
      // An address in the environment has its API token there.
      const beside = name === "baseUrl" ? { USER_GROUPS_API_TOKEN: "env-token" } : {};
      for (const [environment, value, source] of [
        [{ ...beside, [variable]: fromEnvironment }, fromEnvironment, variable],
        [{ [variable]: "" }, fromConfiguration, key],
        [{}, fromConfiguration, key],
      ] as const) {
        const from = sources(configuration, environment);
        const read = readSettings(from)[name];
        assert.equal(typeof read === "string" ? read : JSON.stringify(read), value);
        assert.deepEqual(findSetting(name, from), { value, source });
      }
    });
  }

  it("have no headers and no certificate of the configuration for another address of the environment", () => {
    const configuration = { ...required, ...pair, "user-groups:headers": '{"x-key":"k"}' };
    const read = (baseUrl: string) => {
      const environment = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: "t" };
      const { headers, clientCertificate, clientKey } = readSettings(sources(configuration, environment));
      return [headers, clientCertificate, clientKey];
    };
    assert.deepEqual(read("https://groups.example"), [{ "x-key": "k" }, tls.cert, tls.key]);
    assert.deepEqual(read("https://other.example"), [undefined, undefined, undefined]);
  });

  it("have no API token of the configuration for another address of the environment", () => {
    const missing = { code: "setting-missing", message: /apiToken.*USER_GROUPS_API_TOKEN/s };
    const read = (baseUrl: string, others: Values = {}) =>
      readSettings(sources(required, { USER_GROUPS_BASE_URL: baseUrl, ...others })).apiToken;
    for (const other of ["https://other.example", "https://groups.example/v2", "https://groups.example:8443"])
      assert.throws(() => read(other), missing);
    assert.equal(read("https://other.example", { USER_GROUPS_API_TOKEN: "env-token" }), "env-token");
    for (const same of ["https://groups.example/", "https://GROUPS.example:443"])
      assert.equal(read(same), "t0ken");
  });

  const token = "must be visible ASCII without white space (look for a line break at its end)";
  const seconds = "must be a number of seconds";
  const https = "must start with https:// (http:// only on a loopback host)";
  const headersForm = "must be a JSON object of header names and values, such as an access key";
  const noToken = "has a name that is no token (RFC 9110), for example with a blank or a colon";
  const invalid: [SettingName, value: string, issue: string][] = [
    ["baseUrl", "http://groups.example", https],
    ["apiToken", "s3cret\n", token],
    ["apiToken", "s3crét", token],
    ["timeout", "1m", seconds],
    ["timeout", "0", "must be more than 0"],
    ["timeout", "86401", "must be at most 86400 (a day)"],
    ["maxConnections", "1.5", "must be a whole number"],
    ["maxConnections", "0", "must be at least 1"],
    ["changes", "Update", 'must be "replace" or "update"'],
    ["headers", "x-key: s3cret", headersForm],
    ["headers", '{"x key":"s3cret"}', noToken],
    ["headers", '{"":"s3cret"}', noToken],
    ...[
      "Host",
      "authorization",
      "CONTENT-TYPE",
      "content-length",
      "accept",
      "user-agent",
      "transfer-encoding",
    ].map((name): (typeof invalid)[number] => [
      "headers",
      `{"${name}":"s3cret"}`,
      `must not have ${name}, because the package sets or needs it itself`,
    ]),
    ["headers", '{"x-key":"s3cret\\r\\nhost: x"}', "has a line break in x-key"],
    ["headers", '{"x-key":"s3crét"}', "must have visible ASCII as x-key"],
    ["headers", '{"x-key":["s3cret"]}', "must have a string as x-key"],
    ["headers", '{"X-Key":"s3cret","x-key":"s3cret"}', "has a name twice, in upper and lower case"],
    [
      "headers",
      '{"x-key":12345678901234567890}',
      "has a number as x-key that JSON can't carry exactly: write it as a string",
    ],
  ];
  for (const [name, value, issue] of invalid)
    it(`can't have ${JSON.stringify(value)} as ${name}, and the error names the source and not the value`, () => {
      const error = (source: string) => ({
        code: "setting-invalid",
        message: `The setting ${source} ${issue}. [setting-invalid]`,
      });
      const from = sources({ ...required, [`user-groups:${name}`]: value });
      assert.throws(() => readSettings(from), error(`user-groups:${name}`));
      assert.throws(() => readPartialSettings(from), error(`user-groups:${name}`));
      const { variable } = keysOf(name, {});
      assert.throws(() => readSettings(sources(required, { [variable]: value })), error(variable));
    });
});

describe("a client certificate", () => {
  const read = (clientCertificate?: string, clientKey?: string) => {
    const settings = {
      "user-groups:clientCertificate": clientCertificate,
      "user-groups:clientKey": clientKey,
    };
    return readSettings(sources({ ...required, ...settings }));
  };
  const key = (options?: { readonly cipher: string; readonly passphrase: string }) => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return privateKey.export({ type: "pkcs8", format: "pem", ...options }).toString();
  };
  const inPem = "in PEM, or the path of a file with it";

  it("and its key are PEM texts, or files of which a preview needs none", () =>
    withFolder(async (folder) => {
      const [certificate, privateKey] = [join(folder, "client.pem"), join(folder, "client.key")];
      for (const [path, text] of [[certificate, tls.cert], [privateKey, tls.key]] as const) await writeFile(path, text); // prettier-ignore
      const { clientCertificate, clientKey } = read(certificate, privateKey);
      assert.deepEqual([clientCertificate, clientKey], [tls.cert, tls.key]);
      const elsewhere = { ...required, "user-groups:clientCertificate": join(folder, "no-such-file") };
      assert.equal(readPartialSettings(sources(elsewhere)).apiToken, "t0ken");
    }));

  const withPassphrase = key({ cipher: "aes-256-cbc", passphrase: "s3cret" });
  const unreadable = "is neither PEM text nor a file that can be read";
  for (const [what, certificate, privateKey, issue] of [
    ["without its key", tls.cert, undefined, "clientCertificate requires clientKey, from the same place"],
    ["key alone", undefined, tls.key, "clientKey requires clientCertificate, from the same place"],
    ["with another's key", tls.cert, key(), "clientKey isn't that of clientCertificate"],
    [
      "with a passphrase",
      tls.cert,
      withPassphrase,
      `clientKey must be a private key without a passphrase ${inPem}`,
    ],
    ["that is a key", tls.key, tls.key, `clientCertificate must be a certificate ${inPem}`],
    ["whose file is missing", "/no/such/file", tls.key, `clientCertificate ${unreadable} (ENOENT)`],
    ["whose file has no PEM", __filename, tls.key, `clientCertificate must be a certificate ${inPem}`],
  ] as const)
    it(`can't be one ${what}`, () => {
      const message = `The setting user-groups:${issue}. [setting-invalid]`;
      assert.throws(() => read(certificate, privateKey), { code: "setting-invalid", message });
    });
});

describe("the settings of an explicit provider", () => {
  it("may be the default ones, but credentials only if it has no address of its own", () => {
    const credentials = { apiToken: "t", headers: "h", clientCertificate: "c", clientKey: "k" };
    const environment = {
      ...{ USER_GROUPS_API_TOKEN: "t", USER_GROUPS_HEADERS: "h", USER_GROUPS_TIMEOUT: "7" },
      ...{ USER_GROUPS_CLIENT_CERTIFICATE: "c", USER_GROUPS_CLIENT_KEY: "k" },
    };
    const find = (name: SettingName, configuration: Values) =>
      findSetting(name, { ...sources(configuration, environment), provider: "eu" })?.value;
    const own = { "user-groups:baseUrl": "https://eu.example" };
    assert.deepEqual([find("timeout", {}), find("timeout", own)], ["7", "7"]);
    for (const name of ["apiToken", "headers", "clientCertificate", "clientKey"] as const)
      assert.deepEqual([find(name, {}), find(name, own)], [credentials[name], undefined]);
  });
});

describe("the settings of a connection", () => {
  const eu = { baseUrl: "https://eu.example", apiToken: "eu-t0ken", timeout: 5 };
  const structured = { "user-groups:eu": JSON.stringify(eu) };
  const read = (configuration: Values, environment: Values = {}) =>
    readSettings(sources(configuration, environment), "eu");

  it("come from the object of `pulumi config set --path`, which arrives as one JSON string", () => {
    assert.deepEqual(read(structured), { ...defaults, ...eu });
    assert.equal(read({ "user-groups:eu": JSON.stringify({ ...eu, timeout: "2.5" }) }).timeout, 2.5);
  });

  it("may have headers in their object, which Pulumi stores as an object or as text", () => {
    const expected = { "x-key": "k", "x-tenant": "7", "x-on": "true" };
    for (const headers of [expected, JSON.stringify(expected), { ...expected, "x-tenant": 7, "x-on": true }])
      assert.deepEqual(read({ "user-groups:eu": JSON.stringify({ ...eu, headers }) }).headers, expected);
  });

  it("come from the environment first, then from literal keys, then from the object", () => {
    const literal = { "user-groups:eu.baseUrl": "https://literal.example", "user-groups:eu.timeout": "7" };
    const environment = { USER_GROUPS_EU_BASE_URL: "https://env.example", USER_GROUPS_EU_API_TOKEN: "" };
    assert.throws(() => read({ ...structured, ...literal }, environment), { code: "setting-missing" });
    const { baseUrl, apiToken, timeout } = read(
      { ...structured, ...literal },
      { ...environment, USER_GROUPS_EU_API_TOKEN: "env-t0ken" },
    );
    assert.deepEqual([baseUrl, apiToken, timeout], ["https://env.example", "env-t0ken", 7]);
    assert.equal(read({ ...structured, ...literal }).baseUrl, "https://literal.example");
  });

  it("are never those of the default service or of another connection", () => {
    const environment = { USER_GROUPS_BASE_URL: "https://env.example", USER_GROUPS_US_API_TOKEN: "us-t0ken" };
    const missing = { code: "setting-missing", message: /user-groups:eu\.baseUrl/ };
    for (const others of [required, { ...required, "user-groups:us": JSON.stringify(eu) }])
      assert.throws(() => read(others, environment), missing);
    const same = { ...environment, USER_GROUPS_BASE_URL: "https://groups.example" };
    assert.equal(readSettings(sources(required, same)).apiToken, "t0ken");
  });

  it("have the connection in their names, and in the command that sets them", () => {
    const { variable, key } = keysOf("maxConnections", { connection: "eu-2" });
    assert.equal(variable, "USER_GROUPS_EU_2_MAX_CONNECTIONS");
    assert.equal(key, "user-groups:eu-2.maxConnections");
    const message =
      /USER_GROUPS_EU_API_TOKEN or run pulumi config set --path --secret 'user-groups:eu\.apiToken'\./;
    assert.throws(() => read({ "user-groups:eu": JSON.stringify({ baseUrl: eu.baseUrl }) }), { message });
  });

  for (const [value, issue] of [
    ['["s3cret"]', "must be an object"],
    ['{"baseUrl":["s3cret"]}', "must contain only strings and numbers, and an object as headers"],
    ['{"headers":["s3cret"]}', "must have an object as headers"],
  ] as const)
    it(`can't be ${value}`, () => {
      const message = `The setting user-groups:eu ${issue}. [setting-invalid]`;
      for (const readThem of [readSettings, readPartialSettings])
        assert.throws(() => readThem(sources({ "user-groups:eu": value }), "eu"), { message });
    });
});
