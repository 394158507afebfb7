import assert from "node:assert/strict";
import provider from "../../../../provider/package.json";
import { TimeBudget } from "../../../../provider/src/service/http/clock";
import type { FaultKind } from "../../../../provider/src/testing";
import { instantClock } from "../../../harness/clock";
import { inContext } from "../../../harness/providers";
import { until } from "../../../harness/until";
import { faultOf, ImpatientBudget, methods, request } from "./requests";
import {
  changedBody,
  cutOff,
  drip,
  htmlPage,
  noResponse,
  padded,
  redirect,
} from "../../../harness/responseFaults";

for (const method of methods) {
  describe(`a request by ${method}`, () => {
    it(
      "carries its body, framed by its length in bytes, the API token and the version",
      inContext({}, async ({ emulator }) => {
        const body = {
          user_group_id: "acme",
          name: "Ácme & Søn 株式会社 🏢",
          properties: { list: [1, null] },
        };
        await request(emulator, { method, body });
        const [received = assert.fail("nothing was received")] = emulator.requests;
        assert.deepEqual([received.method, received.body, received.authorized], [method, body, true]);
        assert.deepEqual(received.headers, {
          ...received.headers,
          "content-length": String(Buffer.byteLength(JSON.stringify(body))),
          "content-type": "application/json",
          "user-agent": `pulumi-user-groups/${provider.version}`,
          host: new URL(emulator.baseUrl).host,
        });
        assert.equal(received.headers["transfer-encoding"], undefined);
      }),
    );

    const retried: [what: string, fault: FaultKind, isPossiblyApplied: boolean][] = [
      ["status 408", { kind: "status", status: 408 }, true],
      ["status 429", { kind: "status", status: 429 }, false],
      [
        "status 502 with HTML",
        { kind: "status", status: 502, body: "<html>", contentType: "text/html" },
        true,
      ],
      ["status 503 after the effect", { kind: "status", status: 503, when: "after" }, true],
      ["a connection closed before the effect", { kind: "drop", when: "before" }, true],
      ["a connection closed after the effect", { kind: "drop", when: "after" }, true],
      ["a response that is cut off", cutOff(), true],
      ["an incomplete body in a complete response", changedBody('{"success":1,"user_gr'), true],
    ];
    for (const [what, fault, isPossiblyApplied] of retried)
      it(
        `is sent again after ${what}`,
        inContext({}, async ({ emulator }) => {
          emulator.fault(fault);
          const response = await request(emulator, { method });
          assert.deepEqual([response.status, response.attempts], [200, 2]);
          assert.equal(response.isPossiblyApplied, isPossiblyApplied);
          assert.deepEqual(
            emulator.requests.map((each) => each.method),
            [method, method],
          );
          assert.deepEqual(emulator.requests[0]?.body, emulator.requests[1]?.body);
        }),
      );

    it(
      "is not sent again after a final status",
      inContext({}, async ({ emulator }) => {
        for (const status of [400, 401, 403, 404, 410, 501, 505]) {
          emulator.fault({ kind: "status", status, body: '{"reason":"r"}' });
          const response = await request(emulator, { method });
          assert.deepEqual([response.status, response.body, response.attempts], [status, { reason: "r" }, 1]);
        }
        assert.equal(emulator.requests.length, 7);
      }),
    );

    it(
      "ends with a body that is final, except with status 429",
      inContext({}, async ({ emulator }) => {
        for (const status of [408, 500, 503, 429]) {
          emulator.fault({ kind: "status", status, body: '{"success":0}', retryAfter: 0 });
          const isFinal = (body: unknown) => JSON.stringify(body) === '{"success":0}';
          const response = await request(emulator, { method, isFinal });
          const { attempts, isPossiblyApplied } = response;
          assert.deepEqual(
            [response.status, attempts, isPossiblyApplied],
            status === 429 ? [200, 2, false] : [status, 1, false],
          );
        }
      }),
    );

    it(
      "doesn't follow a redirect, and names its origin only",
      inContext({}, async ({ emulator }) =>
        inContext({}, async ({ emulator: other }) => {
          for (const status of [301, 302, 303, 307, 308]) {
            emulator.fault(redirect(`${other.baseUrl}/api/user?key=s3cret`, status));
            const { redirectsTo, attempts } = await request(emulator, { method });
            assert.deepEqual([redirectsTo, attempts], [other.baseUrl, 1]);
          }
          assert.deepEqual([emulator.requests.length, other.connections], [5, 0]);
        })(),
      ),
    );

    it(
      "refuses a response of more than 1 MiB, and isn't sent again",
      inContext({}, async ({ emulator }) => {
        emulator.fault(padded(1024 * 1024));
        assert.equal((await request(emulator, { method })).status, 200);
        emulator.fault(padded(1024 * 1024 + 1));
        const { fault, attempts } = await faultOf(request(emulator, { method }));
        assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["too-large", true, 1]);
        assert.equal(emulator.requests.length, 2);
      }),
    );

    const utf16 = Buffer.from('\uFEFF{"success":1}', "utf16le");
    const unreadable: [what: string, fault: FaultKind, issue: RegExp][] = [
      ["an empty body", changedBody(""), /^is not JSON$/],
      ["HTML", htmlPage(), /^is not JSON$/],
      ["half a list", changedBody('[{"success":1'), /^is not JSON$/],
      ...(["gzip", "x-s3cret"] as const).map((encoding): [string, FaultKind, RegExp] => [
        encoding,
        changedBody("{}", { "content-encoding": encoding }),
        encoding === "gzip"
          ? /^is compressed \(content-encoding: gzip\)/
          : /^is compressed .*: another one\)/,
      ]),
      ["UTF-16 with its mark", changedBody(utf16), /^is encoded in UTF-16/],
      [
        "UTF-16 without its mark",
        changedBody(utf16.subarray(2), { "content-type": "application/json; charset=utf-16le" }),
        /^is encoded in UTF-16/,
      ],
    ];
    it(
      `says why a body isn't JSON: ${unreadable.map(([what]) => what).join(", ")}`,
      inContext({}, async ({ emulator }) => {
        for (const [what, fault, issue] of unreadable) {
          emulator.fault(fault);
          const response = await request(emulator, { method });
          assert.deepEqual([response.status, response.body, response.attempts], [200, undefined, 1], what);
          assert.match(response.unreadable ?? "", issue, what);
        }
      }),
    );

    it(
      "reads a body with a byte-order mark, or one said to be identity",
      inContext({}, async ({ emulator }) => {
        emulator.fault(changedBody((response) => `\uFEFF${response}`));
        emulator.fault(changedBody((response) => response, { "content-encoding": "Identity" }));
        for (let count = 0; count < 2; count += 1) {
          const { body, unreadable } = await request(emulator, { method });
          assert(typeof body === "object" && body !== null && "success" in body);
          assert.equal(unreadable, undefined);
        }
      }),
    );

    it(
      "is sent again after an attempt that hangs",
      inContext({}, async ({ emulator }) => {
        emulator.fault(noResponse());
        const clock = instantClock();
        const response = await request(emulator, { method, clock, budget: new ImpatientBudget(60, clock) });
        assert.deepEqual([response.status, response.attempts, response.isPossiblyApplied], [200, 2, true]);
      }),
    );

    for (const fault of [noResponse(), drip(20)] as const)
      it(
        `ends in time although each response does ${fault.kind}`,
        inContext({}, async ({ emulator }) => {
          emulator.fault({ ...fault, times: Infinity });
          const clock = instantClock();
          const budget = new TimeBudget(0.3, clock);
          const error = await faultOf(request(emulator, { method, clock, budget }));
          assert.deepEqual([error.fault.failure, error.fault.isPossiblyApplied], ["timed-out", true]);
          assert(budget.remainingMilliseconds < 100, String(budget.remainingMilliseconds));
        }),
      );

    it(
      "isn't sent once the operation is cancelled, nor again",
      inContext({}, async ({ emulator }) => {
        const controller = new AbortController();
        const { signal } = controller;
        emulator.fault({ kind: "status", status: 503, times: Infinity });
        const clock = instantClock();
        const sleep: typeof clock.sleep = (milliseconds) => {
          controller.abort();
          return clock.sleep(milliseconds, signal);
        };
        const first = await faultOf(request(emulator, { method, signal, clock: { ...clock, sleep } }));
        assert.deepEqual([first.fault.failure, emulator.requests.length], ["status", 1]);
        const second = await faultOf(request(emulator, { method, signal }));
        assert.deepEqual([second.fault.failure, second.fault.isPossiblyApplied], ["cancelled", false]);
        assert.equal(emulator.requests.length, 1);
      }),
    );
  });
}

