import assert from "node:assert/strict";
import zlib from "node:zlib";
import provider from "../../../../package.json";
import { TimeBudget } from "../../../../provider/src/service/http/clock";
import type { JsonResponse } from "../../../../provider/src/service/http/jsonRequest";
import type { FaultKind } from "../../../../provider/src/testing";
import { jumpingClock, until } from "../../../harness/clock";
import { emulatorTest } from "../../../harness/emulatorTest";
import { bodiesOf } from "../../../harness/providers";
import { faultOf, ImpatientBudget, methods, request } from "./requests";
import {
  changedBody,
  cutOff,
  drip,
  htmlPage,
  noResponse,
  redirect,
  switchesProtocols,
} from "../../../harness/responseFaults";

const lost = { status: 200, attempts: 2, isPossiblyApplied: true };
const notApplied = { status: 200, attempts: 2, isPossiblyApplied: false };
const final = { attempts: 1, isPossiblyApplied: false };
const elsewhere = "http://127.0.0.1:9";
const refusal = '{"success":0}';

const encoded = (encoding: string, change: (body: string) => string | Uint8Array) =>
  changedBody(change, { "content-encoding": encoding });

const encoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  GZIP: zlib.gzipSync,
  "x-gzip": zlib.gzipSync,
  deflate: zlib.deflateSync,
  "deflate, without its header": zlib.deflateRawSync,
  br: zlib.brotliCompressSync,
  identity: (bytes) => bytes,
};

const outcomes: [what: string, fault: FaultKind, expected: Partial<JsonResponse>][] = [
  ["status 429", { kind: "status", status: 429 }, notApplied],
  ["a connection closed after the effect", { kind: "drop", when: "after" }, lost],
  ["a response that is cut off", cutOff(), lost],
  ["headers of 20 KB", changedBody("", { "x-long": "x".repeat(20_000) }), lost],
  ["an incomplete body in a complete response", changedBody('{"success":1,"user_gr'), lost],
  ["a final status", { kind: "status", status: 501, body: refusal }, { ...final, status: 501 }],
  [
    "a final body",
    { kind: "status", status: 503, body: refusal },
    { ...final, status: 503, body: { success: 0 } },
  ],
  ["a final body with status 429", { kind: "status", status: 429, body: refusal }, notApplied],
  [
    "a redirect",
    redirect(`${elsewhere}/api/user?key=s3cret`),
    { ...final, status: 302, redirectsTo: elsewhere },
  ],
  ["a redirect to no URL", redirect("http://"), { ...final, redirectsTo: "an address that is no URL" }],
  ["an empty body", changedBody(""), { ...final, body: undefined }],
  ["HTML", htmlPage(), { ...final, body: undefined }],
  ["UTF-16", changedBody(Buffer.from('{"success":1}', "utf16le")), { ...final, body: undefined }],
  ...Object.entries(encoders).map(([encoding, encode]): (typeof outcomes)[number] => [
    `a body in ${encoding}`,
    changedBody(() => encode(Buffer.from(refusal)), { "content-encoding": encoding.split(",")[0] ?? "" }),
    { ...final, body: { success: 0 }, undecoded: undefined },
  ]),
  ["a body in gzip that is cut off", encoded("gzip", (text) => zlib.gzipSync(text).subarray(0, -9)), lost],
  ["a body that isn't in its encoding", encoded("gzip", () => refusal), { ...final, undecoded: "gzip" }],
  ["a body in another encoding", encoded("zstd", () => refusal), { ...final, undecoded: "zstd" }],
  ["an empty body in gzip", encoded("gzip", () => ""), { ...final, body: undefined, isEmpty: true }],
  ["a byte-order mark", changedBody(`\uFEFF${refusal}`), { ...final, body: { success: 0 } }],
];

