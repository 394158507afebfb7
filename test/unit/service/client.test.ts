import assert from "node:assert/strict";
import fc from "fast-check";
import { newGroupClient, type GroupClient } from "../../../provider/src/service/client";
import type { Emulator, FaultKind } from "../../../provider/src/testing";
import { instantClock } from "../../harness/clock";
import { emulatorTest } from "../../harness/emulatorTest";
import { failureOf } from "../../harness/providers";
import { changedBody, changedField } from "../../harness/responseFaults";

const acme = { userGroupId: "acme", name: "Acme", properties: { region: "s3cret" } };

function clientOf(
  { baseUrl, apiToken }: Emulator,
  { timeout = 60, clock = instantClock() } = {},
): GroupClient {
  const settings = { baseUrl, apiToken, timeout, maxConnections: 16, changes: "replace" } as const;
  const context = {
    settings,
    clock,
    signal: new AbortController().signal,
    logger: { info: () => undefined },
    retryCauses: new Set<string>(),
  };
  return newGroupClient(context, { operation: "create", userGroupId: "acme" });
}

describe("the client", () => {
  emulatorTest(
    "returns a group only if the response keeps the contract",
    { keepRequests: false },
    async (emulator) => {
      const client = clientOf(emulator);
      let valid = 0;
      const property = fc.asyncProperty(anyResponses("acme"), async (any) => {
        emulator.fault(changedBody(JSON.stringify(any)));
        const user_group = at(any, "user_group");
        if (keepsContract(any) && at(user_group, "provided_id") === "acme") {
          const result = await client.getOrCreate(acme);
          const [token, name] = [at(user_group, "token"), at(user_group, "name")];
          const group = { token, name, properties: at(user_group, "properties") ?? {} };
          assert.deepEqual(result, { group, isNew: at(any, "new_user_group"), isPossiblyApplied: false });
          valid += 1;
        } else {
          const { code } = await failureOf(client.getOrCreate(acme));
          const expected = keepsContract(any) ? "wrong-group" : "response-invalid";
          assert.equal(code, at(any, "success") === 0 ? "service-refused" : expected);
        }
      });
      await fc.assert(property, { numRuns: 500 });
      assert(valid > 50 && valid < 450, `${valid} of 500 were valid`);
    },
  ).timeout("60s");

  const invalid: [what: string, fault: FaultKind, cause: string][] = [
    ["an empty body", changedBody(""), "the response body is not JSON"],
    ["a list", changedBody("[1]"), "the response's body must be an object"],
    ["null", changedBody("null"), "the response's body must be an object"],
    ["a string", changedBody('"s3cret"'), "the response's body must be an object"],
    ["no success", changedField("success"), "the response's success must be 1, or 0 for a refusal"],
    ["compression", changedBody("", { "content-encoding": "br" }), "the response body is compressed ("],
  ];
  for (const [what, fault, cause] of invalid)
    emulatorTest(`refuses a response with ${what}, to both operations`, {}, async (emulator) => {
      emulator.fault({ ...fault, times: 2 });
      const client = clientOf(emulator);
      for (const response of [client.getOrCreate(acme), client.delete({ ...acme, token: "t" })]) {
        const { code, message } = await failureOf(response);
        assert.equal(code, "response-invalid");
        assert(message.startsWith(`Cannot create user group "acme": ${cause}`), message);
        assert(!message.includes("s3cret"), message);
      }
    });

  const basePath = "/tenant/with%20space";
  emulatorTest("appends the contract's path to a base URL with a path", { basePath }, async (emulator) => {
    const { group } = await clientOf(emulator).getOrCreate(acme);
    await clientOf(emulator).delete({ ...acme, token: group.token });
    const paths = emulator.requests.map(({ path, effect }) => `${path} ${effect}`);
    assert.deepEqual(paths, [`${basePath}/api/user created`, `${basePath}/api/user deleted`]);
  });

  emulatorTest("has one time budget for all requests of an operation", {}, async (emulator) => {
    const clock = instantClock();
    const client = clientOf(emulator, { timeout: 10, clock });
    emulator.fault({ kind: "status", status: 503, retryAfter: 9 });
    await client.getOrCreate(acme);
    emulator.fault({ kind: "status", status: 503, retryAfter: 2 });
    assert.equal((await failureOf(client.getOrCreate(acme))).code, "unexpected-status");
    assert.deepEqual(clock.pauses, [9000]);
  });
});

/** Responses to get-or-create, of which any part may be missing or invalid; nearly half are valid. */
function anyResponses(userGroupId: string): fc.Arbitrary<unknown> {
  const group = fc.record({
    token: field(["t", "token-2"], ["", null, 7]),
    name: field(["Acme", ""], [null, 7]),
    provided_id: field([userGroupId], [`${userGroupId} `, "", "other", null]),
    properties: field([undefined, null, {}, { region: "eu", nested: [{ none: null }] }], ["{}", [], true]),
    team_id: field([1, undefined, "1"], [{}]),
  });
  const response = fc.record({
    success: field([1], [0, true, "1", 2]),
    new_user_group: field([true, false], ["true", 1, null]),
    user_group: fc.oneof(
      { weight: 12, arbitrary: group },
      group.map((one) => [one]),
      fc.jsonValue(),
    ),
    extra: fc.jsonValue(),
  });
  return response.map((any): unknown => JSON.parse(JSON.stringify(any)));
}

/** Whether a response to get-or-create is as the interface says. */
function keepsContract(response: unknown): boolean {
  const group = at(response, "user_group");
  const properties = at(group, "properties") ?? {};
  const token = at(group, "token");
  return (
    at(response, "success") === 1 &&
    typeof at(response, "new_user_group") === "boolean" &&
    typeof token === "string" &&
    token !== "" &&
    typeof at(group, "name") === "string" &&
    typeof at(group, "provided_id") === "string" &&
    typeof properties === "object" &&
    !Array.isArray(properties)
  );
}

/** A property of an object; undefined of anything else. */
function at(value: unknown, key: string): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Reflect.get(value, key) : undefined;
}

function field(valid: unknown[], invalid: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    fc.constantFrom(undefined, ...invalid),
    fc.jsonValue(),
  );
}
