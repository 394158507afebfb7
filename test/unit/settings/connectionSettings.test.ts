import assert from "node:assert/strict";
import {
  configurationKey,
  environmentVariable,
  readPartialSettings,
  readSettings,
} from "../../../provider/src/settings/readSettings";
import { sources } from "./sources";

const eu = { baseUrl: "https://eu.example", apiToken: "eu-t0ken", timeout: 5 };
const structured = { "user-groups:eu": JSON.stringify(eu) };

describe("the settings of a connection", () => {
  const read = (configuration: Record<string, string>, environment: Record<string, string> = {}) =>
    readSettings(sources(configuration, environment), "eu");

  it("come from the object of `pulumi config set --path`, which arrives as one JSON string", () => {
    assert.deepEqual(read(structured), {
      ...eu,
      maxConnections: 16,
      changes: "replace",
      formerBaseUrl: undefined,
    });
    const { timeout, maxConnections } = read({
      "user-groups:eu": JSON.stringify({ ...eu, timeout: "2.5", maxConnections: 2 }),
    });
    assert.deepEqual([timeout, maxConnections], [2.5, 2]);
  });

  it("come from the environment first, then from literal keys, then from the object", () => {
    const literal = { "user-groups:eu.baseUrl": "https://literal.example", "user-groups:eu.timeout": "7" };
    const environment = { USER_GROUPS_EU_BASE_URL: "https://env.example", USER_GROUPS_EU_API_TOKEN: "" };
    const { baseUrl, apiToken, timeout } = read({ ...structured, ...literal }, environment);
    assert.deepEqual([baseUrl, apiToken, timeout], ["https://env.example", "eu-t0ken", 7]);
  });

  it("are never those of the default service or of another connection", () => {
    const environment = { USER_GROUPS_BASE_URL: "https://env.example", USER_GROUPS_US_API_TOKEN: "us-t0ken" };
    const others = { "user-groups:baseUrl": "https://a.example", "user-groups:apiToken": "t0ken" };
    for (const configuration of [others, { ...others, "user-groups:us": JSON.stringify(eu) }])
      assert.throws(() => read(configuration, environment), {
        code: "setting-missing",
        message: /user-groups:eu\.baseUrl/,
      });
    assert.equal(readSettings(sources(others, environment)).apiToken, "t0ken");
  });

  it("have the connection in their names, and in the command that sets them", () => {
    assert.equal(environmentVariable("maxConnections", "eu-2"), "USER_GROUPS_EU_2_MAX_CONNECTIONS");
    assert.equal(configurationKey("apiToken", "eu-2"), "user-groups:eu-2.apiToken");
    assert.throws(() => read({ "user-groups:eu": JSON.stringify({ baseUrl: eu.baseUrl }) }), {
      code: "setting-missing",
      message:
        "The setting user-groups:eu.apiToken is missing. Set the environment variable USER_GROUPS_EU_API_TOKEN " +
        "or run pulumi config set --path --secret 'user-groups:eu.apiToken'. [setting-missing]",
    });
  });

  it("that are invalid are named by their source", () => {
    const invalid = (source: string) => ({
      code: "setting-invalid",
      message: new RegExp(`^The setting ${source} must`),
    });
    assert.throws(
      () => read(structured, { USER_GROUPS_EU_CHANGES: "s3cret" }),
      invalid("USER_GROUPS_EU_CHANGES"),
    );
    assert.throws(
      () => read({ ...structured, "user-groups:eu.timeout": "s3cret" }),
      invalid("user-groups:eu.timeout"),
    );
  });

  for (const [value, issue] of [
    ["s3cret", "must be an object"],
    ['["s3cret"]', "must be an object"],
    ['"s3cret"', "must be an object"],
    ["null", "must be an object"],
    ['{"baseUrl":["s3cret"]}', "must contain only strings and numbers"],
    ['{"apiToken":{"s3cret":1}}', "must contain only strings and numbers"],
  ] as const)
    it(`can't be ${value}`, () => {
      const from = sources({ "user-groups:eu": value });
      const error = {
        code: "setting-invalid",
        message: `The setting user-groups:eu ${issue}. [setting-invalid]`,
      };
      assert.throws(() => readSettings(from, "eu"), error);
      assert.throws(() => readPartialSettings(from, "eu"), error);
    });
});
