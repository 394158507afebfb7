import assert from "node:assert/strict";
import { bodiesOf, effectsOf, failureOf, inContext } from "../../harness/providers";
import { acme, acmeSent, itInEveryService } from "./everyService";
import { htmlPage } from "../../harness/responseFaults";

const args = { ...acme, dataSourceProvidedId: "warehouse" };

describe("UserGroup, delete", () => {
  for (const state of [args, acme])
    it(
      `sends ID and token${"dataSourceProvidedId" in state ? ", and the data source" : ""}`,
      inContext({}, async ({ emulator, lines, userGroup }) => {
        const { token } = emulator.putGroup(acme);
        emulator.putGroup({ userGroupId: "globex", name: "Globex" });
        await userGroup.delete({ ...state, token, adopted: false });
        assert.deepEqual([...emulator.groups.keys()], ["globex"]);
        const ids = { user_group_id: "acme", current_token: token };
        const body = state === args ? { ...ids, data_source_provided_id: "warehouse" } : ids;
        assert.deepEqual(bodiesOf(emulator), [{ method: "DELETE", body }]);
        assert.deepEqual(lines, []);
      }),
    );

  for (const deleteNeeds of [
    [],
    ["user_group_id"],
    ["current_token"],
    ["current_token", "user_group_id"],
    ["current_token", "data_source_provided_id"],
    ["current_token", "user_group_id", "data_source_provided_id"],
  ] as const)
    it(
      `deletes if the service needs ${deleteNeeds.join(", ") || "nothing"}`,
      inContext({ deleteNeeds }, async ({ emulator, userGroup }) => {
        await userGroup.delete({ ...args, token: emulator.putGroup(acme).token, adopted: false });
        assert.deepEqual(effectsOf(emulator), ["DELETE acme deleted"]);
      }),
    );

  itInEveryService("fails if the service refuses and has the group", {}, async ({ emulator, userGroup }) => {
    const state = await userGroup.create(args);
    const { token } = emulator.rotateToken("acme");
    emulator.clearRequests();
    const { code, message } = await failureOf(userGroup.delete(state));
    assert.equal(code, "service-refused");
    assert.match(
      message,
      /^Cannot delete user group "acme": the service refused \(success 0\) .*run pulumi refresh .*or pulumi destroy --refresh\./,
    );
    assert.equal(emulator.requests.length, 2);
    assert.equal(emulator.groups.get("acme")?.token, token);
  });

  it(
    "asks nothing after other failures",
    inContext({}, async ({ emulator, userGroup }) => {
      const state = await userGroup.create(args);
      emulator.clearRequests();
      for (const [status, code] of [
        [401, "unauthorized"],
        [403, "unauthorized"],
        [418, "unexpected-status"],
      ] as const) {
        emulator.fault({ kind: "status", status });
        assert.equal((await failureOf(userGroup.delete(state))).code, code);
      }
      emulator.fault(htmlPage("before"));
      assert.equal((await failureOf(userGroup.delete(state))).code, "response-invalid");
      assert.deepEqual([emulator.requests.length, emulator.groups.size], [4, 1]);
    }),
  );

  it(
    "reports the refusal if the group can't be looked up then",
    inContext({}, async ({ emulator, userGroup }) => {
      emulator.putGroup(acme);
      emulator.fault({ kind: "status", status: 418, method: "GET" });
      const { message } = await failureOf(userGroup.delete({ ...args, token: "stale" }));
      assert.match(message, /the service refused \(success 0\) \(status 200 to DELETE /);
    }),
  );

  it(
    "fails without a request on an invalid state",
    inContext({}, async ({ emulator, userGroup }) => {
      assert.equal((await failureOf(userGroup.delete(args))).code, "state-invalid");
      assert.equal(emulator.connections, 0);
    }),
  );
});

describe("UserGroup, delete: of a group that may be gone", () => {
  itInEveryService(
    "creates it by the lookup, and deletes that",
    {},
    async ({ emulator, lines, userGroup }) => {
      const drifted = { ...args, name: "Theirs", sent: { name: "Acme" }, token: "gone", adopted: false };
      await userGroup.delete(drifted);
      assert.deepEqual(effectsOf(emulator), [
        "DELETE acme refused",
        "GET acme created",
        "DELETE acme deleted",
      ]);
      assert.equal(emulator.groups.size, 0);
      const [first, lookup, second] = bodiesOf(emulator);
      assert.deepEqual(lookup, { method: "GET", body: acmeSent });
      assert.notDeepEqual(first, second);
      assert.deepEqual(lines, []);
    },
  );

  for (const [when, effects] of [
    ["after", ["DELETE acme deleted", "DELETE acme refused", "GET acme created", "DELETE acme deleted"]],
    ["before", ["DELETE acme none", "DELETE acme deleted"]],
  ] as const)
    it(
      `ends well if the connection broke ${when} the effect`,
      inContext({}, async ({ emulator, userGroup }) => {
        const { token } = emulator.putGroup(acme);
        emulator.fault({ kind: "drop", when });
        await userGroup.delete({ ...args, token });
        assert.deepEqual(effectsOf(emulator), effects);
        assert.equal(emulator.groups.size, 0);
      }),
    );

  it(
    "takes 404 for gone only if the lookup creates the group",
    inContext({}, async ({ emulator, userGroup }) => {
      emulator.fault({ kind: "status", status: 404 });
      await userGroup.delete({ ...args, token: "gone" });
      assert.equal(emulator.groups.size, 0);
      const { token } = emulator.putGroup(acme);
      emulator.fault({ kind: "status", status: 404 });
      assert.equal((await failureOf(userGroup.delete({ ...args, token }))).code, "not-found");
      assert.equal(emulator.groups.get("acme")?.token, token);
    }),
  );

  it(
    "fails if the deletion of what the lookup created fails, too",
    inContext({}, async ({ emulator, userGroup }) => {
      emulator.fault({ kind: "refuse", method: "DELETE", times: 2 });
      assert.equal((await failureOf(userGroup.delete({ ...args, token: "gone" }))).code, "service-refused");
      assert.equal(emulator.requests.length, 3);
    }),
  );
});

describe("UserGroup, delete: in a deployment", () => {
  const kept =
    /^warning: user group "acme" is kept with its token, because another resource of this program uses it/;

  it(
    "keeps a group that another resource holds, in this deployment or since an earlier one",
    inContext({}, async ({ emulator, lines, userGroup, deploy }) => {
      const former = await userGroup.create(acme);
      const { userGroup: second } = deploy();
      await second.check(acme, {}, "new");
      const state = await second.create(acme);
      const { userGroup: third } = deploy();
      await third.check(acme, acme, "new");
      await third.diff(state, acme);
      emulator.clearRequests();
      for (const next of [second, third]) {
        lines.length = 0;
        await next.delete(former);
        assert.match(lines[0] ?? "", kept);
      }
      assert.deepEqual(emulator.requests, []);
    }),
  );

  it(
    "fails if the group is kept and the service may have this state's mapping, and not the holder's",
    inContext({}, async ({ emulator, userGroup, deploy }) => {
      const former = await userGroup.create(acme);
      const { userGroup: next } = deploy();
      const args = { ...acme, mapping: { sales: "lake" } };
      await next.check(args, {}, "new");
      await next.create(args);
      for (let count = 0; count < 2; count += 1) {
        const { code, message } = await failureOf(next.delete(former));
        assert.equal(code, "mapping-conflict");
        assert.match(message, /^Cannot delete user group "acme": another resource of this program has it /);
      }
      assert.equal(emulator.groups.size, 1);
    }),
  );

  for (const change of [{}, { name: "Acme Ltd" }])
    it(
      `deletes a group that is replaced ${"name" in change ? "by a change" : "on demand"}`,
      inContext({}, async ({ emulator, userGroup, deploy }) => {
        const state = await userGroup.create(acme);
        const { userGroup: next } = deploy();
        const args = { ...acme, ...change };
        await next.check(args, acme, "one");
        await next.diff(state, args);
        await next.check(args, {}, "one");
        await next.delete(state);
        assert.equal(emulator.groups.size, 0);
        assert.equal((await next.create(args))["adopted"], false);
      }),
    );

  it(
    "deletes a group that is replaced with whatever token it has, because a killed run may have created it already",
    inContext({}, async ({ emulator, userGroup, deploy }) => {
      const state = await userGroup.create(acme);
      emulator.rotateToken("acme");
      const { userGroup: next } = deploy();
      const args = { ...acme, name: "Acme Ltd" };
      await next.check(args, acme, "one");
      await next.diff(state, args);
      emulator.clearRequests();
      await next.delete(state);
      assert.deepEqual(effectsOf(emulator), [
        "DELETE acme refused",
        "GET acme returned",
        "DELETE acme deleted",
      ]);
    }),
  );

  it(
    "deletes a group that only a refresh has compared, others, and the same ID in another service",
    inContext({}, async ({ emulator, environment, userGroup, deploy }) =>
      inContext({}, async ({ emulator: eu }) => {
        environment["USER_GROUPS_EU_BASE_URL"] = eu.baseUrl;
        environment["USER_GROUPS_EU_API_TOKEN"] = eu.apiToken;
        const globex = await userGroup.create({ userGroupId: "globex", name: "Globex" });
        const ours = await userGroup.create(acme);
        const refresh = deploy().userGroup;
        await refresh.diff(ours, acme);
        await refresh.delete(ours);
        const again = await userGroup.create(acme);
        const next = deploy().userGroup;
        await next.check({ ...acme, connection: "eu" }, acme, "one");
        await next.create({ ...acme, connection: "eu" });
        for (const state of [again, globex]) await next.delete(state);
        assert.deepEqual([emulator.groups.size, [...eu.groups.keys()]], [0, ["acme"]]);
      })(),
    ),
  );
});
