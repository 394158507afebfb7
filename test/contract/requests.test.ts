import assert from "node:assert/strict";
import { behavior, behaviorOfBoth, resource } from "./contract";
import { fails } from "./stackContext";

const acme = { name: "Acme", mapping: { sales: "one" }, properties: { region: "eu" } };
const isChange = /create|update|replace|delete/;

describe("contract: the address in the state", () => {
  behaviorOfBoth("has one spelling, and another service's is refused by up", async (context, declare) => {
    const { emulator, other, settings } = context;
    settings["baseUrl"] = `${emulator.baseUrl.replace("127.0.0.1", "LOCALHOST")}/`;
    await context.applies(declare({ acme }));
    const before = await context.resources();
    const recorded = emulator.baseUrl.replace("127.0.0.1", "localhost");
    assert.deepEqual(
      before.map(({ outputs }) => "baseUrl" in outputs && outputs.baseUrl),
      [recorded],
    );
    context.requests();
    settings["baseUrl"] = other.baseUrl;
    const { errors } = fails(
      await context.up(declare({ acme: { ...acme, name: "New" } })),
      /\[service-changed\]/,
    );
    for (const address of [recorded, other.baseUrl]) assert(errors.includes(address), errors);
    assert.deepEqual([context.requests(), other.requests.length], [[], 0]);
    assert.deepEqual(await context.resources(), before);
  });

  behaviorOfBoth("follows formerBaseUrl: up sends no request for it", async (context, declare) => {
    const { other, settings } = context;
    await context.applies(declare({ acme }));
    other.putGroup({ userGroupId: "acme", ...acme });
    other.rotateToken("acme", context.token("acme"));
    Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: settings["baseUrl"] });
    assert.match(JSON.stringify((await context.preview(declare({ acme }))).changes), /update/);
    await context.applies(declare({ acme }));
    assert.equal(other.requests.length, 0);
    delete settings["formerBaseUrl"];
    const { changes } = await context.preview(declare({ acme }));
    assert.doesNotMatch(JSON.stringify(changes), isChange);
  });

  behaviorOfBoth("follows formerBaseUrl: a change goes to the new service", async (context, declare) => {
    const { emulator, other, settings } = context;
    await context.applies(declare({ acme }));
    emulator.clearRequests();
    other.putGroup({ userGroupId: "acme", ...acme });
    other.rotateToken("acme", context.token("acme"));
    Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
    await context.applies(declare({ acme: { ...acme, name: "New" } }));
    assert.deepEqual(
      other.requests.map(({ method, effect }) => `${method} ${effect}`),
      ["DELETE deleted", "GET created"],
    );
    assert.deepEqual(context.requests(), []);
  });
});

describe("contract: request bodies", () => {
  behaviorOfBoth("have neither keepers nor empty values", async (context, declare) => {
    await context.applies(
      declare({ acme: { name: "Acme", mapping: {}, properties: null, keepers: { month: "1" } } }),
    );
    assert.deepEqual(context.bodies(), [{ user_group_id: "acme", name: "Acme" }]);
  });

  behavior(
    "of a lookup have all values with changes: update, so that nothing changes",
    async (context) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const args = { userGroupId: "acme", ...acme };
      await context.applies([resource("found", "userGroup", args, { isLookup: true })]);
      assert.equal((await context.group("acme"))?.token, token);
      const { name, mapping, properties } = context.emulator.groups.get("acme") ?? {};
      assert.deepEqual({ name, mapping, properties }, acme);
    },
    { existing: "update", settings: { changes: "update" } },
  );
});
