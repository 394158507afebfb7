import assert from "node:assert/strict";
import { once } from "node:events";
import type { Emulator, Fault, FaultTime } from "../../../provider/src/testing";
import { chunksOf, deleteGroup, getOrCreate, open, until, withEmulator } from "./world";

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

  it("status: can carry a body, or success 0, or come after the effect", () =>
    withEmulator({}, async (emulator) => {
      emulator.fault({ kind: "status", status: 502, body: "<h1>", contentType: "text/html", retryAfter: 3 });
      emulator.fault({ kind: "status", status: 500, success0: true, when: "after" });
      const gateway = await getOrCreate(emulator, acme);
      assert.deepEqual([gateway.text, gateway.headers["content-type"]], ["<h1>", "text/html"]);
      assert.equal(gateway.headers["retry-after"], "3");
      const service = await getOrCreate(emulator, acme);
      assert.deepEqual([service.status, service.json], [500, { success: 0 }]);
      assert.deepEqual(effects(emulator), ["none", "created"]);
    }));

  it("refuse: answers success 0 and does nothing", () =>
    withFault({ kind: "refuse", status: 404 }, async (emulator) => {
      const { token } = emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      const answer = await deleteGroup(emulator, { user_group_id: "acme", current_token: token });
      assert.deepEqual([answer.status, answer.json], [404, { success: 0 }]);
      assert.equal(emulator.groups.size, 1);
    }));

  for (const { when, groups } of moments) {
    it(`loseAnswer ${when} the effect: closes the connection`, () =>
      withFault({ kind: "loseAnswer", when }, async (emulator) => {
        await assert.rejects(getOrCreate(emulator, acme), { code: "ECONNRESET" });
        assert.equal(emulator.groups.size, groups);
        assert.equal(emulator.requests[0]?.status, undefined);
        assert.equal(emulator.requests[0]?.newUserGroup, groups === 1);
      }));

    it(`hang ${when} the effect: never answers`, () =>
      withFault({ kind: "hang", when }, async (emulator) => {
        const leave = new AbortController();
        const answer = getOrCreate(emulator, acme, { signal: leave.signal });
        await until(() => emulator.requests.length === 1);
        leave.abort();
        await assert.rejects(answer, { name: "AbortError" });
        assert.equal(emulator.groups.size, groups);
      }));
  }

  it("cutOff: breaks the answer off in its body, with the effect done", () =>
    withFault({ kind: "cutOff" }, async (emulator) => {
      const response = await open(emulator, { body: acme });
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
      const arrived = Buffer.concat(chunks).length;
      assert.equal(arrived, Math.floor(Number(response.headers["content-length"]) / 2));
      assert.equal(emulator.groups.size, 1);
    }));

  it("slow: does its work at once and answers later", () =>
    withFault({ kind: "slow", ms: 50 }, async (emulator) => {
      const started = performance.now();
      const answer = getOrCreate(emulator, acme);
      await until(() => emulator.groups.size === 1);
      assert.equal((await answer).status, 200);
      assert.ok(performance.now() - started >= 49);
    }));

  it("drip: sends the body byte by byte", () =>
    withFault({ kind: "drip", ms: 1 }, async (emulator) => {
      const response = await open(emulator, { body: acme });
      const chunks = await chunksOf(response);
      assert.ok(chunks.length > 10, `${chunks.length} chunks`);
      assert.match(Buffer.concat(chunks).toString(), /^\{"success":1,.*\}$/);
    }));

  it("notJson: answers a page of HTML with status 200", () =>
    withFault({ kind: "notJson" }, async (emulator) => {
      const answer = await getOrCreate(emulator, acme);
      assert.deepEqual([answer.status, answer.json], [200, undefined]);
      assert.match(answer.text, /^<!doctype html>/);
      assert.equal(emulator.groups.size, 1);
    }));

  it("raw: answers what it is told to", () =>
    withFault(
      { kind: "raw", status: 201, headers: { "x-a": "b" }, body: "[]", when: "before" },
      async (emulator) => {
        const answer = await getOrCreate(emulator, acme);
        assert.deepEqual([answer.status, answer.headers["x-a"], answer.text], [201, "b", "[]"]);
        assert.equal(emulator.groups.size, 0);
      },
    ));

  it("raw: can work on the true answer, and send bytes that aren't text", () =>
    withEmulator({}, async (emulator) => {
      emulator.fault({ kind: "raw", body: (answer) => `\uFEFF${answer}` });
      emulator.fault({ kind: "raw", body: new Uint8Array([0xef, 0xbb, 0xbf, 0x30]) });
      assert.match((await getOrCreate(emulator, acme)).text, /^\uFEFF\{"success":1/);
      assert.equal((await getOrCreate(emulator, acme)).headers["content-length"], "4");
    }));

  it("field: sets a field of the answer, at any depth, and leaves the rest", () =>
    withFault({ kind: "field", field: "user_group.token", value: null }, async (emulator) => {
      assert.deepEqual((await getOrCreate(emulator, acme)).json, {
        success: 1,
        new_user_group: true,
        user_group: { team_id: 1, token: null, name: "Acme", provided_id: "acme" },
      });
      assert.notEqual(emulator.groups.get("acme")?.token, null);
    }));

  it("field: leaves out a field without a value", () =>
    withFault({ kind: "field", field: "success" }, async (emulator) => {
      assert.match((await getOrCreate(emulator, acme)).text, /^\{"new_user_group":true,/);
    }));

  it("huge: makes a valid answer as long as ordered, without saying so first", () =>
    withFault({ kind: "huge", bytes: 1_000_000 }, async (emulator) => {
      const answer = await getOrCreate(emulator, acme);
      assert.equal(answer.headers["content-length"], undefined);
      assert.equal(answer.text.length, 1_000_000);
      assert.ok(answer.json);
    }));

  it("huge: stops when the client leaves", () =>
    withFault({ kind: "huge", bytes: 1e15 }, async (emulator) => {
      const response = await open(emulator, { body: acme });
      await once(response, "data");
      response.destroy();
      await until(() => emulator.openConnections === 0);
      assert.equal((await getOrCreate(emulator, acme)).status, 200);
    }));

  it("redirect: sends the client elsewhere and does nothing", () =>
    withFault({ kind: "redirect", location: "http://other.invalid/" }, async (emulator) => {
      const answer = await getOrCreate(emulator, acme);
      assert.deepEqual([answer.status, answer.headers.location], [302, "http://other.invalid/"]);
      assert.equal(emulator.groups.size, 0);
    }));

  it("stripBody: refuses as if no body had come, and logs what came", () =>
    withFault({ kind: "stripBody" }, async (emulator) => {
      assert.deepEqual((await getOrCreate(emulator, acme)).json, { success: 0 });
      assert.deepEqual(emulator.requests[0]?.body, acme);
      assert.equal(emulator.groups.size, 0);
    }));

  it("wrongGroup: answers with another group that it holds, else with an invented one", () =>
    withFault({ kind: "wrongGroup", times: 2 }, async (emulator) => {
      assert.match((await getOrCreate(emulator, acme)).text, /"provided_id":"not-acme"/);
      const bolt = emulator.putGroup({ userGroupId: "bolt", name: "Bolt" });
      const { text } = await getOrCreate(emulator, acme);
      assert.match(text, /"new_user_group":false/);
      assert.ok(text.includes(bolt.token));
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
      emulator.fault({ kind: "notJson" });
      assert.deepEqual(await faultsOf(emulator, ["acme", "bolt", "acme"]), ["refuse", "status", "notJson"]);
    }));

  it("none on another path", () =>
    withFault({ kind: "refuse" }, async (emulator) => {
      assert.equal((await getOrCreate(emulator, acme, { path: "/api/users" })).status, 404);
      assert.deepEqual(await faultsOf(emulator, ["acme"]), ["refuse"]);
    }));

  it("none of an unknown kind", () =>
    withEmulator({}, async (emulator) => {
      assert.throws(() => {
        // @ts-expect-error: a JavaScript program can order anything
        emulator.fault({ kind: "refused" });
      }, new TypeError('Unknown kind of fault: "refused"'));
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
