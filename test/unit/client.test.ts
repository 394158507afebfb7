import assert from "node:assert/strict";
import { clientOf, errorOf } from "./clients";
import { bodies, inWorld } from "./world";

const acme = {
  userGroupId: "acme",
  name: "Acme",
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "eu", nested: { none: null } },
  dataSourceProvidedId: "warehouse",
};

describe("client: get-or-create", () => {
  it(
    "sends the group in the service's words, and not what is for DELETE only",
    inWorld({}, async ({ emulator }) => {
      await clientOf(emulator).getOrCreate(acme);
      const { userGroupId: user_group_id, name, mapping, properties } = acme;
      assert.deepEqual(bodies(emulator), [
        { method: "GET", body: { user_group_id, name, mapping, properties } },
      ]);
      const [request] = emulator.requests;
      assert.deepEqual([request?.path, request?.authorised], ["/api/user", true]);
    }),
  );

  it(
    "sends nothing for what the group doesn't have",
    inWorld({}, async ({ emulator }) => {
      await clientOf(emulator).getOrCreate({ userGroupId: "acme", name: "Acme" });
      assert.deepEqual(bodies(emulator), [{ method: "GET", body: { user_group_id: "acme", name: "Acme" } }]);
    }),
  );

  for (const emptyProperties of ["absent", "null"] as const) {
    it(
      `gives what the service shows, where properties are ${emptyProperties}`,
      inWorld({ emptyProperties }, async ({ emulator }) => {
        const client = clientOf(emulator);
        const group = { userGroupId: "acme", name: "Acme" };
        for (const isNew of [true, false]) {
          const got = await client.getOrCreate(group);
          const shown = { token: emulator.groups.get("acme")?.token, name: "Acme", properties: undefined };
          assert.deepEqual(got, { group: shown, isNew, answerLost: false });
        }
      }),
    );
  }

  it(
    "gives the values of a group that is there",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup({
        userGroupId: "acme",
        name: "Theirs",
        properties: { region: "us" },
      });
      const { group, isNew } = await clientOf(emulator).getOrCreate(acme);
      assert.deepEqual(group, { token, name: "Theirs", properties: { region: "us" } });
      assert.equal(isNew, false);
    }),
  );

  it(
    "says that the answer of an earlier attempt was lost",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "loseAnswer", when: "after" });
      const { isNew, answerLost } = await clientOf(emulator).getOrCreate(acme);
      assert.deepEqual([isNew, answerLost], [false, true]);
    }),
  );
});

describe("client: delete", () => {
  it(
    "sends ID and token, and the data source where there is one",
    inWorld({}, async ({ emulator }) => {
      const client = clientOf(emulator);
      const ids = { user_group_id: "acme", current_token: emulator.putGroup(acme).token };
      await client.deleteGroup(acme, ids.current_token);
      assert.equal(emulator.groups.size, 0);
      const others = { user_group_id: "acme", current_token: emulator.putGroup(acme).token };
      await client.deleteGroup({ userGroupId: "acme", name: "Acme" }, others.current_token);
      assert.equal(emulator.groups.size, 0);
      assert.deepEqual(bodies(emulator), [
        { method: "DELETE", body: { ...ids, data_source_provided_id: "warehouse" } },
        { method: "DELETE", body: others },
      ]);
    }),
  );

  it(
    "fails where the service refuses, and is not sent again",
    inWorld({}, async ({ emulator }) => {
      emulator.putGroup(acme);
      const { code } = await errorOf(clientOf(emulator, {}, "delete").deleteGroup(acme, "stale"));
      assert.equal(code, "service-refused");
      assert.equal(emulator.requests.length, 1);
      assert.equal(emulator.groups.size, 1);
    }),
  );
});

describe("client: base URL", () => {
  for (const [basePath, rest] of [
    ["", ""],
    ["", "/"],
    ["/tenant/v1", ""],
    ["/tenant/v1", "/"],
    ["/tenant/v1", "//"],
    ["/with%20space", ""],
  ] as const) {
    it(
      `may end in ${JSON.stringify(basePath + rest)}`,
      inWorld({ basePath }, async ({ emulator }) => {
        const client = clientOf(emulator, { baseUrl: new URL(emulator.baseUrl + rest) });
        const { group } = await client.getOrCreate(acme);
        await client.deleteGroup(acme, group.token);
        const paths = emulator.requests.map(({ path, effect }) => `${path} ${effect}`);
        assert.deepEqual(paths, [`${basePath}/api/user created`, `${basePath}/api/user deleted`]);
      }),
    );
  }
});

describe("client", () => {
  it("has one address for a group of a service, and another for that of another", () => {
    const [one, other] = ["https://one.example", "https://other.example"].map((baseUrl) =>
      clientOf({ baseUrl, apiToken: "t0ken" }),
    );
    assert.equal(clientOf({ baseUrl: "https://one.example/", apiToken: "rotated" }).address, one?.address);
    assert.notEqual(one?.address, other?.address);
  });

  it(
    "has one deadline for all requests of an operation",
    inWorld({}, async ({ emulator }) => {
      const client = clientOf(emulator, { timeout: 60 });
      await client.getOrCreate(acme);
      emulator.fault({ kind: "hang", times: Infinity });
      const now = performance.now() + 60_000;
      performance.now = () => now;
      try {
        assert.equal((await errorOf(client.getOrCreate(acme))).code, "timed-out");
      } finally {
        Reflect.deleteProperty(performance, "now");
      }
    }),
  );
});
