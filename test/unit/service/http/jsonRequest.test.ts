import assert from "node:assert/strict";
import provider from "../../../../package.json";
import { TimeBudget } from "../../../../provider/src/service/http/clock";
import type { JsonResponse } from "../../../../provider/src/service/http/jsonRequest";
import type { FaultKind } from "../../../../provider/src/testing";
import { instantClock, until } from "../../../harness/clock";
import { emulatorTest } from "../../../harness/emulatorTest";
import { bodiesOf } from "../../../harness/providers";
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

const lost = { status: 200, attempts: 2, isPossiblyApplied: true };
const notApplied = { status: 200, attempts: 2, isPossiblyApplied: false };
const final = { attempts: 1, isPossiblyApplied: false };
const elsewhere = "http://127.0.0.1:9";
const refusal = '{"success":0}';
const utf16 = Buffer.from('\uFEFF{"success":1}', "utf16le");
const ofUtf16 = { "content-type": "application/json; charset=utf-16le" };
const isUtf16 = "is encoded in UTF-16, and JSON must be UTF-8 (RFC 8259, section 8.1)";

const outcomes: [what: string, fault: FaultKind, expected: Partial<JsonResponse>][] = [
  ["status 408", { kind: "status", status: 408 }, lost],
  ["status 429", { kind: "status", status: 429 }, notApplied],
  ["HTML of a proxy", { kind: "status", status: 502, body: "<html>", contentType: "text/html" }, lost],
  ["status 503 after the effect", { kind: "status", status: 503, when: "after" }, lost],
  ["a connection closed before the effect", { kind: "drop", when: "before" }, lost],
  ["a connection closed after the effect", { kind: "drop", when: "after" }, lost],
  ["a response that is cut off", cutOff(), lost],
  ["an incomplete body in a complete response", changedBody('{"success":1,"user_gr'), lost],
  ...[400, 401, 403, 404, 410, 501, 505].map((status): (typeof outcomes)[number] => [
    "a final status",
    { kind: "status", status, body: '{"reason":"r"}' },
    { ...final, status, body: { reason: "r" } },
  ]),
  ...[408, 500, 503].map((status): (typeof outcomes)[number] => [
    "a final body",
    { kind: "status", status, body: refusal },
    { ...final, status, body: { success: 0 } },
  ]),
  ["a final body with status 429", { kind: "status", status: 429, body: refusal }, notApplied],
  ...[301, 302, 303, 307, 308].map((status): (typeof outcomes)[number] => [
    "a redirect",
    redirect(`${elsewhere}/api/user?key=s3cret`, status),
    { ...final, status, redirectsTo: elsewhere },
  ]),
  ["a redirect to no URL", redirect("http://"), { ...final, redirectsTo: "an address that is no URL" }],
  ["an empty body", changedBody(""), { ...final, body: undefined, unreadable: "is not JSON" }],
  ["HTML", htmlPage(), { ...final, body: undefined, unreadable: "is not JSON" }],
  ["half a list", changedBody('[{"success":1'), { ...final, body: undefined, unreadable: "is not JSON" }],
  ...[
    ["gzip", "gzip"],
    ["x-s3cret", "another one"],
  ].map(([encoding = "", shown = ""]): (typeof outcomes)[number] => [
    `the coding ${encoding}`,
    changedBody("{}", { "content-encoding": encoding }),
    {
      ...final,
      body: undefined,
      unreadable: `is compressed (content-encoding: ${shown}), although the request accepts identity only`,
    },
  ]),
  ["UTF-16 with its mark", changedBody(utf16), { ...final, body: undefined, unreadable: isUtf16 }],
  ["UTF-16 without its mark", changedBody(utf16.subarray(2), ofUtf16), { ...final, unreadable: isUtf16 }],
  ["a byte-order mark", changedBody(`\uFEFF${refusal}`), { ...final, body: { success: 0 } }],
  [
    "the coding identity",
    changedBody(refusal, { "content-encoding": "Identity" }),
    { ...final, body: { success: 0 }, unreadable: undefined },
  ],
];

for (const method of methods) {
  describe(`a request by ${method}`, () => {
    emulatorTest(
      "carries its body, framed by its length in bytes, the API token and the version",
      {},
      async (emulator) => {
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
        assert(!("transfer-encoding" in received.headers));
      },
    );

    for (const [what, fault, expected] of outcomes)
      emulatorTest(`returns after ${what}: ${JSON.stringify(expected)}`, {}, async (emulator) => {
        emulator.fault(fault);
        const isFinal = (body: unknown) => JSON.stringify(body) === '{"success":0}';
        const response = await request(emulator, { method, isFinal });
        assert.deepEqual({ ...response, ...expected }, response);
        const sent = { method, body: emulator.requests[0]?.body };
        assert.deepEqual(bodiesOf(emulator), new Array(response.attempts).fill(sent));
      });

    emulatorTest("refuses a response of more than 1 MiB, and isn't sent again", {}, async (emulator) => {
      emulator.fault(padded(1024 * 1024));
      assert.equal((await request(emulator, { method })).status, 200);
      emulator.fault(padded(1024 * 1024 + 1));
      const { fault, attempts } = await faultOf(request(emulator, { method }));
      assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["too-large", true, 1]);
      assert.equal(emulator.requests.length, 2);
    });

    emulatorTest("is sent again after an attempt that hangs", {}, async (emulator) => {
      emulator.fault(noResponse());
      const clock = instantClock();
      const response = await request(emulator, { method, clock, budget: new ImpatientBudget(60, clock) });
      assert.deepEqual([response.status, response.attempts, response.isPossiblyApplied], [200, 2, true]);
    });

    for (const fault of [noResponse(), drip(20)] as const)
      emulatorTest(`ends in time although each response does ${fault.kind}`, {}, async (emulator) => {
        emulator.fault({ ...fault, times: Infinity });
        const clock = instantClock();
        const budget = new TimeBudget(0.3, clock);
        const error = await faultOf(request(emulator, { method, clock, budget }));
        assert.deepEqual([error.fault.failure, error.fault.isPossiblyApplied], ["timed-out", true]);
        assert(budget.remainingMilliseconds < 100, String(budget.remainingMilliseconds));
      });

    emulatorTest("isn't sent once the operation is cancelled, nor again", {}, async (emulator) => {
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
    });
  });
}

