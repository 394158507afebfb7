import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startProxy, type Proxy } from "../proxy";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { findingsIn, inProgram, type ProgramWorld } from "./program";

describe("doctor: the way to the service", () => {
  it(
    "ends at a certificate that isn't trusted, and says how it can be",
    inProgram(
      async ({ emulator, examine }) => {
        const { code, out, findings } = await examine();
        assert.equal(code, 1);
        assert.match(
          findings["service"]?.join() ?? "",
          /^failed: The service's host can't be reached \(without a proxy\): no trusted TLS connection could be made \(/,
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
    inProxied(undefined, async ({ emulator, folder }, proxy) => {
      const trusted = join(folder, "trusted.pem");
      await writeFile(trusted, tls.cert);
      const env = { ...process.env, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: trusted };
      const cli = resolve(__dirname, "../../../provider/src/cli.ts");
      const args = ["--require", "ts-node/register", cli, "doctor", "--json", "--folder", folder];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      assert.deepEqual(findingsIn(stdout)["service"], [
        "ok: The service's host answers (through the proxy of HTTPS_PROXY, TLSv1.3)",
      ]);
      assert.ok(!stdout.includes(new URL(proxy.url).host));
      assert.deepEqual(proxy.connects, [new URL(emulator.baseUrl).host]);
      assert.deepEqual(
        emulator.requests.map(({ method, authorised }) => [method, authorised]),
        [["HEAD", false]],
      );
    }),
  ).timeout("60s");

  it(
    "leads past the proxy where no_proxy names the host",
    inProxied(undefined, async ({ examine }, proxy) => {
      Object.assign(process.env, { https_proxy: proxy.url, no_proxy: "127.0.0.1" });
      const { findings } = await examine();
      assert.match(findings["service"]?.join() ?? "", /^failed: .* \(without a proxy\): no trusted TLS/);
      assert.deepEqual(proxy.connects, []);
    }),
  );

  for (const [refusal, wayOut] of [
    ["407 Proxy Authentication Required", "Put a login into the proxy's address."],
    ["502 Bad Gateway", "Check the proxy, and whether it may reach the host."],
  ] as const)
    it(
      `ends at a proxy that answers ${refusal}`,
      inProxied(refusal, async ({ examine }, proxy) => {
        process.env["https_proxy"] = proxy.url;
        const { code, out, findings } = await examine();
        assert.equal(code, 1);
        assert.deepEqual(findings["service"], [
          "failed: The proxy makes no connection to the service's host: it answers with status " +
            `${refusal.slice(0, 3)} (through the proxy of https_proxy)`,
        ]);
        assert.ok(out.includes(wayOut));
      }),
    );
});

function inProxied(refusal: string | undefined, test: (world: ProgramWorld, proxy: Proxy) => Promise<void>) {
  return inProgram(
    async (world) => {
      const proxy = await startProxy(refusal);
      try {
        await test(world, proxy);
      } finally {
        await proxy.stop();
      }
    },
    { tls },
  );
}
