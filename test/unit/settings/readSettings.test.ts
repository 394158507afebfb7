import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newDeployment } from "../../../provider/core/deployment/context";
import {
  findSetting,
  keysOf,
  readPartialSettings,
  readSettings,
  settingNames,
  type SettingName,
  type SettingSources,
} from "../../../provider/settings/readSettings";
import { normalizedAddress, serviceAddress } from "../../../provider/settings/serviceAddress";
import { withFolder } from "../../support/harness/run";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";

type Values = Readonly<Record<string, string | undefined>>;

function sources(configuration: Values, environment: Values = {}): SettingSources {
  return { environment, configuration: { get: (key) => configuration[key] } };
}

const required = { "user-groups:baseUrl": "https://groups.example", "user-groups:apiToken": "t0ken" };
const none = {
  requestsPerSecond: undefined,
  formerBaseUrl: undefined,
  headers: undefined,
  clientCertificate: undefined,
  clientKey: undefined,
};
const defaults = { timeout: 60, maxConnections: 16, changes: "replace", ...none };
const pair = { "user-groups:clientCertificate": tls.cert, "user-groups:clientKey": tls.key };

describe("settings", () => {
  const examples = {
    baseUrl: ["https://env.example/v1", "https://config.example/v1", "USER_GROUPS_BASE_URL"],
    apiToken: ["env-token", "config-token", "USER_GROUPS_API_TOKEN"],
    timeout: ["0.5", "1.5", "USER_GROUPS_TIMEOUT"],
    maxConnections: ["3", "4", "USER_GROUPS_MAX_CONNECTIONS"],
    requestsPerSecond: ["50", "0.5", "USER_GROUPS_REQUESTS_PER_SECOND"],
    changes: ["update", "replace", "USER_GROUPS_CHANGES"],
    formerBaseUrl: ["https://env.example/v0", "https://config.example/v0", "USER_GROUPS_FORMER_BASE_URL"],
    headers: ['{"x-key":"env"}', '{"x-key":"config"}', "USER_GROUPS_HEADERS"],
    clientCertificate: [tls.cert, `${tls.cert}\n`, "USER_GROUPS_CLIENT_CERTIFICATE"],
    clientKey: [tls.key, `${tls.key}\n`, "USER_GROUPS_CLIENT_KEY"],
  } satisfies Record<SettingName, [fromEnvironment: string, fromConfiguration: string, variable: string]>;
  for (const name of settingNames)
    it(`take ${name} from the environment, then from the configuration`, () => {
      const [fromEnvironment, fromConfiguration, variable] = examples[name];
      const key = `user-groups:${name}`;
      const configuration = { ...required, ...pair, [key]: fromConfiguration };
      // An address in the environment has its API token there.
      const beside = name === "baseUrl" ? { USER_GROUPS_API_TOKEN: "env-token" } : {};
      for (const [environment, value, source, origin] of [
        [{ ...beside, [variable]: fromEnvironment }, fromEnvironment, variable, "environment"],
        [{ [variable]: "" }, fromConfiguration, key, "configuration"],
      ] as const) {
        const from = sources(configuration, environment);
        const read = readSettings(from)[name];
        assert.equal(typeof read === "string" ? read : JSON.stringify(read), value);
        assert.deepEqual(findSetting(name, from), { value, source, origin });
      }
    });

  it("have no credentials of the configuration for another address of the environment", () => {
    const configuration = { ...required, ...pair, "user-groups:headers": '{"x-key":"k"}' };
    const read = (baseUrl: string, others: Values = {}) =>
      readSettings(sources(configuration, { USER_GROUPS_BASE_URL: baseUrl, ...others }));
    for (const same of ["https://groups.example/", "https://GROUPS.example:443"]) {
      const { apiToken, headers, clientCertificate, clientKey } = read(same);
      const credentials = [apiToken, headers, clientCertificate, clientKey];
      assert.deepEqual(credentials, ["t0ken", { "x-key": "k" }, tls.cert, tls.key]);
    }
    for (const other of ["https://groups.example/v2", "https://groups.example:8443"]) {
      const missing = { code: "setting-missing", message: /apiToken.*USER_GROUPS_API_TOKEN/s };
      assert.throws(() => read(other), missing);
      const settings = { baseUrl: other, apiToken: "t", ...defaults };
      assert.deepEqual(read(other, { USER_GROUPS_API_TOKEN: "t" }), settings);
    }
  });

  it("of an explicit provider may be the default ones, but credentials only if it has no address of its own", () => {
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

  const token = "must be visible ASCII without white space (look for a line break at its end)";
  const headersForm = "must be a JSON object of header names and values, such as an access key";
  const noToken = "has a name that is no token (RFC 9110), for example with a blank or a colon";
  const ofPackage = "because the package sets or needs it itself";
  const inexact = "that JSON can't carry exactly: write it as a string";
  const invalid: [SettingName, value: string, issue: string][] = [
    ["baseUrl", "http://groups.example", "must start with https:// (http:// only on a loopback host)"],
    ["apiToken", "s3cret\n", token],
    ["timeout", "0", "must be more than 0"],
    ["maxConnections", "1.5", "must be a whole number"],
    ["requestsPerSecond", "0", "must be more than 0"],
    ["changes", "Update", 'must be "replace" or "update"'],
    ["headers", "x-key: s3cret", headersForm],
    ["headers", '{"x key":"s3cret"}', noToken],
    ["headers", '{"Host":"s3cret"}', `must not have Host, ${ofPackage}`],
    ["headers", '{"content-length":"s3cret"}', `must not have content-length, ${ofPackage}`],
    ["headers", '{"x-key":"s3cret\\r\\nhost: x"}', "has a line break in x-key"],
    ["headers", '{"x-key":"s3crét"}', "must have visible ASCII as x-key"],
    ["headers", '{"X-Key":"s3cret","x-key":"s3cret"}', "has a name twice, in upper and lower case"],
    ["headers", '{"x-key":12345678901234567890}', `has a number as x-key ${inexact}`],
  ];
  for (const [name, value, issue] of invalid)
    it(`can't have ${JSON.stringify(value)} as ${name}, and the error names the source and not the value`, () => {
      const key = `user-groups:${name}`;
      const { variable } = keysOf(name, {});
      for (const [source, from] of [
        [key, sources({ ...required, [key]: value })],
        [variable, sources(required, { [variable]: value })],
      ] as const)
        for (const read of [readSettings, readPartialSettings])
          assert.throws(() => read(from), {
            code: "setting-invalid",
            message: `The setting ${source} ${issue}. [setting-invalid]`,
          });
    });
});

describe("the address of a service", () => {
  for (const [address, normalized] of [
    ["https://Groups.EXAMPLE:443//", "https://groups.example"],
    ["http://LOCALHOST:80/", "http://localhost"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ] as const)
    it(`${address} is ${normalized}`, () => {
      assert.equal(serviceAddress.parse(address), normalized);
      assert.equal(normalizedAddress(address), normalized);
    });

  for (const [address, issue] of [
    [" https://groups.example", "must contain no white space (look for a line break)"],
    ["groups.example", "must be an absolute URL"],
    ["http://localhost.groups.example", "must start with https:// (http:// only on a loopback host)"],
    ["https://user:s3cret@groups.example", "must contain no user name and no password"],
    ["https://groups.example?key=s3cret", "must have no query and no fragment"],
    ["https://groups.example/v1#s3cret", "must have no query and no fragment"],
  ] as const)
    it(`can't be ${JSON.stringify(address)}, which compares by its text`, () => {
      assert.equal(serviceAddress.safeParse(address).error?.issues[0]?.message, issue);
      assert.equal(normalizedAddress(address), address);
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
  const otherKey = (options?: { readonly cipher: string; readonly passphrase: string }) => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return privateKey.export({ type: "pkcs8", format: "pem", ...options }).toString();
  };
  const withPassphrase = otherKey({ cipher: "aes-256-cbc", passphrase: "s3cret" });
  const inPem = "in PEM, or the path of a file with it";

  it("and its key may be files, of which a preview needs none", () =>
    withFolder(async (folder) => {
      const [certificate, key] = [join(folder, "client.pem"), join(folder, "client.key")];
      await writeFile(certificate, tls.cert);
      await writeFile(key, tls.key);
      const { clientCertificate, clientKey } = read(certificate, key);
      assert.deepEqual([clientCertificate, clientKey], [tls.cert, tls.key]);
      const elsewhere = { ...required, "user-groups:clientCertificate": join(folder, "no-such-file") };
      assert.equal(readPartialSettings(sources(elsewhere)).apiToken, "t0ken");
    }));

  for (const [issue, certificate, key] of [
    ["clientCertificate requires clientKey, from the same place", tls.cert, undefined],
    ["clientKey requires clientCertificate, from the same place", undefined, tls.key],
    ["clientKey isn't that of clientCertificate", tls.cert, otherKey()],
    [`clientKey must be a private key without a passphrase ${inPem}`, tls.cert, withPassphrase],
    [`clientCertificate must be a certificate ${inPem}`, tls.key, tls.key],
    [`clientCertificate must be a certificate ${inPem}`, __filename, tls.key],
    ["clientCertificate is neither PEM text nor a file that can be read (ENOENT)", "/no/file", tls.key],
  ] as const)
    it(`has the error: ${issue}`, () => {
      const message = `The setting user-groups:${issue}. [setting-invalid]`;
      assert.throws(() => read(certificate, key), { code: "setting-invalid", message });
    });
});

describe("the settings of an explicit provider", () => {
  const provider = "eu-2";
  const own = { "user-groups:baseUrl": "https://eu.example", "user-groups:apiToken": "eu-t0ken" };

  it("come from its own variables first, then from its arguments", () => {
    const environment = {
      USER_GROUPS_EU_2_BASE_URL: "https://env.example",
      USER_GROUPS_EU_2_API_TOKEN: "env",
    };
    const read = (variables: Values) => readSettings({ ...sources(own, variables), provider });
    assert.deepEqual(read({}), { ...defaults, baseUrl: "https://eu.example", apiToken: "eu-t0ken" });
    const { baseUrl, apiToken } = read(environment);
    assert.deepEqual([baseUrl, apiToken], ["https://env.example", "env"]);
    const withoutToken = { ...environment, USER_GROUPS_EU_2_API_TOKEN: "" };
    assert.throws(() => read(withoutToken), { code: "setting-missing" });
  });

  it("have its name in their variables and messages", () => {
    const { variable, shown } = keysOf("maxConnections", { provider });
    assert.equal(variable, "USER_GROUPS_EU_2_MAX_CONNECTIONS");
    assert.equal(shown, 'maxConnections of the provider "eu-2"');
    const message =
      /Pass the argument apiToken, or set the environment variable USER_GROUPS_EU_2_API_TOKEN\./;
    const { "user-groups:baseUrl": _, ...withoutAddress } = required;
    assert.throws(
      () => readSettings({ ...sources({ ...own, "user-groups:apiToken": undefined }), provider }),
      {
        message,
      },
    );
    assert.throws(() => readSettings({ ...sources(withoutAddress), provider }), { code: "setting-missing" });
  });
});

it("headers may be text or numbers, as `pulumi config set --path` makes them", () => {
  const headers = '{"x-key":"k","x-tenant":7,"x-on":true}';
  const read = readSettings(sources({ ...required, "user-groups:headers": headers }));
  assert.deepEqual(read.headers, { "x-key": "k", "x-tenant": "7", "x-on": "true" });
});

describe("a deployment", () => {
  /** A deployment whose configuration can change, and the keys that it has read. */
  function deploymentOf(configuration: Record<string, string>) {
    const read: string[] = [];
    const get = (key: string) => {
      read.push(key);
      return configuration[key];
    };
    const { settings } = newDeployment({ environment: {}, configuration: { get } });
    return { settings, read };
  }

  it("reads its settings once, and only when they are needed", () => {
    const { settings, read } = deploymentOf({ ...required });
    assert.deepEqual(read, []);
    const { apiToken } = settings.partial();
    const complete = settings.complete();
    assert.equal(apiToken, complete.apiToken);
    const count = read.length;
    for (const again of [settings.partial(), settings.complete()]) assert.equal(again.apiToken, "t0ken");
    assert.equal(settings.complete(), complete);
    assert.equal(read.length, count);
  });

  it("reads them again after an error", () => {
    const configuration: Record<string, string> = { "user-groups:baseUrl": "https://groups.example" };
    const { settings } = deploymentOf(configuration);
    assert.throws(() => settings.complete(), { code: "setting-missing" });
    // The part that a preview needs is known.
    configuration["user-groups:timeout"] = "5";
    assert.throws(() => settings.complete(), { code: "setting-missing" });
    assert.equal(settings.partial().timeout, 60);
  });
});