describe("a request", () => {
  emulatorTest("by GET may have a body of many segments", {}, async (emulator) => {
    const body = { user_group_id: "acme", name: "A".repeat(500_000) };
    assert.equal((await request(emulator, { body })).status, 200);
    assert.equal(emulator.groups.get("acme")?.name, body.name);
  });

  emulatorTest("stays possibly applied after later attempts that weren't", {}, async (emulator) => {
    emulator.fault({ kind: "drop", when: "after" });
    emulator.fault({ kind: "status", status: 429 });
    assert.equal((await request(emulator)).isPossiblyApplied, true);
  });

  emulatorTest(
    "ends at once if the service asks for more time than there is, and says so",
    {},
    async (emulator) => {
      for (const retryAfter of [3600, new Date(Date.now() + 3_600_000).toUTCString()]) {
        emulator.fault({ kind: "status", status: 429, retryAfter });
        const { fault, attempts } = await faultOf(request(emulator));
        assert.match(
          fault.message,
          /^the service returned status 429 and asked for a pause of 3(600|59\d) s$/,
        );
        assert.equal(attempts, 1);
      }
    },
  );

  emulatorTest("ends when the time is up, with the last failure", {}, async (emulator) => {
    emulator.fault({ kind: "status", status: 503, times: Infinity });
    const clock = instantClock({ random: 0.999 });
    const budget = new TimeBudget(10, clock);
    const { fault, attempts } = await faultOf(request(emulator, { clock, budget }));
    assert.deepEqual([fault.message, attempts], ["the service returned status 503", 6]);
    assert.deepEqual(
      clock.pauses.map((pause) => Math.round(pause)),
      [200, 400, 799, 1598, 3197],
    );
  });

  emulatorTest(
    "waits for its turn without an attempt, and without using up its time",
    {},
    async (emulator) => {
      emulator.fault({ kind: "delay", ms: 700 });
      const clock = instantClock();
      const budget = new TimeBudget(0.9, clock);
      const first = request(emulator, { maxConnections: 1, body: { user_group_id: "slow", name: "S" } });
      const { attempts } = await request(emulator, { maxConnections: 1, clock, budget });
      assert.equal(attempts, 1);
      assert(budget.remainingMilliseconds > 500, String(budget.remainingMilliseconds));
      await first;
    },
  );

  emulatorTest("is cancelled while it waits for its turn", {}, async (emulator) => {
    emulator.fault({ kind: "delay", ms: 100 });
    const controller = new AbortController();
    const first = request(emulator, { maxConnections: 1 });
    const second = faultOf(request(emulator, { maxConnections: 1, signal: controller.signal }));
    controller.abort();
    assert.equal((await second).fault.failure, "cancelled");
    assert.equal((await first).status, 200);
    assert.equal(emulator.requests.length, 1);
  });

  emulatorTest("throws a defect as it is, and isn't sent again", {}, async (emulator) => {
    let calls = 0;
    const isFinal = () => {
      calls += 1;
      throw new TypeError("a defect");
    };
    emulator.fault({ kind: "status", status: 503, times: 2 });
    await assert.rejects(request(emulator, { isFinal }), new TypeError("a defect"));
    assert.deepEqual([calls, emulator.requests.length], [1, 1]);
  });
});

describe("connections", () => {
  emulatorTest("are kept, and shared by both methods", {}, async (emulator) => {
    for (const method of [...methods, ...methods, ...methods]) await request(emulator, { method });
    assert.deepEqual([emulator.requests.length, emulator.connections], [6, 1]);
  });

  emulatorTest("are at most maxConnections, for any number of requests", { latency: 5 }, async (emulator) => {
    const sent = Array.from({ length: 24 }, (_, n) =>
      request(emulator, { method: methods[n % 2] ?? "GET", maxConnections: 3 }),
    );
    await Promise.all(sent);
    assert.deepEqual([emulator.requests.length, emulator.peakConnections, emulator.connections], [24, 3, 3]);
  });

  emulatorTest(
    "are opened again after the service has closed them, or a response was left unread",
    {},
    async (emulator) => {
      emulator.fault(changedBody((response) => response, { connection: "close" }));
      for (const attempts of [1, 1]) assert.equal((await request(emulator)).attempts, attempts);
      assert.equal(emulator.connections, 2);
      emulator.fault(noResponse());
      const clock = instantClock();
      await request(emulator, { clock, budget: new ImpatientBudget(60, clock) });
      await until(() => emulator.openConnections === 1);
      assert.equal(emulator.connections, 3);
    },
  );
});
