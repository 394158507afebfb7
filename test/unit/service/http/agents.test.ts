import assert from "node:assert/strict";
import { channelTo } from "../../../../provider/src/service/http/channel";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import { inChild } from "./child";

const target = "https://groups.example/api/user";
const url = new URL(target);
const proxy = "http://proxy.example:3128";

describe("agents", () => {
  it("are one for each origin and limit, and so are queues", () => {
    const { agent, queue } = channelTo(url, 3);
    const same = channelTo(new URL("https://groups.example/other"), 3);
    assert(same.agent === agent && same.queue === queue);
    for (const [address, size] of [
      [target, 4],
      ["https://groups.example:8443", 3],
    ] as const) {
      const other = channelTo(new URL(address), size);
      assert(other.agent !== agent && other.queue !== queue);
      assert.equal(other.agent.maxSockets, size);
    }
  });

  it("are one for each client certificate, but share the queue of their origin", () => {
    const { cert, key } = loopbackCertificate;
    const { agent, queue } = channelTo(url, 3);
    const identified = channelTo(url, 3, { cert, key });
    assert.deepEqual([identified.queue === queue, identified.agent === agent], [true, false]);
    assert(identified.agent === channelTo(url, 3, { cert, key }).agent);
    assert(identified.agent !== channelTo(url, 3, { cert, key: `${key}\n` }).agent);
  });

  it("go through the proxy of the environment, for https only, unless no_proxy names the host", async () => {
    const noProxy = "Error: the proxy in the environment is no http or https URL";
    const proxied = `${proxy}/`;
    const cases: [env: Record<string, string>, url: string, expected: string][] = [
      [{}, target, "none"],
      [{ https_proxy: proxy }, target, proxied],
      [{ https_proxy: "socks5://proxy.example" }, target, noProxy],
      [{ https_proxy: "http://" }, target, noProxy],
      [{ HTTPS_PROXY: proxy }, target, proxied],
      [{ all_proxy: proxy }, target, proxied],
      [{ https_proxy: proxy, no_proxy: "groups.example" }, target, "none"],
      [{ https_proxy: proxy, no_proxy: "*" }, target, "none"],
      [{ https_proxy: proxy, no_proxy: "other.example,groups.example:443" }, target, "none"],
      [{ https_proxy: proxy, no_proxy: "other.example,groups.example:8443" }, target, proxied],
      [{ https_proxy: proxy, http_proxy: proxy, all_proxy: proxy }, "http://localhost:8080", "none"],
    ];
    const outcomes = await inChild(cases.map(([env, proxyFor]) => ({ env, proxyFor })));
    for (const [n, [env, , expected]] of cases.entries())
      assert.equal(outcomes[n], expected, JSON.stringify(env));
  }).timeout("60s");
});
