import assert from "node:assert/strict";
import { once } from "node:events";
import type { Emulator, Fault } from "../../../provider/src/testing";
import { emulatorTest } from "../../harness/emulatorTest";
import { changedBody, cutOff, drip, noResponse, padded } from "../../harness/responseFaults";
import { until } from "../../harness/until";
import { open, send } from "./rawRequest";

const body = { user_group_id: "acme", name: "Acme" };

describe("emulator: a fault", () => {
  const responses: [title: string, fault: Fault, response: object, effect: string][] = [
    [
      "status responds with Retry-After verbatim, before the effect",
      { kind: "status", status: 429, retryAfter: "Fri, 31 Dec 1999 23:59:59 GMT" },
      { status: 429, "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT", text: "" },
      "none",
    ],
    [
      "status can have a body and a number of seconds",
      { kind: "status", status: 502, body: "<h1>", contentType: "text/html", retryAfter: 3 },
      { status: 502, "content-type": "text/html", "retry-after": "3", text: "<h1>" },
      "none",
    ],
    [
      "status can come after the effect",
      { kind: "status", status: 500, when: "after" },
      { status: 500 },
      "created",
    ],
    [
      "refuse responds success 0",
      { kind: "refuse", status: 404 },
      { status: 404, text: '{"success":0}' },
      "none",
    ],
    [
      "respond sends status, headers and body of its function, and can come before the effect",
      {
        kind: "respond",
        respond: () => ({
          status: 201,
          headers: { "x-a": "b" },
          body: new Uint8Array([0xef, 0xbb, 0xbf, 0x30]),
        }),
        when: "before",
      },
      { status: 201, "x-a": "b", "content-length": "4", text: "\uFEFF0" },
      "none",
    ],
    [
      "respond passes the service's own response to its function",
      changedBody((own) => own.replace(/^\{"success":1,"new_user_group":true,.*$/, "as expected")),
      { status: 200, "content-type": "application/json", text: "as expected" },
      "created",
    ],
  ];
  for (const [title, fault, expected, effect] of responses)
    withFault(title, fault, async (emulator) => {
      const { headers, ...response } = await send(emulator, { body });
      assert.deepEqual({ ...headers, ...response }, { ...headers, ...response, ...expected });
      assert.deepEqual(
        emulator.requests.map((request) => request.effect),
        [effect],
      );
      assert.equal(emulator.groups.size, effect === "created" ? 1 : 0);
    });

  for (const when of ["before", "after"] as const) {
    const isApplied = when === "after";

    withFault(`drop closes the connection ${when} the effect`, { kind: "drop", when }, async (emulator) => {
      await assert.rejects(send(emulator, { body }), { code: "ECONNRESET" });
      const { status, newUserGroup } = emulator.requests[0] ?? {};
      assert.deepEqual(
        [emulator.groups.has("acme"), status, newUserGroup],
        [isApplied, undefined, isApplied],
      );
    });

    withFault(
      `respond can leave out the response, ${when} the effect`,
      noResponse(when),
      async (emulator) => {
        const controller = new AbortController();
        const response = send(emulator, { body, signal: controller.signal });
        await until(() => emulator.requests.length === 1);
        assert.equal(emulator.requests[0]?.status, undefined);
        controller.abort();
        await assert.rejects(response, { name: "AbortError" });
        assert.equal(emulator.groups.has("acme"), isApplied);
      },
    );
  }

  withFault(
    "delay has its effect at once, and responds later",
    { kind: "delay", ms: 50 },
    async (emulator) => {
      const start = performance.now();
      const response = send(emulator, { body });
      await until(() => emulator.groups.size === 1);
      assert.equal((await response).status, 200);
      assert(performance.now() - start >= 49);
    },
  );

  withFault("respond sends a body in parts", drip(1), async (emulator) => {
    const response = await open(emulator, { body });
    const chunks: Buffer[] = [];
    await once(
      response.on("data", (chunk: Buffer) => chunks.push(chunk)),
      "end",
    );
    assert(chunks.length > 10, `${chunks.length} chunks`);
    assert.match(Buffer.concat(chunks).toString(), /^\{"success":1,.*\}$/);
    assert.equal(response.headers["content-length"], undefined);
  });

  withFault("respond closes the connection if a body throws", cutOff(), async (emulator) => {
    const response = await open(emulator, { body });
    let received = 0;
    response.on("data", (chunk: Buffer) => (received += chunk.length));
    await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
    assert.equal(received, Math.floor(Number(response.headers["content-length"]) / 2));
    assert.equal(emulator.groups.size, 1);
  });

  withFault("respond sends no more of a body after the client has left", padded(1e15), async (emulator) => {
    const response = await open(emulator, { body });
    await once(response, "data");
    response.destroy();
    await until(() => emulator.openConnections === 0);
    assert.equal((await send(emulator, { body })).status, 200);
  });
});

describe("emulator: the requests that a fault hits", () => {
  const times: [title: string, aim: { skip?: number; times?: number }, hits: string][] = [
    ["are one by default", {}, "refuse, , , "],
    ["are `times`, after the first `skip`", { skip: 1, times: 2 }, ", refuse, refuse, "],
    ["are all for Infinity", { times: Infinity }, "refuse, refuse, refuse, refuse"],
  ];
  for (const [title, aim, hits] of times)
    withFault(title, { kind: "refuse", ...aim }, async (emulator) => {
      assert.equal(await faultsOf(emulator, ["acme", "bolt", "acme", "acme"]), hits);
      emulator.clearFaults();
      assert.equal(await faultsOf(emulator, ["acme"]), "");
    });

  withFault(
    "are those of its method and its group",
    { kind: "refuse", method: "DELETE", userGroupId: "acme" },
    async (emulator) => {
      await send(emulator, { body });
      const current_token = emulator.groups.get("acme")?.token;
      for (const sent of [{ user_group_id: "bolt", current_token: "t" }, { current_token }])
        await send(emulator, { method: "DELETE", body: sent });
      assert.equal(hitsIn(emulator), ", , refuse");
    },
  );

  emulatorTest("are hit by the faults in their order", {}, async (emulator) => {
    emulator.fault({ kind: "status", status: 503, userGroupId: "bolt" });
    emulator.fault({ kind: "refuse" });
    emulator.fault({ kind: "delay", ms: 1 });
    assert.equal(await faultsOf(emulator, ["acme", "bolt", "acme"]), "refuse, status, delay");
  });

  withFault("don't include one to another path", { kind: "refuse" }, async (emulator) => {
    assert.equal((await send(emulator, { body, path: "/api/users" })).status, 404);
    assert.equal(await faultsOf(emulator, ["acme"]), "refuse");
  });

  emulatorTest("are none for an unknown kind, or without its function", {}, (emulator) => {
    assert.throws(() => {
      // @ts-expect-error: a JavaScript program can pass anything
      emulator.fault({ kind: "refused" });
    }, new TypeError('Unknown kind of fault: "refused"'));
    assert.throws(() => {
      // @ts-expect-error: the same
      emulator.fault({ kind: "respond" });
    }, new TypeError('The fault "respond" needs a function "respond"'));
    return Promise.resolve();
  });
});

function withFault(title: string, fault: Fault, test: (emulator: Emulator) => Promise<void>): void {
  emulatorTest(title, {}, (emulator) => {
    emulator.fault(fault);
    return test(emulator);
  });
}

/** The faults that hit get-or-creates of these groups. */
async function faultsOf(emulator: Emulator, userGroupIds: readonly string[]): Promise<string> {
  emulator.clearRequests();
  for (const user_group_id of userGroupIds) await send(emulator, { body: { user_group_id, name: "N" } });
  return hitsIn(emulator);
}

function hitsIn({ requests }: Emulator): string {
  return requests.map(({ fault }) => fault?.kind).join(", ");
}
