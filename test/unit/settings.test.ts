import assert from "node:assert/strict";
import {
  checkGivenSettings,
  configurationKey,
  environmentVariable,
  findSetting,
  readChanges,
  readSettings,
  settingNames,
  type Configuration,
  type SettingName,
} from "../../provider/src/settings";
import { inEnvironment } from "./environment";

const required = { "user-groups:baseUrl": "https://groups.example", "user-groups:apiToken": "t0ken" };

/** A value other than the default from each place, and what is made of it. */
const examples = {
  baseUrl: ["https://env.example/v1", "https://config.example/v1"],
  apiToken: ["env-token", "config-token"],
  timeout: ["0.5", "1.5"],
  maxConnections: ["3", "4"],
  changes: ["update", "replace"],
} satisfies Record<SettingName, [fromEnvironment: string, fromConfiguration: string]>;

const variables = {
  baseUrl: "USER_GROUPS_BASE_URL",
  apiToken: "USER_GROUPS_API_TOKEN",
  timeout: "USER_GROUPS_TIMEOUT",
  maxConnections: "USER_GROUPS_MAX_CONNECTIONS",
  changes: "USER_GROUPS_CHANGES",
} satisfies Record<SettingName, string>;

describe("settings", () => {
  it(
    "have defaults, less the address and the API token",
    inEnvironment({}, () => {
      const { baseUrl, ...others } = readSettings(configured(required));
      assert.equal(baseUrl.href, "https://groups.example/");
      assert.deepEqual(others, { apiToken: "t0ken", timeout: 60, maxConnections: 16, changes: "replace" });
    }),
  );

  for (const name of settingNames) {
    const [fromEnvironment, fromConfiguration] = examples[name];
    const key = `user-groups:${name}`;
    const variable = variables[name];

    it(
      `take ${name} from the configuration`,
      inEnvironment({}, () => {
        const configuration = configured({ ...required, [key]: fromConfiguration });
        assert.equal(String(readSettings(configuration)[name]), fromConfiguration);
        assert.deepEqual(findSetting(name, configuration), { value: fromConfiguration, source: key });
      }),
    );

    it(
      `take ${name} from the environment, also where the configuration has it`,
      inEnvironment({ [variable]: fromEnvironment }, () => {
        const configuration = configured({ ...required, [key]: fromConfiguration });
        assert.equal(String(readSettings(configuration)[name]), fromEnvironment);
        assert.deepEqual(findSetting(name, configuration), { value: fromEnvironment, source: variable });
      }),
    );

    it(
      `take an empty environment variable for ${name} as none`,
      inEnvironment({ [variable]: "" }, () => {
        const configuration = configured({ ...required, [key]: fromConfiguration });
        assert.equal(String(readSettings(configuration)[name]), fromConfiguration);
      }),
    );

    it(`call ${name} the same everywhere`, () => {
      assert.equal(environmentVariable(name), variable);
      assert.equal(configurationKey(name), key);
    });
  }

  it(
    "are all found in the environment without any configuration",
    inEnvironment(
      Object.fromEntries(settingNames.map((name) => [variables[name], examples[name][0]])),
      () => {
        const { baseUrl, ...others } = readSettings(configured({}));
        assert.equal(baseUrl.href, "https://env.example/v1");
        assert.deepEqual(others, {
          apiToken: "env-token",
          timeout: 0.5,
          maxConnections: 3,
          changes: "update",
        });
      },
    ),
  );

  it(
    "are looked for under their own keys only",
    inEnvironment({}, () => {
      const keys: string[] = [];
      checkGivenSettings({ get: (key) => void keys.push(key) });
      assert.equal(keys.join(), settingNames.map((name) => `user-groups:${name}`).join());
    }),
  );

  it(
    "have no source where they are nowhere",
    inEnvironment({}, () => {
      assert.deepEqual(findSetting("timeout", configured({})), { value: undefined, source: undefined });
    }),
  );
});

describe("settings in a preview", () => {
  it(
    "may all be missing",
    inEnvironment({}, () => {
      checkGivenSettings(configured({}));
      assert.equal(readChanges(configured({})), "replace");
    }),
  );

  it(
    "must be right where they are there",
    inEnvironment({ USER_GROUPS_CHANGES: "both" }, () => {
      const error = {
        code: "setting-invalid",
        message: 'The setting USER_GROUPS_CHANGES must be "replace" or "update". [setting-invalid]',
      };
      assert.throws(() => {
        checkGivenSettings(configured({}));
      }, error);
      assert.throws(() => readChanges(configured({})), error);
    }),
  );

  it(
    "tell what a change does without an address and a token",
    inEnvironment({}, () => {
      assert.equal(readChanges(configured({ "user-groups:changes": "update" })), "update");
    }),
  );
});

function configured(values: Readonly<Record<string, string>>): Configuration {
  return { get: (key) => values[key] };
}
