/** What a request makes of responses. test/contract/faults.test.ts has the faults that end an operation. */
import assert from "node:assert/strict";
import zlib from "node:zlib";
import provider from "../../../../package.json";
import type { Service } from "../../../../provider/service/http/channel";
import { systemClock, TimeBudget } from "../../../../provider/service/http/clock";
import {
  requestJson,
  type JsonResponse,
  type RequestContext,
} from "../../../../provider/service/http/jsonRequest";
import { TransportError } from "../../../../provider/service/http/transportError";
import type { Emulator, FaultKind } from "../../../../provider/testing";
import { jumpingClock, until } from "../../../support/harness/clock";
import { emulatorTest } from "../../../support/harness/emulatorTest";
import { serviceOf } from "../../../support/harness/service";
import { changedBody, noResponse, redirect } from "../../../support/harness/responseFaults";

const methods = ["GET", "DELETE"] as const;
const acme = { user_group_id: "acme", name: "Acme" };
const refusal = '{"success":0}';

const encoders: readonly [encoding: string, encode: (bytes: Buffer) => Buffer][] = [
  ["GZIP", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["br", zlib.brotliCompressSync],
  ["identity", (bytes) => bytes],
];
const encoded = (encoding: string, change: (body: string) => string | Uint8Array) =>
  changedBody(change, { "content-encoding": encoding });

const lost = { status: 200, attempts: 2, isPossiblyApplied: true };
const notApplied = { status: 200, attempts: 2, isPossiblyApplied: false };
const outcomes: [what: string, fault: FaultKind, expected: Partial<JsonResponse>][] = [
  ["status 429", { kind: "status", status: 429 }, notApplied],
  ["a final body with status 429", { kind: "status", status: 429, body: refusal }, notApplied],
  ["a connection closed after the effect", { kind: "drop", when: "after" }, lost],
  ["a redirect to no URL", redirect("http://"), { attempts: 1, redirectsTo: "an address that is no URL" }],
  ["headers of 20 KB", changedBody("", { "x-long": "x".repeat(20_000) }), lost],
  ["a body in gzip that is cut off", encoded("gzip", (text) => zlib.gzipSync(text).subarray(0, -9)), lost],
  ["a body that isn't in its encoding", encoded("gzip", () => refusal), { attempts: 1, undecoded: "gzip" }],
  ["an empty body in gzip", encoded("gzip", () => ""), { attempts: 1, isEmpty: true }],
  ...encoders.map(([encoding, encode]): (typeof outcomes)[number] => [
    `a body in ${encoding}`,
    encoded(encoding, () => encode(Buffer.from(refusal))),
    { attempts: 1, body: { success: 0 }, undecoded: undefined },
  ]),
];

for (const method of methods)
  describe(`a request by ${method}`, () => {
    emulatorTest("carries its body, framed by its length in bytes, and the version", {}, async (emulator) => {
      const body = { user_group_id: "acme", name: "Ácme & Søn 株式会社 🏢", properties: { list: [1, null] } };
      await request(emulator, { method, body });
      const [received = assert.fail("nothing was received")] = emulator.requests;
      assert.deepEqual([received.body, received.authorized], [body, true]);
      const { headers } = received;
      assert.equal(headers["content-length"], String(Buffer.byteLength(JSON.stringify(body))));
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["user-agent"], `pulumi-user-groups/${provider.version}`);
      assert(!("transfer-encoding" in headers));
    });

    for (const [what, fault, expected] of outcomes)
      emulatorTest(`returns after ${what}: ${JSON.stringify(expected)}`, {}, async (emulator) => {
        emulator.fault(fault);
        const isFinal = (body: unknown) => JSON.stringify(body) === refusal;
        const response = await request(emulator, { method, isFinal });
        assert.deepEqual({ ...response, ...expected }, response);
        const bodies = emulator.requests.map(({ body }) => body);
        assert.deepEqual(bodies, new Array(response.attempts).fill(acme));
      });

    emulatorTest(
      "closes the connection of an attempt that hangs, and sends another",
      {},
      async (emulator) => {
        emulator.fault(noResponse());
        const clock = jumpingClock();
        const budget = new TimeBudget(0.6, clock);
        const response = await request(emulator, { method, clock, budget });
        assert.deepEqual({ ...response, ...lost }, response);
        await until(() => emulator.openConnections === 1);
      },
    );

    for (const [encoding, encode] of encoders)
      emulatorTest(
        `refuses more than 1 MiB in ${encoding}, without another attempt`,
        {},
        async (emulator) => {
          emulator.fault(encoded(encoding, (text) => encode(Buffer.from(text.padEnd(2 ** 20)))));
          assert.equal((await request(emulator, { method })).status, 200);
          emulator.fault(encoded(encoding, () => encode(Buffer.alloc(2 ** 20 + 1, " "))));
          const { fault, attempts } = await faultOf(request(emulator, { method }));
          assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["too-large", true, 1]);
        },
      );
  });

