/** A header and a client certificate reach a gateway by each transport and with both methods. The plugin shows it, as a process of its own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import type { Emulator } from "../../provider/src/testing";
import { emulatorTest } from "../harness/emulatorTest";
import { startPlugin } from "../harness/pluginProviders";
import { portOf } from "../harness/port";
import { withProxy } from "../harness/proxy";
import { withFolder } from "../harness/run";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

const key = "s3cret-key-of-the-gateway";
const headers = JSON.stringify({ "X-Key": key });

type Values = Readonly<Record<string, string>>;

/** Creates groups and deletes one with these settings. Rejects with the product's message. */
async function useGroups(emulator: Emulator, settings: Values, environment: Values): Promise<void> {
  emulator.putGroup({ userGroupId: "acme", name: "Acme" });
  const { token } = emulator.putGroup({ userGroupId: "former", name: "Former" });
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const { userGroup, userGroups, end } = await startPlugin(settings, onLine, environment);
  try {
    await userGroup.create({ userGroupId: "acme", name: "Acme" });
    await userGroups.create({ groups: { globex: { name: "Globex" } } });
    await userGroup.delete("former", { userGroupId: "former", name: "Former", token, adopted: false });
    assert.deepEqual([...emulator.groups.keys()], ["acme", "globex"]);
    // The engine's log isn't behind the proxy.
    assert.match(lines.join(), /"acme" existed before/);
  } finally {
    await end?.();
  }
}

describe("contract: the plugin behind a gateway", () => {
  gatewayTest(
    "sends the header and the certificate, or says what may be missing",
    async (emulator, access) => {
      const { clientCertificate, clientKey, ...others } = access.settings;
      await assert.rejects(
        useGroups(emulator, { ...others, headers }, access.environment),
        /ended the TLS handshake \(certificate_required\) .*USER_GROUPS_CLIENT_CERTIFICATE.*\[certificate-untrusted\]/,
      );
      await assert.rejects(
        useGroups(emulator, access.settings, access.environment),
        /was refused, and the response body is not JSON .*USER_GROUPS_HEADERS.*\[unauthorized\]/,
      );
      assert.deepEqual(emulator.requests, []);
      await useGroups(emulator, { ...access.settings, headers }, access.environment);
    },
  );

  gatewayTest("sends them through a proxy over TLS, which gets neither", (emulator, access) =>
    withProxy({ tls }, async ({ url, connects, received, identities }) => {
      await useGroups(emulator, { ...access.settings, headers }, { ...access.environment, https_proxy: url });
      assert.deepEqual([...new Set(connects)], [new URL(access.settings.baseUrl).host]);
      assert.doesNotMatch(received(), /s3cret|x-key/i);
      assert.equal(identities(), 0);
    }),
  );
});

/** How the plugin reaches a gateway: with all settings but the header. */
interface Access {
  readonly settings: Values & { readonly baseUrl: string };
  readonly environment: Values;
}

/** A test with a gateway that demands the header and the tests' certificate. */
function gatewayTest(title: string, test: (emulator: Emulator, access: Access) => Promise<void>): void {
  emulatorTest(title, {}, async (emulator) => {
    const server = createServer({ ...tls, ca: tls.cert, requestCert: true }, forwardTo(emulator));
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      await withFolder(async (folder) => {
        const certificate = join(folder, "certificate");
        await writeFile(certificate, tls.cert);
        const { apiToken } = emulator;
        const baseUrl = `https://127.0.0.1:${portOf(server)}`;
        const settings = { baseUrl, apiToken, clientCertificate: certificate, clientKey: tls.key };
        await test(emulator, { settings, environment: { NODE_EXTRA_CA_CERTS: certificate } });
      });
    } finally {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    }
  }).timeout("60s");
}

function forwardTo({ baseUrl }: Emulator): RequestListener {
  return (incoming, response) => {
    if (incoming.headers["x-key"] !== key) {
      response.writeHead(403, { "content-type": "text/html" }).end("<html>Forbidden</html>");
      return;
    }
    const { method, headers } = incoming;
    const onward = request(`${baseUrl}${incoming.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  };
}
