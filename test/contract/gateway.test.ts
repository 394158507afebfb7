/** Headers and client certificates reach the service by every transport, and no proxy sees them. `commands` has dynamic resources behind a gateway. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "../../provider/testing";
import { emulatorTest } from "../support/harness/emulatorTest";
import { withGateway } from "../support/harness/gateway";
import { startPlugin } from "../support/harness/pluginProviders";
import { startProviders, type Providers } from "../support/harness/product";
import { withProxy } from "../support/harness/proxy";
import { withFolder } from "../support/harness/run";
import { propertiesOf, withoutSecretMarks } from "../../provider/values";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

const acme = { userGroupId: "acme", name: "Acme" };
const former = { userGroupId: "former", name: "Former" };
const key = "s3cret-key-of-the-gateway";

/** A setting, the gateway that demands it, and the error without it. */
const cases = [
  {
    what: "headers",
    settings: { headers: JSON.stringify({ "X-Key": key }) },
    demand: { header: ["x-key", key] },
    error: /was refused, and the response body is not JSON .*USER_GROUPS_HEADERS.*\[unauthorized\]/,
  },
  {
    what: "a client certificate",
    settings: { clientCertificate: tls.cert, clientKey: tls.key },
    demand: { isMutual: true },
    error:
      /ended the TLS handshake \(certificate_required\) .*USER_GROUPS_CLIENT_CERTIFICATE.*\[certificate-untrusted\]/,
  },
] as const;

describe("contract: behind a gateway, the plugin", () => {
  for (const { what, settings, demand, error } of cases) {
    emulatorTest(`sends ${what}`, {}, (emulator) =>
      withGateway(emulator, { ...demand, isTls: what !== "headers" }, async (baseUrl) => {
        await assert.rejects(useGroups(emulator, { baseUrl }, {}), error);
        assert.deepEqual(emulator.requests, []);
        await useGroups(emulator, { baseUrl, ...settings }, {});
        assertServed(emulator, what);
      }),
    );

    for (const [way, proxy] of [
      ["a proxy", {}],
      ["a proxy over TLS", { tls }],
    ] as const)
      emulatorTest(`sends ${what} through ${way}, which doesn't see it`, {}, (emulator) =>
        withGateway(emulator, { ...demand, isTls: true }, (baseUrl) =>
          withProxy(proxy, async ({ url, connects, received, certificates }) => {
            await useGroups(emulator, { baseUrl, ...settings }, { https_proxy: url });
            assertServed(emulator, what);
            assert.deepEqual([...new Set(connects)], [new URL(baseUrl).host]);
            assert.doesNotMatch(received(), /s3cret|x-key/i);
            assert.equal(certificates(), 0);
          }),
        ),
      );
  }
});

emulatorTest("a cache in between never gives a state the token of a group that was deleted", {}, (emulator) =>
  withGateway(emulator, { isTls: false, isCache: true }, async (baseUrl) => {
    const create = async ({ userGroup }: Providers) =>
      withoutSecretMarks((await userGroup.create(acme)).outs);
    const start = () => startProviders({ settings: { baseUrl, apiToken: emulator.apiToken } });
    await start().userGroup.delete("acme", await create(start()));
    const { token } = propertiesOf(await create(start()));
    assert.equal(token, emulator.groups.get("acme")?.token);
  }),
);

/** Adopts a group and deletes another one, with a GET and a DELETE. Rejects with the product's message. */
function useGroups(
  emulator: Emulator,
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  emulator.putGroup(acme);
  const { token } = emulator.putGroup(former);
  return withFolder(async (folder) => {
    const certificate = join(folder, "cert");
    await writeFile(certificate, tls.cert);
    const lines: string[] = [];
    const { userGroup, end } = await startPlugin(
      { apiToken: emulator.apiToken, ...settings },
      (line) => lines.push(line),
      { NODE_EXTRA_CA_CERTS: certificate, ...environment },
    );
    try {
      await userGroup.create(acme);
      await userGroup.delete("former", { ...former, token, adopted: false });
    } finally {
      await end?.();
    }
    // The engine's log isn't behind the proxy.
    assert.match(lines.join(), /"acme" existed before/);
  });
}

function assertServed({ requests, groups }: Emulator, what: string): void {
  assert.deepEqual([...groups.keys()], ["acme"]);
  const sent = what === "headers" ? key : undefined;
  assert.deepEqual([...new Set(requests.map(({ method }) => method))], ["GET", "DELETE"]);
  for (const { headers } of requests) assert.equal(headers["x-key"], sent);
}
