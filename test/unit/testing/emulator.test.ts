import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { startEmulator, type EmulatorOptions } from "../../../provider/src/testing";
import { kinds } from "../../../provider/src/testing/faultQueue";
import { settingsFrom } from "../../../provider/src/testing/options";
import { emulatorTest } from "../../harness/emulatorTest";
import { ended } from "../../harness/run";
import { noResponse } from "../../harness/responseFaults";
import { until } from "../../harness/clock";
import { loopbackCertificate } from "./loopbackCertificate";
import { send } from "./rawRequest";

const acme = { user_group_id: "acme", name: "Acme" };
const theirs = { userGroupId: "acme", name: "Theirs", mapping: { sales: 7 } };

describe("docs/reference/testing.md", () => {
  const page = readFileSync(join(__dirname, "../../../docs/reference/testing.md"), "utf8");

  it("has every option with its default", () => {
    const none = { normalize: "", newToken: "", tls: "", log: "" };
    const shown = { ...settingsFrom({}), ...none, apiToken: "a random one", port: "0: a free one" };
    const commented = page.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s+(\w+)\?:/g);
    const comments = [...commented].map(([, comment, name]) => ({ name, comment }));
    for (const [option, value] of Object.entries(shown)) {
      const comment = comments.find((each) => each.name === option)?.comment ?? "none";
      const text = typeof value === "string" && option !== "existing" ? value : JSON.stringify(value);
      assert(comment.replaceAll(/`|, /g, "").includes(text.replaceAll(",", "")), `${option}: ${text}`);
    }
  });

  it("has every fault", () => {
    const shown = [...page.matchAll(/ kind: "(\w+)"/g)].map(([, kind]) => kind);
    assert.deepEqual(shown.sort(), Object.keys(kinds).sort());
  });
});

describe("emulator: options", () => {
  it("are refused by name", async () => {
    for (const [options, reason] of [
      [{ port: 65_536 }, " port: must be an integer from 0 to 65535"],
      [{ basePath: "api/" }, ' basePath: must be "" or a path such as "/tenant/v1"'],
      [{ exist: "keep" }, ': Unrecognized key: "exist"'],
    ] as [object, string][])
      await assert.rejects(startEmulator(options), {
        name: "TypeError",
        message: `Emulator option${reason}`,
      });
  });
});

describe("emulator: groups", () => {
  const byToken: EmulatorOptions = { deleteNeeds: ["current_token"] };
  const bySource: EmulatorOptions = { deleteNeeds: ["user_group_id", "data_source_provided_id"] };
  const id = "acme";
  const deletions: [EmulatorOptions, fields: readonly (string | undefined)[], refusal?: string][] = [
    [{}, [id, "t", "8"]],
    [{}, [id], "current_token missing"],
    [{}, ["none", "t"], "no such user group"],
    [{}, [id, "former"], "current_token does not fit"],
    [bySource, [id, "t", "8"], "data_source_provided_id does not fit"],
    [bySource, [id, undefined, "7"]],
    [{ ...byToken, deleteTokenMayBeId: true }, [undefined, id]],
  ];
  for (const [options, [user_group_id, current_token, data_source_provided_id], refusal] of deletions) {
    const body = { user_group_id, current_token, data_source_provided_id };
    const title = `${refusal ? "refuses" : "deletes"} ${JSON.stringify(body)} with ${JSON.stringify(options)}`;
    emulatorTest(title, options, async (emulator) => {
      emulator.putGroup(theirs);
      emulator.rotateToken("acme", "t");
      const { text } = await send(emulator, { method: "DELETE", body });
      assert.equal(text, `{"success":${refusal ? 0 : 1}}`);
      assert.deepEqual([emulator.requests[0]?.refusal, emulator.groups.size], [refusal, refusal ? 1 : 0]);
    });
  }

  emulatorTest("belong to the account of the API token", {}, async (emulator) => {
    const second = emulator.addAccount("two");
    for (const apiToken of ["two", emulator.apiToken, "none"])
      await send({ baseUrl: emulator.baseUrl, apiToken }, { body: acme });
    assert.notEqual(emulator.groups.get("acme")?.token, second.groups.get("acme")?.token);
    assert.deepEqual(emulator.requests.map(({ status, account }) => [status, account]), [[200, 1], [200, 0], [401, undefined]]); // prettier-ignore
    second.rotateApiToken("three");
    assert.equal((await send({ baseUrl: emulator.baseUrl, apiToken: "two" }, { body: acme })).status, 401);
  });
});

describe("emulator: tokens", () => {
  const newToken = (userGroupId: string) => `token-of-${userGroupId}`;
  const deletion = { method: "DELETE", body: { ...acme, current_token: "token-of-acme" } };

  for (const [existingToken, isKept, success] of [
    ["keep", true, 1],
    ["replace", false, 0],
    ["add", false, 1],
  ] as const)
    emulatorTest(`are those of newToken: ${existingToken}`, { existingToken, newToken }, async (emulator) => {
      assert.match((await send(emulator, { body: acme })).text, /"token":"token-of-acme"/);
      await send(emulator, { body: acme });
      assert.equal(emulator.groups.get("acme")?.token === "token-of-acme", isKept);
      assert.equal((await send(emulator, deletion)).text, `{"success":${success}}`);
    });
});

emulatorTest(
  "emulator: a request body may be deep or large, and the emulator goes on",
  {},
  async (emulator) => {
    const stranger = { baseUrl: emulator.baseUrl, apiToken: "none" };
    const large = { ...acme, name: "x".repeat(2 * 2 ** 20) };
    const deep = `{"user_group_id":"acme","name":"A","properties":{"a":${"[".repeat(9e5)}${"]".repeat(9e5)}}}`;
    assert.equal((await send(stranger, { body: large })).status, 413);
    assert.equal((await send(emulator, { text: deep })).status, 400);
    assert.equal((await send(emulator, { body: acme })).status, 200);
    assert.equal(emulator.groups.size, 1);
  },
);

describe("emulator: faults", () => {
  emulatorTest("hit the requests that they are for, in their order", {}, async (emulator) => {
    emulator.fault({ kind: "delay", ms: 1, userGroupId: "bolt" });
    emulator.fault({ kind: "refuse", method: "GET", skip: 1, times: 2 });
    emulator.fault({ kind: "status", status: 503, times: Infinity, method: "DELETE" });
    for (const method of ["GET", "DELETE", "GET", "GET", "GET"]) await send(emulator, { method, body: acme });
    await send(emulator, { body: { ...acme, user_group_id: "bolt" } });
    const hits = emulator.requests.map(({ fault }) => fault?.kind);
    assert.deepEqual(hits, [undefined, "status", "refuse", "refuse", undefined, "delay"]);
    emulator.clearFaults();
    assert.match((await send(emulator, { method: "DELETE", body: acme })).text, /0/);
    // @ts-expect-error: a JavaScript program can pass anything
    assert.throws(() => { emulator.fault({ kind: "refused" }); }, /Unknown kind of fault: "refused"/); // prettier-ignore
  });
});

describe("emulator: log", () => {
  const lines: string[] = [];
  const log = (entry: unknown) => lines.push(String(entry));
  emulatorTest("has a line for each request, and no secret", { log }, async (emulator) => {
    const agent = new Agent({ keepAlive: true });
    await send(emulator, { body: { ...acme, properties: { plan: "gold" } }, agent });
    await send(emulator, {
      path: `/api/users?t=${emulator.apiToken}`,
      headers: { authorization: "x" },
      agent,
    });
    agent.destroy();
    const unknown = "GET /api/users refused 404 (unknown path /api/users)";
    assert.deepEqual(lines, ['GET "acme" created 200', unknown]);
    assert.deepEqual([emulator.connections, emulator.peakConnections], [1, 1]);
    const printed = inspect(emulator, { depth: 9 }) + JSON.stringify(emulator.requests);
    const token = emulator.groups.get("acme")?.token ?? "";
    for (const secret of [token, emulator.apiToken, "gold"]) assert(!printed.includes(secret), printed);
  });
});

describe("emulator: stop", () => {
  it("closes connections during a handshake and a response, twice too", async () => {
    const emulator = await startEmulator({ tls: loopbackCertificate });
    const idle = connect(Number(new URL(emulator.baseUrl).port), "127.0.0.1").on("error", () => undefined);
    emulator.fault(noResponse());
    const response = assert.rejects(send(emulator, { body: acme, ca: loopbackCertificate.cert }));
    await until(() => emulator.requests.length === 1);
    await Promise.all([emulator.stop(), emulator.stop()]);
    await response;
    await until(() => idle.closed);
    await assert.rejects(send(emulator, { body: acme }), { code: "ECONNREFUSED" });
  });

  it("isn't needed for the end of a process that has nothing else to do, and holds open connections", async () => {
    const emulator = join(__dirname, "../../../provider/src/testing");
    const raw = join(__dirname, "rawRequest");
    const program = `
      const { Agent } = require("node:http");
      void require(${JSON.stringify(emulator)}).startEmulator().then(async (emulator) => {
        const agent = new Agent({ keepAlive: true });
        await require(${JSON.stringify(raw)}).send(emulator, { agent, body: ${JSON.stringify(acme)} });
        console.log(emulator.requests.length);
      });`;
    const child = spawn(process.execPath, ["-r", "ts-node/register", "-e", program]);
    try {
      const { code, output } = await ended(child);
      assert.deepEqual([code, output], [0, "1\n"]);
    } finally {
      child.kill("SIGKILL");
    }
  }).timeout("60s");
});