for (const method of methods) {
  describe(`a request by ${method}`, () => {
    emulatorTest("carries its body, framed by its length in bytes, and the version", {}, async (emulator) => {
      const body = { user_group_id: "acme", name: "Ácme & Søn 株式会社 🏢", properties: { list: [1, null] } };
      await request(emulator, { method, body });
      const [received = assert.fail("nothing was received")] = emulator.requests;
      assert.deepEqual([received.body, received.authorized], [body, true]);
      assert.deepEqual(received.headers, {
        ...received.headers,
        "content-length": String(Buffer.byteLength(JSON.stringify(body))),
        "content-type": "application/json",
        "user-agent": `pulumi-user-groups/${provider.version}`,
      });
      assert(!("transfer-encoding" in received.headers));
    });

    for (const [what, fault, expected] of outcomes)
      emulatorTest(`returns after ${what}: ${JSON.stringify(expected)}`, {}, async (emulator) => {
        emulator.fault(fault);
        const isFinal = (body: unknown) => JSON.stringify(body) === '{"success":0}';
        const response = await request(emulator, { method, isFinal });
        assert.deepEqual({ ...response, ...expected }, response);
        const sent = { method, body: emulator.requests[0]?.body };
        assert.deepEqual(bodiesOf(emulator), new Array(response.attempts).fill(sent));
      });

    for (const [what, fault, status, attempts] of [
      ["status 101", switchesProtocols(), method === "GET" ? 101 : 200, method === "GET" ? 1 : 2],
      ["an attempt that hangs", noResponse(), 200, 2],
    ] as const)
      emulatorTest(
        `returns status ${status} after ${what}, whose connection is closed`,
        {},
        async (emulator) => {
          emulator.fault(fault);
          const clock = jumpingClock();
          const response = await request(emulator, { method, clock, budget: new ImpatientBudget(60, clock) });
          const { isPossiblyApplied } = response;
          const expected = [status, attempts, attempts === 2];
          assert.deepEqual([response.status, response.attempts, isPossiblyApplied], expected);
          await until(() => emulator.openConnections === attempts - 1);
        },
      );

    for (const [encoding, bomb] of [
      ["identity", (bytes: Buffer) => bytes],
      ["gzip", zlib.gzipSync],
      ["deflate", zlib.deflateSync],
      ["br", zlib.brotliCompressSync],
    ] as const)
      emulatorTest(
        `refuses more than 1 MiB in ${encoding}, and sends no second request`,
        {},
        async (emulator) => {
          emulator.fault(encoded(encoding, (text) => bomb(Buffer.from(text.padEnd(2 ** 20)))));
          assert.equal((await request(emulator, { method })).status, 200);
          emulator.fault(encoded(encoding, () => bomb(Buffer.alloc(2 ** 20 + 1, " "))));
          const { fault, attempts } = await faultOf(request(emulator, { method }));
          assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["too-large", true, 1]);
        },
      );

    for (const fault of [noResponse(), drip(20)] as const)
      emulatorTest(`ends in time although each response does ${fault.kind}`, {}, async (emulator) => {
        emulator.fault({ ...fault, times: Infinity });
        const clock = jumpingClock();
        const budget = new TimeBudget(0.3, clock);
        const error = await faultOf(request(emulator, { method, clock, budget }));
        assert.deepEqual([error.fault.failure, error.fault.isPossiblyApplied], ["timed-out", true]);
      });

    emulatorTest("isn't sent once the operation is cancelled, nor again", {}, async (emulator) => {
      const controller = new AbortController();
      const { signal } = controller;
      emulator.fault({ kind: "status", status: 503, times: Infinity });
      const clock = jumpingClock();
      clock.atNextPause(() => {
        controller.abort();
      });
      const first = await faultOf(request(emulator, { method, signal, clock }));
      assert.deepEqual([first.fault.failure, emulator.requests.length], ["status", 1]);
      const second = await faultOf(request(emulator, { method, signal }));
      assert.deepEqual([second.fault.failure, second.fault.isPossiblyApplied], ["cancelled", false]);
      assert.equal(emulator.requests.length, 1);
    });
  });
}

describe("a request", () => {
  emulatorTest("stays possibly applied after later attempts that weren't", {}, async (emulator) => {
    emulator.fault({ kind: "drop", when: "after" });
    emulator.fault({ kind: "status", status: 429 });
    assert.equal((await request(emulator)).isPossiblyApplied, true);
  });

  emulatorTest("ends when the time is up, with the last failure", {}, async (emulator) => {
    emulator.fault({ kind: "status", status: 503, times: Infinity });
    const clock = jumpingClock(() => 0.999);
    const budget = new TimeBudget(10, clock);
    const { fault, attempts } = await faultOf(request(emulator, { clock, budget }));
    assert.deepEqual([fault.message, attempts], ["the service returned status 503", 6]);
    assert.deepEqual(
      clock.pauses.map((pause) => Math.round(pause)),
      [200, 400, 799, 1598, 3197],
    );
  });

  emulatorTest("spends no time while it waits for its turn, and is cancelled", {}, async (emulator) => {
    emulator.fault({ kind: "delay", ms: 100 });
    const [controller, clock] = [new AbortController(), jumpingClock()];
    const [budget, { signal }] = [new TimeBudget(60, clock), controller];
    const first = request(emulator, { maxConnections: 1 });
    const second = faultOf(request(emulator, { maxConnections: 1, clock, budget, signal }));
    await until(() => emulator.requests.length === 1);
    await clock.sleep(50_000, signal);
    controller.abort();
    assert.equal((await second).fault.failure, "cancelled");
    assert.equal((await first).status, 200);
    assert.equal(emulator.requests.length, 1);
    assert(budget.remainingMilliseconds > 50_000);
  });

  emulatorTest("opens a new connection once the service has closed it", {}, async (emulator) => {
    emulator.fault(changedBody((response) => response, { connection: "close" }));
    for (const attempts of [1, 1, 1]) assert.equal((await request(emulator)).attempts, attempts);
    assert.equal(emulator.connections, 2);
  });
});
