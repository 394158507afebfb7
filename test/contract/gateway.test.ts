/** A header and a client certificate reach a gateway by each transport, for both kinds, as dynamic resources and with the plugin. */
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
import type { Providers } from "../harness/product";
import { withProxy } from "../harness/proxy";
import { inherited, run, withFolder } from "../harness/run";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

const key = "s3cret-key-of-the-gateway";
const headers = JSON.stringify({ "X-Key": key });

type Values = Readonly<Record<string, string>>;

/** Creates and deletes groups. Rejects with the product's message. */
type Use = (settings: Values, environment: Values, states: States) => Promise<void>;

/** With the stack's configuration. */
const usePlugin: Use = async (configuration, environment, states) => {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const { userGroup, userGroups, end } = await startPlugin(configuration, onLine, environment);
  try {
    await useGroups({ userGroup, userGroups }, states);
    // The engine's log isn't behind the proxy.
    assert.match(lines.join(), /"acme" existed before/);
  } finally {
    await end?.();
  }
};

/** With the settings in the environment, in a process of its own, because only its start reads certificates of authorities. */
const useDynamic: Use = async (configuration, environment, states) => {
  const variables = Object.entries(configuration).map(([name, value]): [string, string] => [
    `USER_GROUPS_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
    value,
  ]);
  const program = `
    ${useGroups.toString()}
    useGroups(require("./dist/provider"), ${JSON.stringify(states)}).catch(({ message }) => {
      process.stderr.write(message);
      process.exitCode = 1;
    });`;
  const env = { ...inherited(), ...environment, ...Object.fromEntries(variables) };
  const { code, stderr } = await run(process.execPath, ["--eval", program], { env });
  if (code !== 0) throw new Error(stderr);
};

/** Groups of both kinds that the service has. */
type States = ReturnType<typeof statesIn>;

function statesIn(emulator: Emulator) {
  emulator.putGroup({ userGroupId: "acme", name: "Acme" });
  const [one, many] = ["one", "many"].map(
    (userGroupId) => emulator.putGroup({ userGroupId, name: "Former" }).token,
  );
  return {
    userGroup: { userGroupId: "one", name: "Former", token: one, adopted: false },
    userGroups: { groups: { many: { name: "Former" } }, tokens: { many }, adopted: [] },
  };
}

async function useGroups(
  { userGroup, userGroups }: Pick<Providers, "userGroup" | "userGroups">,
  states: States,
) {
  await userGroup.create({ userGroupId: "acme", name: "Acme" });
  await userGroups.create({ groups: { globex: { name: "Globex" }, initech: { name: "Initech" } } });
  await userGroup.delete("one", states.userGroup);
  await userGroups.delete("user-groups", states.userGroups);
}

for (const [form, use, identityIn] of [
  [
    "dynamic resources",
    useDynamic,
    (folder: string) => ({ clientCertificate: join(folder, "cert"), clientKey: join(folder, "key") }),
  ],
  ["the plugin", usePlugin, () => ({ clientCertificate: tls.cert, clientKey: tls.key })],
] as const)
  describe(`contract: behind a gateway, ${form}`, () => {
    emulatorTest("send the header and the certificate, or say what may be missing", {}, (emulator) =>
      withGateway(emulator, async (access, folder) => {
        const states = statesIn(emulator);
        const environment = { NODE_EXTRA_CA_CERTS: join(folder, "cert") };
        const identity = identityIn(folder);
        await assert.rejects(
          use({ ...access, headers }, environment, states),
          /ended the TLS handshake \(certificate_required\) .*USER_GROUPS_CLIENT_CERTIFICATE.*\[certificate-untrusted\]/,
        );
        await assert.rejects(
          use({ ...access, ...identity }, environment, states),
          /was refused, and the response body is not JSON .*USER_GROUPS_HEADERS.*\[unauthorized\]/,
        );
        assert.deepEqual(emulator.requests, []);
        await use({ ...access, ...identity, headers }, environment, states);
        assertServed(emulator);
      }),
    ).timeout("60s");

    emulatorTest("send them through a proxy over TLS, which gets neither", {}, (emulator) =>
      withGateway(emulator, (access, folder) =>
        withProxy({ tls }, async ({ url, connects, received, identities }) => {
          const environment = { NODE_EXTRA_CA_CERTS: join(folder, "cert"), https_proxy: url };
          await use({ ...access, ...identityIn(folder), headers }, environment, statesIn(emulator));
          assertServed(emulator);
          assert.deepEqual([...new Set(connects)], [new URL(access.baseUrl).host]);
          assert.doesNotMatch(received(), /s3cret|x-key/i);
          assert.equal(identities(), 0);
        }),
      ),
    ).timeout("60s");
  });

function assertServed({ requests, groups }: Emulator): void {
  assert.deepEqual([...groups.keys()].sort(), ["acme", "globex", "initech"]);
  assert.equal(requests.filter(({ effect }) => effect === "deleted").length, 2);
}

type Access = Pick<Emulator, "baseUrl" | "apiToken">;

/** Runs a test with a gateway that demands the header and the tests' certificate, which are in files of the folder, too. */
async function withGateway(
  { baseUrl, apiToken }: Emulator,
  test: (access: Values & Access, folder: string) => Promise<void>,
): Promise<void> {
  const forward: RequestListener = (incoming, response) => {
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
  const server = createServer({ ...tls, ca: tls.cert, requestCert: true }, forward);
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    await withFolder(async (folder) => {
      await writeFile(join(folder, "cert"), tls.cert);
      await writeFile(join(folder, "key"), tls.key);
      await test({ baseUrl: `https://127.0.0.1:${portOf(server)}`, apiToken }, folder);
    });
  } finally {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
