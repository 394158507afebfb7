import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FaultKind } from "../../provider/src/testing";
import { ask, faultOf, FixedDeadline, methods } from "./exchanges";
import { inWorld } from "./world";

describe("transport: after a passing fault", () => {
  const passing: [what: string, fault: FaultKind, answerLost: boolean][] = [
    ["status 408", { kind: "status", status: 408 }, true],
    ["status 429", { kind: "status", status: 429 }, false],
    ["status 500", { kind: "status", status: 500 }, true],
    ["status 502 with HTML", { kind: "status", status: 502, body: "<html>", contentType: "text/html" }, true],
    ["status 503 after the effect", { kind: "status", status: 503, when: "after" }, true],
    ["status 599", { kind: "status", status: 599 }, true],
    ["a connection closed before the effect", { kind: "loseAnswer", when: "before" }, true],
    ["a connection closed after the effect", { kind: "loseAnswer", when: "after" }, true],
    ["an answer cut off", { kind: "cutOff" }, true],
    ["an answer that says it is whole and isn't", { kind: "raw", body: '{"success":1,"user_gr' }, true],
    ["a pause that the service asks for", { kind: "status", status: 503, retryAfter: 0 }, true],
  ];
  for (const method of methods) {
    for (const [what, fault, answerLost] of passing) {
      it(
        `${what}, ${method} is sent again`,
        inWorld({}, async ({ emulator }) => {
          emulator.fault(fault);
          const answer = await ask(emulator, { method });
          assert.deepEqual([answer.status, answer.attempts, answer.answerLost], [200, 2, answerLost]);
          assert.deepEqual(
            emulator.requests.map((request) => request.method),
            [method, method],
          );
          assert.deepEqual(emulator.requests[0]?.body, emulator.requests[1]?.body);
        }),
      );
    }
  }

  it(
    "a request is sent again until an answer is final",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "status", status: 503, times: 5 });
      emulator.fault({ kind: "status", status: 404, times: 2 });
      const { status, attempts } = await ask(emulator);
      assert.deepEqual([status, attempts], [404, 6]);
      assert.equal(emulator.requests.length, 6);
    }),
  );

  it(
    "an answer that was lost stays lost",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "loseAnswer", when: "after" });
      emulator.fault({ kind: "status", status: 429 });
      assert.equal((await ask(emulator)).answerLost, true);
    }),
  );

  it(
    "a refused connection is tried again, and nothing of it can have been carried out",
    inWorld({}, async ({ emulator }) => {
      const url = `http://127.0.0.1:${String(await closedPort())}/api/user`;
      Math.random = () => 0.999;
      const deadline = new FixedDeadline({ rests: [1000, 100] });
      const { fault, attempts } = await faultOf(ask(emulator, { url, deadline }));
      assert.deepEqual([fault.failure, fault.mayHaveBeenCarriedOut], ["broken", false]);
      assert.match(fault.message, /ECONNREFUSED/);
      assert.equal(attempts, 2);
    }),
  );
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
