import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import http from "node:http";
import https from "node:https";
import { setImmediate } from "node:timers/promises";
import { agentFor } from "../../../../provider/src/service/http/attempt";
import { queueFor, RequestQueue } from "../../../../provider/src/service/http/requestQueue";
import { inChild } from "./child";

/** Work that a test ends, or fails. */
function openWork(started: string[], name: string) {
  const settled = new EventEmitter();
  const result = once(settled, "end").then(() => name);
  const work = () => {
    started.push(name);
    return result;
  };
  return { work, end: () => settled.emit("end"), fail: (error: Error) => settled.emit("error", error) };
}

describe("the queue of requests", () => {
  it("runs as many at a time as its size, and starts the others in their order", async () => {
    const queue = new RequestQueue(2);
    const started: string[] = [];
    const works = ["a", "b", "c", "d"].map((name) => openWork(started, name));
    const results = works.map(({ work }) => queue.run(work));
    await setImmediate();
    assert.deepEqual(started, ["a", "b"]);
    works[1]?.end();
    assert.equal(await results[1], "b");
    await setImmediate();
    assert.deepEqual(started, ["a", "b", "c"]);
    for (const { end } of works) end();
    assert.deepEqual(await Promise.all(results), ["a", "b", "c", "d"]);
    assert.deepEqual(started, ["a", "b", "c", "d"]);
  });

  it("gives the turn of work that fails to the next", async () => {
    const queue = new RequestQueue(1);
    const started: string[] = [];
    const [first, second] = [openWork(started, "a"), openWork(started, "b")];
    const results = [queue.run(first.work), queue.run(second.work)];
    first.fail(new Error("it failed"));
    await assert.rejects(results[0] ?? Promise.resolve(), /it failed/);
    second.end();
    assert.equal(await results[1], "b");
    assert.equal(await queue.run(() => Promise.resolve("c")), "c");
  });
});

const target = "https://groups.example/api/user";
const url = new URL(target);
const proxy = "http://proxy.example:3128";

describe("agents", () => {
  it("are one for each origin and limit, and so are queues", () => {
    const [agent, queue] = [agentFor(url, 3), queueFor(url, 3)];
    const same = new URL("https://groups.example/other");
    assert(agentFor(same, 3) === agent && queueFor(same, 3) === queue);
    for (const [address, size] of [
      [target, 4],
      ["https://groups.example:8443", 3],
    ] as const) {
      const other = new URL(address);
      assert(agentFor(other, size) !== agent && queueFor(other, size) !== queue);
      assert.equal(agentFor(other, size).maxSockets, size);
    }
  });

  it("use the protocol of the URL", () => {
    assert(agentFor(url, 1) instanceof https.Agent);
    const plain = agentFor(new URL("http://localhost"), 1);
    assert(plain instanceof http.Agent && !(plain instanceof https.Agent));
  });

  it("go through the proxy of the environment, for https only, unless no_proxy names the host", async () => {
    const proxied = `${proxy}/ 3`;
    const cases: [env: Record<string, string>, url: string, expected: string][] = [
      [{}, target, "none"],
      [{ https_proxy: proxy }, target, proxied],
      [{}, target, "none"],
      [{ HTTPS_PROXY: proxy }, target, proxied],
      [{ all_proxy: proxy }, target, proxied],
      ...["groups.example", ".example", "*", "other.example,groups.example:443"].map(
        (no_proxy): [Record<string, string>, string, string] => [
          { https_proxy: proxy, no_proxy },
          target,
          "none",
        ],
      ),
      [{ https_proxy: proxy, no_proxy: "other.example,groups.example:8443" }, target, proxied],
      [{ https_proxy: proxy, http_proxy: proxy, all_proxy: proxy }, "http://localhost:8080", "none"],
    ];
    const outcomes = await inChild(cases.map(([env, proxyFor]) => ({ env, proxyFor })));
    for (const [n, [env, , expected]] of cases.entries())
      assert.equal(outcomes[n], expected, JSON.stringify(env));
  }).timeout("60s");
});
