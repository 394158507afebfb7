import assert from "node:assert/strict";
import fc from "fast-check";
import type { FaultKind } from "../../provider/src/testing";
import { at, keepsContract, oddAnswers } from "./answers";
import { clientOf, errorOf } from "./clients";
import { inWorld } from "./world";

const acme = { userGroupId: "acme", name: "Acme", properties: { region: "s3cret" } };

describe("client: an answer that isn't as the contract says", () => {
  const fields: [field: string, value: unknown, reason: string][] = [
    ["success", undefined, "must be 1, or 0 for a refusal"],
    ["success", "1", "must be 1, or 0 for a refusal"],
    ["success", true, "must be 1, or 0 for a refusal"],
    ["new_user_group", undefined, "must be true or false"],
    ["new_user_group", null, "must be true or false"],
    ["new_user_group", 1, "must be true or false"],
    ["user_group", undefined, "must be an object"],
    ["user_group", null, "must be an object"],
    ["user_group", ["s3cret"], "must be an object"],
    ["user_group.token", undefined, "is required"],
    ["user_group.token", null, "must be a string"],
    ["user_group.token", 7, "must be a string"],
    ["user_group.token", "", "must not be empty"],
    ["user_group.name", undefined, "must be a string"],
    ["user_group.name", { s3cret: 1 }, "must be a string"],
    ["user_group.provided_id", undefined, "must be a string"],
    ["user_group.provided_id", 7, "must be a string"],
    ["user_group.properties", "s3cret", "must be an object"],
    ["user_group.properties", ["s3cret"], "must be an object"],
  ];
  for (const [field, value, reason] of fields) {
    it(
      `is refused for ${field} ${value === undefined ? "missing" : JSON.stringify(value)}`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "field", field, value });
        const { code, message } = await errorOf(clientOf(emulator).getOrCreate(acme));
        assert.equal(code, "answer-invalid");
        assert.match(message, /^Cannot create user group "acme": /);
        assert(
          message.includes(`: the answer's ${field} ${reason} (GET ${emulator.baseUrl}/api/user)`),
          message,
        );
        assert.equal(emulator.requests.length, 1);
      }),
    );
  }

  const wholes: [what: string, fault: FaultKind, cause: string][] = [
    ["an empty body", { kind: "raw" }, "the answer is not JSON"],
    ["HTML", { kind: "notJson" }, "the answer is not JSON"],
    ["a list", { kind: "raw", body: "[1]" }, "the answer's body must be an object"],
    ["null", { kind: "raw", body: "null" }, "the answer's body must be an object"],
    ["a text", { kind: "raw", body: '"s3cret"' }, "the answer's body must be an object"],
  ];
  for (const [what, fault, cause] of wholes) {
    it(
      `is refused for ${what}`,
      inWorld({}, async ({ emulator }) => {
        const client = clientOf(emulator);
        emulator.fault({ ...fault, times: 2 });
        for (const answer of [client.getOrCreate(acme), client.deleteGroup(acme, "t")]) {
          const { code, message } = await errorOf(answer);
          assert.equal(code, "answer-invalid");
          assert(message.includes(`: ${cause} (`), message);
        }
      }),
    );
  }

  it(
    "is refused for a group other than the one asked for, even if it was lost before",
    inWorld({}, async ({ emulator }) => {
      const { token } = emulator.putGroup({ userGroupId: "globex", name: "Globex" });
      emulator.fault({ kind: "loseAnswer", when: "after" });
      emulator.fault({ kind: "wrongGroup" });
      const { code, message } = await errorOf(clientOf(emulator).getOrCreate(acme));
      assert.equal(code, "wrong-group");
      assert(!message.includes(token) && !message.includes("globex"));
    }),
  );

  it(
    "never yields a group, whatever it is",
    inWorld({ keepRequests: false }, async ({ emulator }) => {
      const client = clientOf(emulator, { timeout: 60 });
      await fc.assert(
        fc.asyncProperty(oddAnswers("acme"), async (odd) => {
          emulator.fault({ kind: "raw", body: JSON.stringify(odd) });
          const user_group = at(odd, "user_group");
          if (keepsContract(odd) && at(user_group, "provided_id") === "acme") {
            const { group, isNew } = await client.getOrCreate(acme);
            assert.equal(isNew, at(odd, "new_user_group"));
            assert.deepEqual([group.token, group.name], [at(user_group, "token"), at(user_group, "name")]);
            assert.deepEqual(group.properties ?? null, at(user_group, "properties") ?? null);
          } else {
            const { code } = await errorOf(client.getOrCreate(acme));
            const isRefusal = at(odd, "success") === 0;
            const expected = keepsContract(odd) ? "wrong-group" : "answer-invalid";
            assert.equal(code, isRefusal ? "service-refused" : expected);
          }
        }),
        { numRuns: 200 },
      );
    }),
  ).timeout("60s");
});

describe("client: an answer to a delete", () => {
  it(
    "may say more than success",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "raw", body: '{"success":1,"deleted":["acme"]}' });
      await clientOf(emulator).deleteGroup(acme, "t");
    }),
  );

  for (const success of [undefined, null, "1", true, 2, -1]) {
    it(
      `is refused for success ${success === undefined ? "missing" : JSON.stringify(success)}`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "field", field: "success", value: success });
        const { code, message } = await errorOf(clientOf(emulator, {}, "delete").deleteGroup(acme, "t"));
        assert.equal(code, "answer-invalid");
        assert.match(
          message,
          /^Cannot delete user group "acme": the answer's success must be 1, or 0 for a refusal/,
        );
      }),
    );
  }
});
