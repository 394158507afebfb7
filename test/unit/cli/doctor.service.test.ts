import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withoutSettings } from "../environment";
import { startProxy, type Proxy } from "../service/http/proxy";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { findingsIn, inProgram, type ProgramContext } from "./doctorProgram";

describe("doctor: the way to the service", () => {
  it(
    "ends at a certificate that isn't trusted, and says how it can be",
    inProgram(
      async ({ emulator, examine }) => {
        const { code, out, findings } = await examine();
        assert.equal(code, 1);
        assert.match(
          findings["service"]?.join() ?? "",
          /^failed: The service's host can't be reached \(without a proxy\): no trusted TLS connection was possible \(/,
        );
        assert.match(out, /NODE_EXTRA_CA_CERTS/);
        assert.ok(!out.includes(emulator.baseUrl));
        assert.equal(emulator.requests.length, 0);
      },
      { tls },
    ),
  );

  it(
    "ends where nobody listens",
    inProgram(async ({ emulator, examine }) => {
      await emulator.stop();
      const { code, findings } = await examine();
      assert.equal(code, 1);
      assert.match(findings["service"]?.join() ?? "", /: the connection failed \(ECONNREFUSED\)$/);
    }),
  );

  it(
    "leads through the proxy with TLS to the end",
    inProxied(undefined, async (context, proxy) => {
      const trusted = join(context.folder, "trusted.pem");
      await writeFile(trusted, tls.cert);
      const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: trusted };
      const out = await runInChild(context, env);
      assert.deepEqual(findingsIn(out)["service"], [
        "ok: The service's host answers (through the proxy of HTTPS_PROXY, TLSv1.3)",
      ]);
      assert.ok(!out.includes(new URL(proxy.url).host));
      assert.deepEqual(proxy.connects, [new URL(context.emulator.baseUrl).host]);
      assert.deepEqual(
        context.emulator.requests.map(({ method, authorized }) => [method, authorized]),
        [["HEAD", false]],
      );
    }),
  ).timeout("60s");

  it(
    "leads past the proxy if no_proxy names the host",
    inProxied(undefined, async (context, proxy) => {
      const out = await runInChild(context, { https_proxy: proxy.url, no_proxy: "127.0.0.1" });
      assert.match(
        findingsIn(out)["service"]?.join() ?? "",
        /^failed: .* \(without a proxy\): no trusted TLS/,
      );
      assert.deepEqual(proxy.connects, []);
    }),
  ).timeout("60s");

  for (const [refusal, remedy] of [
    ["407 Proxy Authentication Required", "Add user name and password to the proxy's address."],
    ["502 Bad Gateway", "Check that the proxy is allowed to connect to the host."],
  ] as const)
    it(
      `ends at a proxy that answers ${refusal}`,
      inProxied(refusal, async (context, proxy) => {
        const out = await runInChild(context, { https_proxy: proxy.url });
        assert.deepEqual(findingsIn(out)["service"], [
          "failed: The proxy opened no connection to the service's host, and returned status " +
            `${refusal.slice(0, 3)} (through the proxy of https_proxy)`,
        ]);
        assert.ok(out.includes(remedy));
      }),
    ).timeout("60s");
});

/** Runs doctor in a process of its own, for what a process reads from its environment, and returns its output. */
async function runInChild(
  { environment, folder }: ProgramContext,
  env: Record<string, string>,
): Promise<string> {
  const cli = resolve(__dirname, "../../../provider/src/cli.ts");
  const args = ["--require", "ts-node/register", cli, "doctor", "--json", "--folder", folder];
  const options = {
    env: { ...withoutSettings(process.env), ...environment, ...env, TS_NODE_TRANSPILE_ONLY: "true" },
  };
  return new Promise((done) => {
    execFile(process.execPath, args, options, (_, stdout) => {
      done(stdout);
    });
  });
}

function inProxied(
  refusal: string | undefined,
  test: (context: ProgramContext, proxy: Proxy) => Promise<void>,
) {
  return inProgram(
    async (context) => {
      const proxy = await startProxy(refusal);
      try {
        await test(context, proxy);
      } finally {
        await proxy.stop();
      }
    },
    { tls },
  );
}
