import assert from "node:assert/strict";
import { Deadline } from "../../provider/src/transport";
import { ask, faultOf, FixedDeadline, methods } from "./exchanges";
import { inWorld } from "./world";

describe("transport: time", () => {
  for (const method of methods) {
    it(
      `ends an attempt that hangs, and sends the ${method} again`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "hang" });
        const deadline = new FixedDeadline({ attempts: [50, 60_000] });
        const { status, attempts, answerLost } = await ask(emulator, { method, deadline });
        assert.deepEqual([status, attempts, answerLost], [200, 2, true]);
        assert.equal(emulator.requests.length, 2);
      }),
    );

    it(
      `ends a ${method} that is never answered`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "hang", times: Infinity });
        const { fault } = await faultOf(ask(emulator, { method, deadline: new Deadline(0.3) }));
        assert.deepEqual([fault.failure, fault.mayHaveBeenCarriedOut], ["timed-out", true]);
      }),
    );

    it(
      `ends a ${method} whose answer drips in`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "drip", ms: 20, times: Infinity });
        const { fault } = await faultOf(ask(emulator, { method, deadline: new Deadline(0.3) }));
        assert.equal(fault.failure, "timed-out");
      }),
    );
  }

  for (const retryAfter of ["soon", 0]) {
    it(
      `ends a request that is always to be sent again, after ever longer pauses, with Retry-After ${retryAfter}`,
      inWorld({}, async ({ emulator }) => {
        Math.random = () => 0.999;
        emulator.fault({ kind: "status", status: 503, retryAfter, times: Infinity });
        const deadline = new FixedDeadline({ rests: [1000, 600, 100, 0] });
        const { fault, attempts } = await faultOf(ask(emulator, { deadline }));
        assert.deepEqual([fault.failure, fault.message], ["status", "the service answered with status 503"]);
        assert.deepEqual([attempts, emulator.requests.length], [3, 3]);
      }),
    );
  }

  it("is the whole operation's: what one request used up is gone for the next", () => {
    let milliseconds = 1000;
    performance.now = () => milliseconds;
    try {
      const deadline = new Deadline(6);
      assert.deepEqual([deadline.remainingMilliseconds, deadline.attemptMilliseconds], [6000, 2000]);
      milliseconds += 5000;
      assert.deepEqual([deadline.remainingMilliseconds, deadline.attemptMilliseconds], [1000, 1000]);
      milliseconds += 5000;
      assert.deepEqual([deadline.remainingMilliseconds, deadline.attemptMilliseconds], [0, 0]);
    } finally {
      Reflect.deleteProperty(performance, "now");
    }
  });
});

describe("transport: Retry-After", () => {
  for (const status of [429, 503]) {
    it(
      `of status ${status} in seconds is waited for`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "status", status, retryAfter: 1 });
        assert.equal((await ask(emulator)).attempts, 2);
        const [first, second] = emulator.requests.map(({ receivedAt }) => receivedAt);
        assert(Number(second) - Number(first) >= 995, `${String(first)} ${String(second)}`);
      }),
    );
  }

  it(
    "is told where there is no time for it, in seconds",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "status", status: 429, retryAfter: 3600 });
      const { fault, attempts } = await faultOf(ask(emulator));
      assert.equal(fault.message, "the service answered with status 429 and asked to wait 3600 s");
      assert.deepEqual([attempts, emulator.requests.length], [1, 1]);
    }),
  );

  it(
    "may be a date",
    inWorld({}, async ({ emulator }) => {
      const retryAfter = new Date(Date.now() + 3_600_000).toUTCString();
      emulator.fault({ kind: "status", status: 503, retryAfter });
      const { fault, attempts } = await faultOf(ask(emulator));
      assert.match(fault.message, /^the service answered with status 503 and asked to wait 3(600|59\d) s$/);
      assert.equal(attempts, 1);
    }),
  );

  for (const retryAfter of ["0", new Date(0).toUTCString(), "soon", ""]) {
    it(
      `of ${JSON.stringify(retryAfter)} asks for no pause`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "status", status: 503, retryAfter });
        assert.equal((await ask(emulator)).attempts, 2);
      }),
    );
  }
});
