import assert from "node:assert/strict";
import fc from "fast-check";
import { newGroupClient, type GroupClient } from "../../../provider/src/service/client";
import type { Settings } from "../../../provider/src/settings/readSettings";
import type { FaultKind } from "../../../provider/src/testing";
import { bodiesOf, effectsOf, failureOf, inContext, type Context } from "../../harness/providers";
import { anyResponses, at, keepsContract } from "./responses";
import { changedBody, changedField, otherGroup } from "../../harness/responseFaults";

const acme = {
  userGroupId: "acme",
  name: "Acme",
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "s3cret", nested: { none: null } },
};

function clientOf(
  { emulator: { baseUrl, apiToken }, clock }: Context,
  settings: Partial<Settings> = {},
  operation: "create" | "delete" = "create",
): GroupClient {
  const defaults = { baseUrl, apiToken, timeout: 60, maxConnections: 16, changes: "replace" } as const;
  const signal = new AbortController().signal;
  return newGroupClient(
    { settings: { ...defaults, ...settings }, clock, signal },
    { operation, userGroupId: "acme" },
  );
}

describe("the client's get-or-create", () => {
  it(
    "sends the group and the API token, and returns the new group",
    inContext({}, async (context) => {
      const { emulator } = context;
      const result = await clientOf(context).getOrCreate(acme);
      const { userGroupId: user_group_id, name, mapping, properties } = acme;
      assert.deepEqual(bodiesOf(emulator), [
        { method: "GET", body: { user_group_id, name, mapping, properties } },
      ]);
      const [{ path, authorized } = assert.fail("nothing was received")] = emulator.requests;
      assert.deepEqual([path, authorized], ["/api/user", true]);
      const token = emulator.groups.get("acme")?.token;
      assert.deepEqual(result, { group: { token, name, properties }, isNew: true, isPossiblyApplied: false });
    }),
  );

  for (const emptyProperties of ["absent", "null"] as const)
    it(
      `returns no properties if they are ${emptyProperties}`,
      inContext({ emptyProperties }, async (context) => {
        const { token } = context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
        const { group, isNew } = await clientOf(context).getOrCreate(acme);
        assert.deepEqual([group, isNew], [{ token, name: "Theirs", properties: undefined }, false]);
      }),
    );

  it(
    "says that an earlier attempt may have created the group",
    inContext({}, async (context) => {
      context.emulator.fault({ kind: "drop", when: "after" });
      const { isNew, isPossiblyApplied } = await clientOf(context).getOrCreate(acme);
      assert.deepEqual([isNew, isPossiblyApplied], [false, true]);
    }),
  );

  it(
    "never returns another group, and names nothing of it",
    inContext({}, async (context) => {
      const { emulator } = context;
      const { token } = emulator.putGroup({ userGroupId: "globex", name: "Globex" });
      emulator.fault({ kind: "drop", when: "after" });
      emulator.fault(otherGroup(emulator));
      const { code, message } = await failureOf(clientOf(context).getOrCreate(acme));
      assert.equal(code, "wrong-group");
      assert(!message.includes(token) && !message.includes("globex"));
    }),
  );

  it(
    "returns a group if the response keeps the contract, and only then",
    inContext({ keepRequests: false }, async (context) => {
      const client = clientOf(context);
      await fc.assert(
        fc.asyncProperty(anyResponses("acme"), async (any) => {
          context.emulator.fault(changedBody(JSON.stringify(any)));
          const user_group = at(any, "user_group");
          if (keepsContract(any) && at(user_group, "provided_id") === "acme") {
            const { group, isNew } = await client.getOrCreate(acme);
            assert.equal(isNew, at(any, "new_user_group"));
            assert.deepEqual([group.token, group.name], [at(user_group, "token"), at(user_group, "name")]);
            assert.deepEqual(group.properties ?? null, at(user_group, "properties") ?? null);
          } else {
            const { code } = await failureOf(client.getOrCreate(acme));
            const expected = keepsContract(any) ? "wrong-group" : "response-invalid";
            assert.equal(code, at(any, "success") === 0 ? "service-refused" : expected);
          }
        }),
        { numRuns: 200 },
      );
    }),
  ).timeout("60s");
});

describe("the client's delete", () => {
  it(
    "sends what the contract says, and accepts a response that has more than success",
    inContext({}, async (context) => {
      const { emulator } = context;
      const { token } = emulator.putGroup(acme);
      emulator.fault(changedBody('{"success":1,"deleted":["acme"]}'));
      await clientOf(context).delete({ ...acme, token, dataSourceProvidedId: "warehouse" });
      const body = { user_group_id: "acme", current_token: token, data_source_provided_id: "warehouse" };
      assert.deepEqual(bodiesOf(emulator), [{ method: "DELETE", body }]);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "fails if the service refuses, and isn't sent again",
    inContext({}, async (context) => {
      context.emulator.putGroup(acme);
      const { code } = await failureOf(clientOf(context, {}, "delete").delete({ ...acme, token: "stale" }));
      assert.equal(code, "service-refused");
      assert.deepEqual(effectsOf(context.emulator), ["DELETE acme refused"]);
    }),
  );
});

describe("the client", () => {
  const invalid: [what: string, fault: FaultKind, cause: string][] = [
    ["an empty body", changedBody(""), "the response body is not JSON"],
    ["a list", changedBody("[1]"), "the response's body must be an object"],
    ["null", changedBody("null"), "the response's body must be an object"],
    ["a string", changedBody('"s3cret"'), "the response's body must be an object"],
    ["no success", changedField("success"), "the response's success must be 1, or 0 for a refusal"],
    ["compression", changedBody("", { "content-encoding": "br" }), "the response body is compressed ("],
  ];
  for (const [what, fault, cause] of invalid)
    it(
      `refuses a response with ${what}, to both operations`,
      inContext({}, async (context) => {
        context.emulator.fault({ ...fault, times: 2 });
        const client = clientOf(context);
        for (const response of [client.getOrCreate(acme), client.delete({ ...acme, token: "t" })]) {
          const { code, message } = await failureOf(response);
          assert.equal(code, "response-invalid");
          assert(message.startsWith(`Cannot create user group "acme": ${cause}`), message);
          assert(!message.includes("s3cret"), message);
        }
      }),
    );

  it(
    "appends the path of the contract to a base URL with a path",
    inContext({ basePath: "/tenant/with%20space" }, async (context) => {
      const { group } = await clientOf(context).getOrCreate(acme);
      await clientOf(context).delete({ ...acme, token: group.token });
      const paths = context.emulator.requests.map(({ path, effect }) => `${path} ${effect}`);
      assert.deepEqual(paths, [
        "/tenant/with%20space/api/user created",
        "/tenant/with%20space/api/user deleted",
      ]);
    }),
  );

  it(
    "has one time budget for all requests of an operation",
    inContext({}, async (context) => {
      const { emulator, clock } = context;
      const client = clientOf(context, { timeout: 10 });
      emulator.fault({ kind: "status", status: 503, retryAfter: 9 });
      await client.getOrCreate(acme);
      emulator.fault({ kind: "status", status: 503, retryAfter: 2 });
      assert.equal((await failureOf(client.getOrCreate(acme))).code, "unexpected-status");
      assert.deepEqual(clock.pauses, [9000]);
    }),
  );
});
