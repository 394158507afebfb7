import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import { HttpsProxyAgent } from "https-proxy-agent";
import { agentFor } from "../../provider/src/agents";
import { inEnvironment } from "./environment";

const target = new URL("https://groups.example/api/user");
const proxied = { https_proxy: "http://proxy.example:3128" };

describe("agents", () => {
  it(
    "are one for an origin and its limit",
    inEnvironment({}, () => {
      const agent = agentFor(target, 3);
      assert.equal(agentFor(new URL("https://groups.example/other"), 3), agent);
      assert.notEqual(agentFor(target, 4), agent);
      assert.notEqual(agentFor(new URL("https://groups.example:8443"), 3), agent);
    }),
  );

  it(
    "open as many connections as the limit says",
    inEnvironment({}, () => {
      for (const url of [target, new URL("http://localhost")]) {
        assert.equal(agentFor(url, 3).maxSockets, 3);
      }
    }),
  );

  it(
    "speak the protocol of the URL",
    inEnvironment({}, () => {
      assert(agentFor(target, 1) instanceof https.Agent);
      const plain = agentFor(new URL("http://localhost"), 1);
      assert(plain instanceof http.Agent && !(plain instanceof https.Agent));
    }),
  );

  for (const name of ["https_proxy", "HTTPS_PROXY", "all_proxy"]) {
    it(
      `go through the proxy that ${name} names`,
      inEnvironment({ [name]: "http://proxy.example:3128" }, () => {
        assert.equal(proxyOf(target), "http://proxy.example:3128/");
      }),
    );
  }

  it(
    "go through a proxy with the same limit",
    inEnvironment(proxied, () => {
      const agent = agentFor(target, 3);
      assert(agent instanceof HttpsProxyAgent);
      assert.equal(agent.maxSockets, 3);
    }),
  );

  for (const noProxy of ["groups.example", ".example", "*", "other.example,groups.example:443"]) {
    it(
      `go straight where no_proxy is ${noProxy}`,
      inEnvironment({ ...proxied, no_proxy: noProxy }, () => {
        assert.equal(proxyOf(target), undefined);
      }),
    );
  }

  it(
    "go through the proxy where no_proxy names others",
    inEnvironment({ ...proxied, no_proxy: "other.example,groups.example:8443" }, () => {
      assert.equal(proxyOf(target), "http://proxy.example:3128/");
    }),
  );

  it(
    "never go through a proxy over http, which is for loopback hosts",
    inEnvironment(
      { ...proxied, http_proxy: "http://proxy.example", all_proxy: "http://proxy.example" },
      () => {
        assert.equal(proxyOf(new URL("http://localhost:8080")), undefined);
      },
    ),
  );

  it("follow a change of the environment", async () => {
    await inEnvironment({}, () => {
      assert.equal(proxyOf(target), undefined);
    })();
    await inEnvironment(proxied, () => {
      assert.equal(proxyOf(target), "http://proxy.example:3128/");
    })();
  });
});

function proxyOf(url: URL): string | undefined {
  const agent = agentFor(url, 2);
  return agent instanceof HttpsProxyAgent ? agent.proxy.href : undefined;
}
