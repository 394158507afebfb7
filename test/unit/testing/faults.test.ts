import assert from "node:assert/strict";
import { once } from "node:events";
import type { Emulator, Fault, FaultTime } from "../../../provider/src/testing";
import { chunksOf, deleteGroup, getOrCreate, open, until, withEmulator } from "./world";
import { changedBody, cutOff, drip, noResponse, padded } from "../../harness/responseFaults";

const acme = { user_group_id: "acme", name: "Acme" };
const moments: { when: FaultTime; groups: number }[] = [
  { when: "before", groups: 0 },
  { when: "after", groups: 1 },
];

describe("emulator: faults", () => {
  it("status: answers it with Retry-After, verbatim, and does nothing", () =>
    withFault(
      { kind: "status", status: 429, retryAfter: "Fri, 31 Dec 1999 23:59:59 GMT" },
      async (emulator) => {
        const answer = await getOrCreate(emulator, acme);
        assert.equal(answer.status, 429);
        assert.equal(answer.headers["retry-after"], "Fri, 31 Dec 1999 23:59:59 GMT");
        assert.equal(answer.text, "");
        assert.equal(emulator.groups.size, 0);
      },
    ));

  it("status: can carry a body, or come after the effect", () =>
    withEmulator({}, async (emulator) => {
      emulator.fault({ kind: "status", status: 502, body: "<h1>", contentType: "text/html", retryAfter: 3 });
      emulator.fault({ kind: "status", status: 500, when: "after" });
      const gateway = await getOrCreate(emulator, acme);
      assert.deepEqual([gateway.text, gateway.headers["content-type"]], ["<h1>", "text/html"]);
      assert.equal(gateway.headers["retry-after"], "3");
      assert.equal((await getOrCreate(emulator, acme)).status, 500);
      assert.deepEqual(effects(emulator), ["none", "created"]);
    }));

  it("refuse: responds success 0 and does nothing", () =>
    withFault({ kind: "refuse", status: 404 }, async (emulator) => {
      const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      const answer = await deleteGroup(emulator, { user_group_id: "acme", current_token: token });
      assert.deepEqual([answer.status, answer.json], [404, { success: 0 }]);
      assert.equal(emulator.groups.size, 1);
    }));

  for (const { when, groups } of moments) {
    it(`drop ${when} the effect: closes the connection`, () =>
      withFault({ kind: "drop", when }, async (emulator) => {
        await assert.rejects(getOrCreate(emulator, acme), { code: "ECONNRESET" });
        assert.equal(emulator.groups.size, groups);
        assert.equal(emulator.requests[0]?.status, undefined);
        assert.equal(emulator.requests[0]?.newUserGroup, groups === 1);
      }));

    it(`respond with nothing ${when} the effect: never responds, on an open connection`, () =>
      withFault(noResponse(when), async (emulator) => {
        const leave = new AbortController();
        const answer = getOrCreate(emulator, acme, { signal: leave.signal });
        await until(() => emulator.requests.length === 1);
        assert.equal(emulator.requests[0]?.status, undefined);
        leave.abort();
        await assert.rejects(answer, { name: "AbortError" });
        assert.equal(emulator.groups.size, groups);
      }));
  }

  it("delay: takes effect at once and responds later", () =>
    withFault({ kind: "delay", ms: 50 }, async (emulator) => {
      const started = performance.now();
      const answer = getOrCreate(emulator, acme);
      await until(() => emulator.groups.size === 1);
      assert.equal((await answer).status, 200);
      assert.ok(performance.now() - started >= 49);
    }));

  it("respond: sends status, headers and body as returned, without the effect if it comes before it", () =>
    withFault(
      {
        kind: "respond",
        respond: () => ({
          status: 201,
          headers: { "x-a": "b" },
          body: new Uint8Array([0xef, 0xbb, 0xbf, 0x30]),
        }),
        when: "before",
      },
      async (emulator) => {
        const { status, headers, text } = await getOrCreate(emulator, acme);
        assert.deepEqual(
          [status, headers["x-a"], headers["content-length"], text],
          [201, "b", "4", "\uFEFF0"],
        );
        assert.equal(emulator.groups.size, 0);
      },
    ));

  it("respond: gets the service's own response", () =>
    withFault(
      changedBody((body) => `\uFEFF${body}`),
      async (emulator) => {
        const { status, headers, text } = await getOrCreate(emulator, acme);
        assert.deepEqual([status, headers["content-type"]], [200, "application/json"]);
        assert.match(text, /^\uFEFF\{"success":1,"new_user_group":true,/);
        assert.deepEqual(effects(emulator), ["created"]);
      },
    ));

  it("respond: sends a body part by part", () =>
    withFault(drip(1), async (emulator) => {
      const response = await open(emulator, { body: acme });
      const chunks = await chunksOf(response);
      assert.ok(chunks.length > 10, `${chunks.length} chunks`);
      assert.match(Buffer.concat(chunks).toString(), /^\{"success":1,.*\}$/);
      assert.equal(response.headers["content-length"], undefined);
    }));

  it("respond: closes the connection where a body throws", () =>
    withFault(cutOff(), async (emulator) => {
      const response = await open(emulator, { body: acme });
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
      const arrived = Buffer.concat(chunks).length;
      assert.equal(arrived, Math.floor(Number(response.headers["content-length"]) / 2));
      assert.equal(emulator.groups.size, 1);
    }));

  it("respond: sends no more of a body once the client has left", () =>
    withFault(padded(1e15), async (emulator) => {
      const response = await open(emulator, { body: acme });
      await once(response, "data");
      response.destroy();
      await until(() => emulator.openConnections === 0);
      assert.equal((await getOrCreate(emulator, acme)).status, 200);
    }));
});

describe("emulator: which requests a fault hits", () => {
  it("one request, by default", () =>
    withFault({ kind: "refuse" }, async (emulator) => {
      assert.deepEqual(await faultsOf(emulator, ["acme", "acme"]), ["refuse", undefined]);
    }));

  it("as many as ordered, after as many as it lets pass", () =>
    withFault({ kind: "refuse", skip: 1, times: 2 }, async (emulator) => {
      const hits = await faultsOf(emulator, ["acme", "acme", "acme", "acme"]);
      assert.deepEqual(hits, [undefined, "refuse", "refuse", undefined]);
    }));

  it("every one until cleared", () =>
    withFault({ kind: "refuse", times: Infinity }, async (emulator) => {
      assert.deepEqual(await faultsOf(emulator, ["acme", "bolt", "acme"]), ["refuse", "refuse", "refuse"]);
      emulator.clearFaults();
      assert.deepEqual(await faultsOf(emulator, ["acme"]), [undefined]);
    }));

  it("only those of its method and group", () =>
    withFault({ kind: "refuse", method: "DELETE", userGroupId: "acme" }, async (emulator) => {
      await getOrCreate(emulator, acme);
      await deleteGroup(emulator, { user_group_id: "bolt", current_token: "t" });
      await deleteGroup(emulator, { current_token: emulator.groups.get("acme")?.token });
      assert.deepEqual(
        emulator.requests.map(({ fault }) => fault?.kind),
        [undefined, undefined, "refuse"],
      );
    }));

  it("in the order in which they were ordered", () =>
    withEmulator({}, async (emulator) => {
      emulator.fault({ kind: "status", status: 503, userGroupId: "bolt" });
      emulator.fault({ kind: "refuse" });
      emulator.fault({ kind: "delay", ms: 1 });
      assert.deepEqual(await faultsOf(emulator, ["acme", "bolt", "acme"]), ["refuse", "status", "delay"]);
    }));

  it("none on another path", () =>
    withFault({ kind: "refuse" }, async (emulator) => {
      assert.equal((await getOrCreate(emulator, acme, { path: "/api/users" })).status, 404);
      assert.deepEqual(await faultsOf(emulator, ["acme"]), ["refuse"]);
    }));

  it("none of an unknown kind, or without its function", () =>
    withEmulator({}, async (emulator) => {
      assert.throws(() => {
        // @ts-expect-error: a JavaScript program can order anything
        emulator.fault({ kind: "refused" });
      }, new TypeError('Unknown kind of fault: "refused"'));
      assert.throws(() => {
        // @ts-expect-error: the same
        emulator.fault({ kind: "respond" });
      }, new TypeError('The fault "respond" needs a function "respond"'));
      return Promise.resolve();
    }));
});

function withFault(fault: Fault, test: (emulator: Emulator) => Promise<void>): Promise<void> {
  return withEmulator({}, async (emulator) => {
    emulator.fault(fault);
    await test(emulator);
  });
}

function effects(emulator: Emulator): string[] {
  return emulator.requests.map(({ effect }) => effect);
}

/** The faults that hit these groups' get-or-creates, one after the other. */
async function faultsOf(emulator: Emulator, userGroupIds: string[]): Promise<(string | undefined)[]> {
  emulator.clearRequests();
  for (const user_group_id of userGroupIds) await getOrCreate(emulator, { user_group_id, name: "N" });
  return emulator.requests.map(({ fault }) => fault?.kind);
}
