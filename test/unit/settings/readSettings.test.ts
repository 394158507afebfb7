import assert from "node:assert/strict";
import {
  findSetting,
  keysOf,
  readPartialSettings,
  readSettings,
  settingNames,
  type SettingName,
  type SettingSources,
} from "../../../provider/src/settings/readSettings";

type Values = Readonly<Record<string, string | undefined>>;

function sources(configuration: Values, environment: Values = {}): SettingSources {
  return { environment, configuration: { get: (key) => configuration[key] } };
}

const required = { "user-groups:baseUrl": "https://groups.example", "user-groups:apiToken": "t0ken" };
const defaults = { timeout: 60, maxConnections: 16, changes: "replace", formerBaseUrl: undefined };

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
      const configuration = { ...required, [key]: fromConfiguration };
      // An address in the environment has its API token there.
      const beside = name === "baseUrl" ? { USER_GROUPS_API_TOKEN: "env-token" } : {};
      for (const [environment, value, source] of [
        [{ ...beside, [variable]: fromEnvironment }, fromEnvironment, variable],
        [{ [variable]: "" }, fromConfiguration, key],
        [{}, fromConfiguration, key],
      ] as const) {
        const from = sources(configuration, environment);
        assert.equal(String(readSettings(from)[name]), value);
        assert.deepEqual(findSetting(name, from), { value, source });
      }
    });
  }

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
  const invalid: [SettingName, value: string, issue: string][] = [
    ["baseUrl", "http://groups.example", https],
    ["formerBaseUrl", "http://groups.example", https],
    ["apiToken", "s3cret\n", token],
    ["apiToken", "s3crét", token],
    ["apiToken", "", token],
    ["timeout", "1m", seconds],
    ["timeout", "1e3", seconds],
    ["timeout", "0", "must be more than 0"],
    ["timeout", "86401", "must be at most 86400 (a day)"],
    ["maxConnections", "1.5", "must be a whole number"],
    ["maxConnections", "0", "must be at least 1"],
    ["maxConnections", "1001", "must be at most 1000"],
    ["changes", "Update", 'must be "replace" or "update"'],
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
      if (value !== "")
        assert.throws(() => readSettings(sources(required, { [variable]: value })), error(variable));
    });

  it("may be at their limits", () => {
    const limits = { "user-groups:timeout": "86400", "user-groups:maxConnections": "1000" };
    const { timeout, maxConnections } = readSettings(sources({ ...required, ...limits }));
    assert.deepEqual([timeout, maxConnections], [86_400, 1000]);
    assert.equal(readSettings(sources({ ...required, "user-groups:maxConnections": "1" })).maxConnections, 1);
  });
});

describe("the settings of an explicit provider", () => {
  it("may be the default ones, but an API token only if it has no address of its own", () => {
    const environment = { USER_GROUPS_API_TOKEN: "t0ken", USER_GROUPS_TIMEOUT: "7" };
    const find = (name: SettingName, configuration: Values) =>
      findSetting(name, { ...sources(configuration, environment), provider: "eu" })?.value;
    const own = { "user-groups:baseUrl": "https://eu.example" };
    assert.deepEqual([find("apiToken", {}), find("timeout", {})], ["t0ken", "7"]);
    assert.deepEqual([find("apiToken", own), find("timeout", own)], [undefined, "7"]);
  });
});

describe("the settings of a connection", () => {
  const eu = { baseUrl: "https://eu.example", apiToken: "eu-t0ken", timeout: 5 };
  const structured = { "user-groups:eu": JSON.stringify(eu) };
  const read = (configuration: Values, environment: Values = {}) =>
    readSettings(sources(configuration, environment), "eu");

  it("come from the object of `pulumi config set --path`, which arrives as one JSON string", () => {
    assert.deepEqual(read(structured), { ...defaults, ...eu });
    const texts = { ...eu, timeout: "2.5", maxConnections: 2 };
    const { timeout, maxConnections } = read({ "user-groups:eu": JSON.stringify(texts) });
    assert.deepEqual([timeout, maxConnections], [2.5, 2]);
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
    assert.deepEqual(
      [variable, key],
      ["USER_GROUPS_EU_2_MAX_CONNECTIONS", "user-groups:eu-2.maxConnections"],
    );
    assert.throws(() => read({ "user-groups:eu": JSON.stringify({ baseUrl: eu.baseUrl }) }), {
      message:
        /USER_GROUPS_EU_API_TOKEN or run pulumi config set --path --secret 'user-groups:eu\.apiToken'\./,
    });
  });

  for (const [value, issue] of [
    ['["s3cret"]', "must be an object"],
    ['{"baseUrl":["s3cret"]}', "must contain only strings and numbers"],
  ] as const)
    it(`can't be ${value}`, () => {
      const message = `The setting user-groups:eu ${issue}. [setting-invalid]`;
      for (const readThem of [readSettings, readPartialSettings])
        assert.throws(() => readThem(sources({ "user-groups:eu": value }), "eu"), { message });
    });
});