describe("a request", () => {
  emulatorTest("stays possibly applied after later attempts that weren't", {}, async (emulator) => {
    emulator.fault({ kind: "drop", when: "after" });
    emulator.fault({ kind: "status", status: 429 });
    assert.equal((await request(emulator)).isPossiblyApplied, true);
  });

  emulatorTest("ends when the time is up, with the last failure", {}, async (emulator) => {
    emulator.fault({ kind: "status", status: 503, times: Infinity });
    const clock = jumpingClock(() => 0.999);
    const { fault, attempts } = await faultOf(
      request(emulator, { clock, budget: new TimeBudget(10, clock) }),
    );
    assert.deepEqual([fault.failure, fault.seen, attempts], ["status-of-service", "503", 6]);
    const pauses = clock.pauses.map((pause) => Math.round(pause));
    assert.deepEqual(pauses, [200, 400, 799, 1598, 3197]);
  });

  emulatorTest("ends in a pause when the operation is cancelled", {}, async (emulator) => {
    const controller = new AbortController();
    const clock = jumpingClock();
    clock.atNextPause(() => {
      controller.abort();
    });
    emulator.fault({ kind: "status", status: 503 });
    const { fault } = await faultOf(request(emulator, { signal: controller.signal, clock }));
    assert.deepEqual([fault.failure, emulator.requests.length], ["status-of-service", 1]);
  });

  emulatorTest("spends no time while it waits for its turn, and is cancelled", {}, async (emulator) => {
    emulator.fault({ kind: "delay", ms: 100 });
    const controller = new AbortController();
    const clock = jumpingClock();
    const budget = new TimeBudget(60, clock);
    const { signal } = controller;
    const first = request(emulator, { maxConnections: 1 });
    const second = faultOf(request(emulator, { maxConnections: 1, clock, budget, signal }));
    await until(() => emulator.requests.length === 1);
    await clock.sleep(50_000, signal);
    controller.abort();
    assert.equal((await second).fault.failure, "request-cancelled");
    assert.equal((await first).status, 200);
    assert.equal(emulator.requests.length, 1);
    assert(budget.remainingMilliseconds > 50_000);
  });
});

describe("requestsPerSecond", () => {
  emulatorTest(
    "lets attempts start evenly, of all connections together",
    { requestsPerSecond: 100 },
    async (emulator) => {
      emulator.fault({ kind: "status", status: 503, times: 5 });
      const start = performance.now();
      const sent = Array.from({ length: 40 }, (_, n) => {
        const budget = new TimeBudget(n < 5 ? 60 : 0.3, systemClock);
        const options = { clock: systemClock, budget, requestsPerSecond: 100, maxConnections: 1 + (n % 40) };
        return request(emulator, options);
      });
      for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
      // A few more are refused where a timer is late. Without the pace, it would be a hundred.
      assert(emulator.requests.length < 50, `${emulator.requests.length} attempts`);
      assert(performance.now() - start > 400);
    },
  );
});

interface RequestOptions
  extends Partial<RequestContext>, Partial<Pick<Service, "maxConnections" | "requestsPerSecond">> {
  readonly method?: (typeof methods)[number];
  readonly body?: object;
}

/** Sends a request about the group "acme". Pauses take no time. */
function request(emulator: Emulator, options: RequestOptions = {}): Promise<JsonResponse> {
  const { method = "GET", body = acme, maxConnections = 16, requestsPerSecond, ...context } = options;
  const clock = context.clock ?? jumpingClock();
  const service = { ...serviceOf(emulator), maxConnections, requestsPerSecond };
  return requestJson(
    { method, service, body },
    {
      clock,
      budget: new TimeBudget(60, clock),
      signal: new AbortController().signal,
      isFinal: () => false,
      onRetry: () => undefined,
      ...context,
    },
  );
}

/** The error of a request that fails. */
async function faultOf(response: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await response.catch((thrown: unknown) => thrown);
  return error instanceof TransportError ? error : assert.fail(String(error));
}
