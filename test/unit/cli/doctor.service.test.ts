import assert from "node:assert/strict";
import { resolve } from "node:path";
import { outputOf } from "../service/http/child";
import { withProxy } from "../service/http/proxy";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { findingsIn, inProgram } from "./doctorProgram";

const cli = resolve(__dirname, "../../../provider/src/cli.ts");
const untrusted =
  "The service's host can't be reached (without a proxy): no trusted TLS connection was possible (";

describe("doctor: the connection to the service", () => {
  it(
    "fails if the certificate isn't trusted, with a remedy",
    inProgram(
      async ({ emulator, examine }) => {
        const { code, out, findings } = await examine();
        assert.equal(code, 1);
        assert(findings["service"]?.[0]?.startsWith(`failed: ${untrusted}`), out);
        assert.match(out, /NODE_EXTRA_CA_CERTS/);
        assert(!out.includes(emulator.baseUrl));
        assert.equal(emulator.requests.length, 0);
      },
      { tls },
    ),
  );

  it(
    "fails if nobody listens",
    inProgram(async ({ emulator, examine }) => {
      await emulator.stop();
      const { code, findings } = await examine();
      assert.equal(code, 1);
      assert.match(findings["service"]?.join() ?? "", /: the connection failed \(ECONNREFUSED\)$/);
    }),
  );

  it(
    "is that to the address of a connection in the stack's file",
    inProgram(async ({ emulator, write, examine }) => {
      await write({ "Pulumi.dev.yaml": `config:\n  user-groups:eu: { baseUrl: "${emulator.baseUrl}" }\n` });
      const { findings } = await examine("--connection", "eu");
      assert.deepEqual(findings["service"], ["ok: The service's host answers (without a proxy, no TLS)"]);
    }),
  );

  const answers = "ok: The service's host answers";
  const refuses = "failed: The proxy opened no connection to the service's host, and returned status";
  const proxied: [
    title: string,
    variable: string,
    refusal: string | undefined,
    finding: string,
    remedy: string,
  ][] = [
    [
      "uses the proxy, with TLS to the service",
      "HTTPS_PROXY",
      undefined,
      `${answers} (through the proxy of HTTPS_PROXY, TLSv1.3)`,
      "",
    ],
    [
      "doesn't use the proxy if no_proxy names the host",
      "https_proxy",
      undefined,
      `${answers} (without a proxy, TLSv1.3)`,
      "",
    ],
    [
      "fails at a proxy that requires a password",
      "https_proxy",
      "407 Proxy Authentication Required",
      `${refuses} 407 (through the proxy of https_proxy)`,
      "Add user name and password to the proxy's address.",
    ],
    [
      "fails at a proxy that refuses the host",
      "https_proxy",
      "502 Bad Gateway",
      `${refuses} 502 (through the proxy of https_proxy)`,
      "Check that the proxy is allowed to connect to the host.",
    ],
  ];
  for (const [title, variable, refusal, finding, remedy] of proxied)
    it(
      title,
      inProgram(
        (context) =>
          withProxy(refusal, async (proxy) => {
            const isSkipped = title.includes("no_proxy");
            const env = { [variable]: proxy.url, ...(isSkipped && { no_proxy: "127.0.0.1" }) };
            const program = [cli, "doctor", "--json", "--folder", context.folder];
            const out = await outputOf(program, { env: { ...context.environment, ...env } });
            assert.deepEqual(findingsIn(out)["service"], [finding]);
            assert(out.includes(remedy) && !out.includes(new URL(proxy.url).host), out);
            const { host } = new URL(context.emulator.baseUrl);
            assert.deepEqual(proxy.connects, isSkipped ? [] : [host]);
            const requests = context.emulator.requests.map(({ method, authorized }) => [method, authorized]);
            assert.deepEqual(requests, refusal === undefined ? [["HEAD", false]] : []);
          }),
        { tls },
      ),
    ).timeout("60s");
});
