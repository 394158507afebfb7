import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import { agentFor } from "../../../../provider/src/service/http/agents";
import { connectionsTo } from "../../../../provider/src/service/http/requestQueue";
import { inChild } from "./child";

const target = "https://groups.example/api/user";
const url = new URL(target);
const proxy = "http://proxy.example:3128";

describe("agents", () => {
  it("are one for each origin and limit, with one queue of this size", () => {
    const connections = connectionsTo(url, 3);
    assert.deepEqual(connectionsTo(new URL("https://groups.example/other"), 3), connections);
    assert.equal(connections.agent.maxSockets, 3);
    for (const [address, size] of [
      [target, 4],
      ["https://groups.example:8443", 3],
    ] as const) {
      const others = connectionsTo(new URL(address), size);
      assert(others.agent !== connections.agent && others.queue !== connections.queue);
      assert.equal(others.agent.maxSockets, size);
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
