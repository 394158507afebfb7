import assert from "node:assert/strict";
import { ask, faultOf, methods } from "./exchanges";
import { inWorld } from "./world";

describe("transport: an answer", () => {
  it(
    "comes with its status and its body",
    inWorld({}, async ({ emulator }) => {
      const answer = await ask(emulator);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        success: 1,
        new_user_group: true,
        user_group: {
          team_id: 1,
          token: emulator.groups.get("acme")?.token,
          name: "Acme",
          provided_id: "acme",
        },
      });
      assert.deepEqual([answer.attempts, answer.answerLost, answer.redirectsTo], [1, false, undefined]);
    }),
  );

  for (const method of methods) {
    it(
      `of status 400, 401, 403, 404 or 410 to ${method} is final`,
      inWorld({}, async ({ emulator }) => {
        for (const status of [400, 401, 403, 404, 410]) {
          emulator.fault({ kind: "status", status, body: '{"reason":"r"}' });
          const answer = await ask(emulator, { method });
          assert.deepEqual([answer.status, answer.body, answer.attempts], [status, { reason: "r" }, 1]);
        }
        assert.equal(emulator.requests.length, 5);
      }),
    );

    it(
      `to ${method} that is the last word is final whatever its status`,
      inWorld({}, async ({ emulator }) => {
        for (const status of [408, 500, 503]) {
          emulator.fault({ kind: "status", status, success0: true, retryAfter: 0 });
          const asked: unknown[] = [];
          const isLastWord = (body: unknown) => asked.push(body) > 0;
          const answer = await ask(emulator, { method, isLastWord });
          assert.deepEqual([answer.status, answer.body, answer.attempts], [status, { success: 0 }, 1]);
          assert.deepEqual(asked, [{ success: 0 }]);
        }
        assert.equal(emulator.requests.length, 3);
      }),
    );

    it(
      `of status 429 to ${method} is never the last word`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "status", status: 429, success0: true });
        const { attempts, answerLost } = await ask(emulator, { method, isLastWord: () => true });
        assert.deepEqual([attempts, answerLost], [2, false]);
        assert.equal(emulator.requests.length, 2);
      }),
    );

    it(
      `that redirects ${method} is not followed`,
      inWorld({}, async ({ emulator }) =>
        inWorld({}, async ({ emulator: other }) => {
          for (const status of [301, 302, 303, 307, 308]) {
            emulator.fault({ kind: "redirect", status, location: `${other.baseUrl}/api/user?key=s3cret` });
            const answer = await ask(emulator, { method });
            assert.deepEqual(
              [answer.status, answer.redirectsTo, answer.attempts],
              [status, other.baseUrl, 1],
            );
          }
          assert.equal(emulator.requests.length, 5);
          assert.equal(other.connections, 0);
        })(),
      ),
    );

    it(
      `of more than 1 MiB to ${method} is refused, and not asked for again`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "huge", bytes: 1024 * 1024 + 1, method });
        const { fault, attempts } = await faultOf(ask(emulator, { method }));
        assert.deepEqual([fault.failure, attempts], ["too-large", 1]);
        assert.equal(fault.mayHaveBeenCarriedOut, true);
        assert.equal(emulator.requests.length, 1);
      }),
    );

    it(
      `of 1 MiB to ${method} is read`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "huge", bytes: 1024 * 1024 });
        assert.equal((await ask(emulator, { method })).status, 200);
      }),
    );

    for (const [what, body] of notJson()) {
      it(
        `to ${method} that is ${what} has no body, and is final`,
        inWorld({}, async ({ emulator }) => {
          emulator.fault({ kind: "raw", body });
          const answer = await ask(emulator, { method });
          assert.deepEqual([answer.status, answer.body, answer.attempts], [200, undefined, 1]);
        }),
      );
    }

    it(
      `to ${method} may begin with a byte-order mark`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "raw", body: (answer) => `\uFEFF${answer}` });
        const { body } = await ask(emulator, { method });
        assert(typeof body === "object" && body !== null && "success" in body);
      }),
    );
  }
});

function notJson(): [what: string, body: string][] {
  return [
    ["empty", ""],
    ["HTML", "<!doctype html><title>Welcome</title>"],
    ["half a list", '[{"success":1'],
  ];
}
