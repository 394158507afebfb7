import assert from "node:assert/strict";
import { userGroup } from "../../../provider/src/provider";
import { errorOf } from "../clients";
import { inWorld } from "../world";
import { acme, configure, create, remove, update } from "./oneGroup";

const none = { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" };

describe("the providers' configuration", () => {
  it(
    "is what was handed over last, and is read by each operation",
    inWorld({ env: none }, async ({ emulator }) => {
      const values: Record<string, string> = {
        "user-groups:baseUrl": emulator.baseUrl,
        "user-groups:apiToken": "before-the-rotation",
      };
      await configure(values);
      assert.equal((await errorOf(create(acme))).code, "unauthorized");
      values["user-groups:apiToken"] = emulator.apiToken;
      assert.equal((await create(acme))["adopted"], false);
      await configure({});
      assert.equal((await errorOf(create(acme))).code, "setting-missing");
    }),
  );

  it(
    "is there at once, before `configure` is awaited",
    inWorld({ env: none }, async ({ emulator }) => {
      await configure({});
      void configure({ "user-groups:baseUrl": emulator.baseUrl, "user-groups:apiToken": emulator.apiToken });
      assert.equal((await create(acme))["adopted"], false);
    }),
  );

  it(
    "gives way to the environment, as a token rotated after the last update must",
    inWorld({}, async ({ emulator }) => {
      await configure({ "user-groups:baseUrl": "https://old.example", "user-groups:apiToken": "old" });
      const recorded = { ...acme, token: String((await create(acme))["token"]), adopted: false };
      process.env["USER_GROUPS_API_TOKEN"] = emulator.rotateApiToken();
      await remove(recorded);
      assert.equal(emulator.groups.size, 0);
      assert(emulator.requests.every(({ authorised }) => authorised));
    }),
  );

  it(
    "says by `changes` what diff and update do",
    inWorld({ existing: "update" }, async ({ emulator }) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      const args = { ...acme, name: "Acme Ltd" };
      await configure({ "user-groups:changes": "update" });
      assert.deepEqual((await userGroup.diff("acme", recorded, args)).replaces, []);
      assert.deepEqual(await update(recorded, args), { ...recorded, name: "Acme Ltd" });
      await configure();
      assert.deepEqual((await userGroup.diff("acme", recorded, args)).replaces, ["name"]);
    }),
  );

  it(
    "is that of the connection which a group names, so that each token goes to its own service only",
    inWorld({}, ({ emulator: eu }) =>
      inWorld({}, async ({ emulator: us }) => {
        const ofEu = { ...acme, connection: "eu" };
        const ofUs = { ...acme, connection: "us" };
        process.env["USER_GROUPS_EU_BASE_URL"] = eu.baseUrl;
        process.env["USER_GROUPS_EU_API_TOKEN"] = eu.apiToken;
        await configure({ "user-groups:us": JSON.stringify({ baseUrl: us.baseUrl, apiToken: us.apiToken }) });
        const recorded = await create(ofEu);
        assert.deepEqual(recorded, { ...ofEu, token: eu.groups.get("acme")?.token, adopted: false });
        await create(ofUs);
        assert.equal(us.groups.size, 1);
        await remove({ ...ofEu, token: String(recorded.token), adopted: false });
        assert.deepEqual([eu.groups.size, us.groups.size], [0, 1]);
        for (const { requests } of [eu, us]) assert(requests.every(({ authorised }) => authorised));
        const { message } = await errorOf(create({ ...acme, connection: "asia" }));
        assert.match(message, /user-groups:asia\.baseUrl is missing\. .* USER_GROUPS_ASIA_BASE_URL/);
      })(),
    ),
  );
});
