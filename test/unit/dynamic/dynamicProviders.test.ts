import assert from "node:assert/strict";
import { failureOf, inContext } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 1 }, properties: { region: "eu" } };
const none = { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" };

describe("the configuration of the dynamic providers", () => {
  it(
    "is what was passed last, at once, to either provider, and is read by each operation",
    inContext({ env: none }, async ({ emulator, userGroup, userGroups }) => {
      const values: Record<string, string> = {
        "user-groups:baseUrl": emulator.baseUrl,
        "user-groups:apiToken": "before-the-rotation",
      };
      const config = { get: (key: string) => values[key], require: (key: string) => values[key] ?? "" };
      void userGroups.provider.configure({ config });
      assert.equal((await failureOf(userGroup.create(acme))).code, "unauthorized");
      values["user-groups:apiToken"] = emulator.apiToken;
      assert.equal((await userGroup.create(acme))["adopted"], false);
      void userGroup.provider.configure({ config: { ...config, get: () => undefined } });
      assert.equal((await failureOf(userGroup.create(acme))).code, "setting-missing");
    }),
  );

  it(
    "is overridden by the environment, as a token that was rotated after the last update must",
    inContext({}, async ({ emulator, environment, userGroup, configure, deploy }) => {
      configure({ "user-groups:baseUrl": "https://old.example", "user-groups:apiToken": "old" });
      const state = await userGroup.create(acme);
      environment["USER_GROUPS_API_TOKEN"] = emulator.rotateApiToken();
      await deploy().userGroup.delete(state);
      assert.equal(emulator.groups.size, 0);
      assert(emulator.requests.every(({ authorized }) => authorized));
    }),
  );

  it(
    "is that of the group's connection, so that each API token goes to its own service only",
    inContext({}, ({ emulator: eu, environment, userGroup, configure, deploy }) =>
      inContext({}, async ({ emulator: us }) => {
        environment["USER_GROUPS_EU_BASE_URL"] = eu.baseUrl;
        environment["USER_GROUPS_EU_API_TOKEN"] = eu.apiToken;
        configure({ "user-groups:us": JSON.stringify({ baseUrl: us.baseUrl, apiToken: us.apiToken }) });
        const ofEu = await userGroup.create({ ...acme, connection: "eu" });
        await userGroup.create({ ...acme, connection: "us" });
        assert.equal(us.groups.size, 1);
        await deploy().userGroup.delete(ofEu);
        assert.deepEqual([eu.groups.size, us.groups.size], [0, 1]);
        for (const { requests } of [eu, us]) assert(requests.every(({ authorized }) => authorized));
        const { message } = await failureOf(userGroup.create({ ...acme, connection: "asia" }));
        assert.match(message, /user-groups:asia\.baseUrl is missing\. .* USER_GROUPS_ASIA_BASE_URL/);
      })(),
    ),
  );
});

describe("two deployments", () => {
  it(
    "share nothing: a group that one declares is deleted by the other",
    inContext({}, async ({ emulator, userGroup, deploy }) => {
      await userGroup.check(acme, {}, "one");
      const state = await userGroup.create(acme);
      await deploy().userGroup.delete(state);
      assert.equal(emulator.groups.size, 0);
    }),
  );
});