describe("a request", () => {
  it(
    "returns the status and the body of the response",
    inContext({}, async ({ emulator }) => {
      assert.deepEqual(await request(emulator), {
        status: 200,
        body: {
          success: 1,
          new_user_group: true,
          user_group: {
            team_id: 1,
            token: emulator.groups.get("acme")?.token,
            name: "Acme",
            provided_id: "acme",
          },
        },
        unreadable: undefined,
        redirectsTo: undefined,
        attempts: 1,
        isPossiblyApplied: false,
      });
    }),
  );

  it(
    "by GET may have a body of many segments",
    inContext({}, async ({ emulator }) => {
      const body = { user_group_id: "acme", name: "A".repeat(500_000) };
      assert.equal((await request(emulator, { body })).status, 200);
      assert.equal(emulator.groups.get("acme")?.name, body.name);
    }),
  );

  it(
    "is sent again until a response is final, after growing pauses",
    inContext({}, async ({ emulator }) => {
      emulator.fault({ kind: "status", status: 503, times: 5 });
      emulator.fault({ kind: "status", status: 404, times: 2 });
      const clock = instantClock({ random: 0.5 });
      const { status, attempts } = await request(emulator, { clock });
      assert.deepEqual([status, attempts], [404, 6]);
      assert.deepEqual(clock.pauses, [100, 200, 400, 800, 1600]);
    }),
  );

  it(
    "stays possibly applied after later attempts that weren't",
    inContext({}, async ({ emulator }) => {
      emulator.fault({ kind: "drop", when: "after" });
      emulator.fault({ kind: "status", status: 429 });
      assert.equal((await request(emulator)).isPossiblyApplied, true);
    }),
  );

  for (const [retryAfter, pause] of [
    ["2", 2000],
    [new Date(0).toUTCString(), 100],
    ["soon", 100],
    ["", 100],
  ] as const)
    it(
      `pauses for ${pause} ms after Retry-After ${JSON.stringify(retryAfter)}`,
      inContext({}, async ({ emulator }) => {
        emulator.fault({ kind: "status", status: 503, retryAfter });
        const clock = instantClock({ random: 0.5 });
        assert.equal((await request(emulator, { clock })).attempts, 2);
        assert.deepEqual(clock.pauses, [pause]);
      }),
    );

  it(
    "ends at once if the service asks for more time than there is, and says so",
    inContext({}, async ({ emulator }) => {
      for (const retryAfter of [3600, new Date(Date.now() + 3_600_000).toUTCString()]) {
        emulator.fault({ kind: "status", status: 429, retryAfter });
        const { fault, attempts } = await faultOf(request(emulator));
        assert.match(
          fault.message,
          /^the service returned status 429 and asked for a pause of 3(600|59\d) s$/,
        );
        assert.equal(attempts, 1);
      }
    }),
  );

  it(
    "ends when the time is up, with the last failure",
    inContext({}, async ({ emulator }) => {
      emulator.fault({ kind: "status", status: 503, times: Infinity });
      const clock = instantClock({ random: 0.999 });
      const budget = new TimeBudget(10, clock);
      const { fault, attempts } = await faultOf(request(emulator, { clock, budget }));
      assert.deepEqual([fault.message, attempts], ["the service returned status 503", 6]);
      assert.deepEqual(
        clock.pauses.map((pause) => Math.round(pause)),
        [200, 400, 799, 1598, 3197],
      );
    }),
  );

  it(
    "waits for its turn without an attempt, and without using up its time",
    inContext({}, async ({ emulator }) => {
      emulator.fault({ kind: "delay", ms: 700 });
      const clock = instantClock();
      const budget = new TimeBudget(0.9, clock);
      const first = request(emulator, { maxConnections: 1, body: { user_group_id: "slow", name: "S" } });
      const { attempts } = await request(emulator, { maxConnections: 1, clock, budget });
      assert.equal(attempts, 1);
      assert(budget.remainingMilliseconds > 500, String(budget.remainingMilliseconds));
      await first;
    }),
  );

  it(
    "is cancelled while it waits for its turn",
    inContext({}, async ({ emulator }) => {
      emulator.fault({ kind: "delay", ms: 100 });
      const controller = new AbortController();
      const first = request(emulator, { maxConnections: 1 });
      const second = faultOf(request(emulator, { maxConnections: 1, signal: controller.signal }));
      controller.abort();
      assert.equal((await second).fault.failure, "cancelled");
      assert.equal((await first).status, 200);
      assert.equal(emulator.requests.length, 1);
    }),
  );

  it(
    "throws a defect as it is, and isn't sent again",
    inContext({}, async ({ emulator }) => {
      let calls = 0;
      const isFinal = () => {
        calls += 1;
        throw new TypeError("a defect");
      };
      emulator.fault({ kind: "status", status: 503, times: 2 });
      await assert.rejects(request(emulator, { isFinal }), new TypeError("a defect"));
      assert.deepEqual([calls, emulator.requests.length], [1, 1]);
    }),
  );
});

