import assert from "node:assert/strict";
import {
  checkGivenSettings,
  configurationKey,
  environmentVariable,
  readChanges,
  readSettings,
} from "../../provider/src/settings";
import { inEnvironment } from "./environment";

const eu = { baseUrl: "https://eu.example", apiToken: "eu-t0ken", timeout: 5 };

describe("settings of a connection", () => {
  it(
    "are found in the object that `pulumi config set --path` makes, which arrives as one JSON string",
    inEnvironment({}, () => {
      const { baseUrl, ...others } = read({ "user-groups:eu": JSON.stringify(eu) });
      assert.equal(baseUrl.href, "https://eu.example/");
      assert.deepEqual(others, { apiToken: "eu-t0ken", timeout: 5, maxConnections: 16, changes: "replace" });
    }),
  );

  it(
    "may be texts and numbers alike",
    inEnvironment({}, () => {
      const { timeout, maxConnections } = read({
        "user-groups:eu": JSON.stringify({ ...eu, timeout: "2.5", maxConnections: 2 }),
      });
      assert.deepEqual([timeout, maxConnections], [2.5, 2]);
    }),
  );

  it(
    "are found under their literal keys, before the object",
    inEnvironment({}, () => {
      const { baseUrl, apiToken, timeout } = read({
        "user-groups:eu.baseUrl": "https://literal.example",
        "user-groups:eu.timeout": "7",
        "user-groups:eu": JSON.stringify(eu),
      });
      assert.deepEqual([baseUrl.href, apiToken, timeout], ["https://literal.example/", "eu-t0ken", 7]);
    }),
  );

  it(
    "are found in the environment first",
    inEnvironment({ USER_GROUPS_EU_BASE_URL: "https://env.example", USER_GROUPS_EU_API_TOKEN: "" }, () => {
      const { baseUrl, apiToken } = read({ "user-groups:eu": JSON.stringify(eu) });
      assert.deepEqual([baseUrl.href, apiToken], ["https://env.example/", "eu-t0ken"]);
    }),
  );

  it(
    "are never those of the unnamed connection, or of another",
    inEnvironment(
      { USER_GROUPS_BASE_URL: "https://env.example", USER_GROUPS_US_API_TOKEN: "us-t0ken" },
      () => {
        const others = { "user-groups:baseUrl": "https://a.example", "user-groups:apiToken": "t0ken" };
        for (const values of [others, { ...others, "user-groups:us": JSON.stringify(eu) }])
          assert.throws(() => read(values), { code: "setting-missing", message: /user-groups:eu\.baseUrl/ });
        const { apiToken } = readSettings(configured(others));
        assert.equal(apiToken, "t0ken");
      },
    ),
  );

  it("have the connection in their names", () => {
    assert.equal(environmentVariable("maxConnections", "eu-2"), "USER_GROUPS_EU_2_MAX_CONNECTIONS");
    assert.equal(environmentVariable("baseUrl", "eu"), "USER_GROUPS_EU_BASE_URL");
    assert.equal(configurationKey("apiToken", "eu-2"), "user-groups:eu-2.apiToken");
  });

  it(
    "are named in full with the command that sets them where they are missing",
    inEnvironment({}, () => {
      assert.throws(() => read({ "user-groups:eu": JSON.stringify({ baseUrl: eu.baseUrl }) }), {
        code: "setting-missing",
        message:
          "The setting user-groups:eu.apiToken is missing. Set the environment variable USER_GROUPS_EU_API_TOKEN " +
          "or run pulumi config set --path --secret 'user-groups:eu.apiToken'. [setting-missing]",
      });
    }),
  );

  it(
    "are named by the place that gave them where they are wrong",
    inEnvironment({ USER_GROUPS_EU_CHANGES: "s3cret" }, () => {
      const wrong = (name: string) => ({
        code: "setting-invalid",
        message: new RegExp(`^The setting ${name} must`),
      });
      const values = { "user-groups:eu": JSON.stringify({ ...eu, changes: "update" }) };
      assert.throws(() => readChanges(configured(values), "eu"), wrong("USER_GROUPS_EU_CHANGES"));
      assert.throws(() => {
        checkGivenSettings(configured({ "user-groups:eu.timeout": "s3cret" }), "eu");
      }, wrong("user-groups:eu.timeout"));
    }),
  );

  for (const [structured, reason] of [
    ["s3cret", "must be an object"],
    ['["s3cret"]', "must be an object"],
    ['"s3cret"', "must be an object"],
    ["null", "must be an object"],
    ['{"baseUrl":["s3cret"]}', "must hold strings and numbers only"],
    ['{"apiToken":{"s3cret":1}}', "must hold strings and numbers only"],
  ] as const) {
    it(
      `can't be ${structured}`,
      inEnvironment({}, () => {
        const error = {
          code: "setting-invalid",
          message: `The setting user-groups:eu ${reason}. [setting-invalid]`,
        };
        assert.throws(() => read({ "user-groups:eu": structured }), error);
        assert.throws(() => {
          checkGivenSettings(configured({ "user-groups:eu": structured }), "eu");
        }, error);
      }),
    );
  }
});

function read(values: Readonly<Record<string, string>>) {
  return readSettings(configured(values), "eu");
}

function configured(values: Readonly<Record<string, string>>) {
  return { get: (key: string) => values[key] };
}
