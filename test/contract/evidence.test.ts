/** Behaviors of test/engine/safety/EVIDENCE.md that belong to no operation alone. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { GroupValues } from "../../provider/src/testing";
import { changedBody, changedField } from "../harness/responseFaults";
import {
  behavior,
  behaviorOfBoth,
  declareEach,
  declareMany,
  fails,
  resource,
  succeeds,
  type Program,
} from "./contract";

const acme = { name: "Acme", mapping: { sales: "one" }, properties: { region: "eu" } };
const tenant = { name: "Tenant" };

/** Trims the name and adds a default property. */
const normalize = (values: GroupValues): GroupValues => ({
  ...values,
  name: values.name.trim(),
  properties: { plan: "basic", ...values.properties },
});

const utf16 = { "content-type": "application/json; charset=utf-16le" };
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

describe("contract: values that the service shows otherwise", () => {
  behaviorOfBoth(
    "are drift only if somebody changed them, and are repaired once",
    async (context, declare) => {
      const { emulator } = context;
      const program = declare({ acme: { ...acme, name: " Acme " }, bare: { name: "Bare" } });
      await context.applies(program);
      emulator.renameGroup("acme", "Theirs");
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic", seats: 5 } });
      succeeds(await context.refresh());
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic" } });
      succeeds(await context.refresh());
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
      succeeds(await context.refresh());
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), []);
    },
    { normalize },
  );

  behaviorOfBoth(
    "settle after one update with changes: update",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.requests();
      const program = declare({ acme: { ...acme, name: " New " } });
      await context.applies(program);
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.doesNotMatch(JSON.stringify((await context.preview(program)).changes), isChange);
      assert.equal(context.token("acme"), token);
    },
    { normalize, existing: "update", settings: { changes: "update" } },
  );

  behaviorOfBoth("as {}, null or no properties are no drift", async (context, declare) => {
    const { emulator } = context;
    const shapes = { empty: {}, null: null, absent: undefined };
    const ids = Object.keys(shapes);
    const program = declare(Object.fromEntries(ids.map((id) => [id, tenant])));
    await context.applies(program);
    for (const userGroupId of ids)
      emulator.putGroup({ userGroupId, ...tenant, properties: { region: "eu" } });
    succeeds(await context.refresh());
    assert.match(JSON.stringify((await context.preview(program)).changes), isChange);
    for (const [userGroupId, value] of Object.entries(shapes)) {
      emulator.putGroup({ userGroupId, ...tenant });
      emulator.fault({ ...changedField("user_group.properties", value), userGroupId, times: Infinity });
    }
    succeeds(await context.refresh());
    assert.doesNotMatch(JSON.stringify((await context.preview(program)).changes), isChange);
  });

  behaviorOfBoth("as an empty name are no drift", async (context, declare) => {
    const fault = changedField("user_group.name", "");
    context.emulator.fault({ ...fault, userGroupId: "acme", times: Infinity });
    await context.applies(declare({ acme }));
    succeeds(await context.refresh());
    context.requests();
    await context.applies(declare({ acme, beta: tenant }));
    assert.deepEqual(context.requests(), ["GET beta created"]);
  });
});

describe("contract: one group in several resources", () => {
  behavior("is refused in the preview, of new and existing resources", async (context) => {
    const existing = [...declareEach({ single: tenant }), ...declareMany({ "of-many": tenant })];
    await context.applies(existing);
    const one = (userGroupId: string) => resource("other", "userGroup", { userGroupId, ...tenant });
    const many = resource("others", "userGroups", { groups: { "of-many": tenant } });
    for (const [id, added] of [
      ["single", one("single")],
      ["of-many", one("of-many")],
      ["of-many", many],
    ] as const)
      fails(await context.preview([...existing, added]), new RegExp(`"${id}".*\\[declared-twice\\]`, "s"));
  });

  behavior(
    "is refused whatever the spelling of the service's address",
    async (context) => {
      const { baseUrl, apiToken } = context.emulator;
      Object.assign(context.settings, { "a.baseUrl": `${baseUrl}/`, "a.apiToken": apiToken });
      const program: Program = [...declareEach({ acme }), ...declareMany({ acme }, { connection: "a" })];
      fails(await context.preview(program), /"acme".*\[declared-twice\]/s);
    },
    { drivers: ["provider", "engine"] },
  );

  behavior("is kept when UserGroups give it to a lookup, and only that one", async (context) => {
    await context.applies(declareMany({ acme, gone: tenant }));
    const token = context.token("acme");
    context.requests();
    const { name, mapping, properties } = acme;
    const args = { userGroupId: "acme", name, mapping, properties };
    await context.applies([resource("found", "userGroup", args, { isLookup: true })]);
    assert.deepEqual(context.requests().sort(), ["DELETE gone deleted", "GET acme returned"]);
    assert.equal((await context.group("acme"))?.token, token);
    succeeds(await context.refresh());
    succeeds(await context.destroy());
    assert.deepEqual([context.token("acme"), (await context.resources()).length], [token, 0]);
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

describe("contract: responses", () => {
  for (const [encoding, fault] of [
    ["gzip", changedBody((text) => gzipSync(text), { "content-encoding": "gzip" })],
    ["UTF-16", changedBody((text) => Buffer.from(text, "utf16le"), utf16)],
  ] as const)
    behavior(`in an encoding that isn't supported are named: ${encoding}`, async (context) => {
      context.emulator.fault({ ...fault, times: Infinity });
      const { errors } = await context.up(declareEach({ acme }));
      assert.match(errors, new RegExp(`"acme".*${encoding}.*\\[response-invalid\\]`, "is"));
      assert.equal(context.requests().length, 1);
    });

  behaviorOfBoth("that refuse an ID of 100 KB print a few KB", async (context, declare) => {
    context.emulator.fault({ kind: "refuse", times: Infinity });
    const { errors } = fails(
      await context.up(declare({ ["x".repeat(100_000)]: tenant })),
      /"xxx.*\[service-refused\]/s,
    );
    assert(errors.length < 8_000, `${errors.length} characters`);
  });
});