describe("connections", () => {
  it(
    "are kept, and shared by both methods",
    inContext({}, async ({ emulator }) => {
      for (const method of [...methods, ...methods, ...methods]) await request(emulator, { method });
      assert.deepEqual([emulator.requests.length, emulator.connections], [6, 1]);
    }),
  );

  it(
    "are at most maxConnections, for any number of requests",
    inContext({ latency: 5 }, async ({ emulator }) => {
      const sent = Array.from({ length: 24 }, (_, n) =>
        request(emulator, { method: methods[n % 2] ?? "GET", maxConnections: 3 }),
      );
      await Promise.all(sent);
      assert.deepEqual(
        [emulator.requests.length, emulator.peakConnections, emulator.connections],
        [24, 3, 3],
      );
    }),
  );

  it(
    "are opened again after the service has closed them, or a response was left unread",
    inContext({}, async ({ emulator }) => {
      emulator.fault(changedBody((response) => response, { connection: "close" }));
      for (const attempts of [1, 1]) assert.equal((await request(emulator)).attempts, attempts);
      assert.equal(emulator.connections, 2);
      emulator.fault(noResponse());
      const clock = instantClock();
      await request(emulator, { clock, budget: new ImpatientBudget(60, clock) });
      await until(() => emulator.openConnections === 1);
      assert.equal(emulator.connections, 3);
    }),
  );
});
