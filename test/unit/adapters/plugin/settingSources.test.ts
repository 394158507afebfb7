/** The settings that a program passes to the plugin's provider, as gRPC carries them. */
import assert from "node:assert/strict";
import { settingIssues, settingSources } from "../../../../provider/adapters/plugin/settingSources";
import { readSettings } from "../../../../provider/settings/readSettings";
import type { JsonObject } from "../../../../provider/values";

const baseUrl = "https://groups.example";

function sourcesOf(args: JsonObject, environment = {}, name = "eu") {
  return settingSources({ name, args: { baseUrl, ...args } }, environment);
}

describe("an API token that a program passes as a number", () => {
  for (const apiToken of [12345678901234567890, 2 ** 53, 0.1])
    it(`can't be ${apiToken}, which may arrive rounded; the error names the setting and not the value`, () => {
      const message =
        'The setting apiToken of the provider "eu" is a number that JSON can\'t carry exactly: pass it as a string. [setting-invalid]';
      assert.deepEqual(settingIssues(sourcesOf({ apiToken })), [message]);
      assert.throws(() => readSettings(sourcesOf({ apiToken })), { code: "setting-invalid", message });
    });

  it("is used if it is exact, and isn't looked at if the environment has another one", () => {
    const read = [
      sourcesOf({ apiToken: 2 ** 53 - 1 }),
      sourcesOf({ apiToken: "12345678901234567890" }),
      sourcesOf({ apiToken: 2 ** 53 }, { USER_GROUPS_EU_BASE_URL: baseUrl, USER_GROUPS_EU_API_TOKEN: "t" }),
    ].map((sources) => readSettings(sources).apiToken);
    assert.deepEqual(read, ["9007199254740991", "12345678901234567890", "t"]);
  });
});
