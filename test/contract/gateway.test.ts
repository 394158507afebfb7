/** Headers and client certificates reach the service by every transport, for both kinds, as dynamic resources and with the plugin. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "../../provider/src/testing";
import { emulatorTest } from "../harness/emulatorTest";
import { withGateway } from "../harness/gateway";
import { startPlugin } from "../harness/pluginProviders";
import type { Providers } from "../harness/product";
import { withProxy, type Proxy } from "../harness/proxy";
import { inherited, run, withFolder } from "../harness/run";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

const key = "s3cret-key-of-the-gateway";

/** A service that demands this setting, and the setting as a file or a text. */
const settings = {
  headers: {
    demand: { header: ["x-key", key] },
    inFiles: () => ({ headers: JSON.stringify({ "X-Key": key }) }),
    inTexts: () => ({ headers: JSON.stringify({ "x-key": key }) }),
    error: /was refused, and the response body is not JSON .*USER_GROUPS_HEADERS.*\[unauthorized\]/,
  },
  clientCertificate: {
    demand: { isMutual: true },
    inFiles: (folder: string) => ({
      clientCertificate: join(folder, "cert"),
      clientKey: join(folder, "key"),
    }),
    inTexts: () => ({ clientCertificate: tls.cert, clientKey: tls.key }),
    error:
      /ended the TLS handshake \(certificate_required\) .*USER_GROUPS_CLIENT_CERTIFICATE.*\[certificate-untrusted\]/,
  },
} as const;

/** `proxy`: none, one over TCP, or one over TLS, through which the request goes in a tunnel. */
const transports = [
  ["directly", undefined],
  ["through a proxy", {}],
  ["through a proxy over TLS", { tls }],
] as const;

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

for (const [form, use, place] of [
  ["dynamic resources", useDynamic, "inFiles"],
  ["the plugin", usePlugin, "inTexts"],
] as const)
  describe(`contract: behind a gateway, ${form}`, () => {
    for (const [setting, { demand, error, ...values }] of Object.entries(settings))
      for (const [way, proxy] of transports)
        emulatorTest(`send what ${setting} says ${way}`, {}, (emulator) =>
          inFolder(async (folder) => {
            const isTls = setting === "clientCertificate" || proxy !== undefined;
            await withGateway(emulator, { ...demand, isTls }, (baseUrl) =>
              withProxy(proxy ?? {}, async ({ url, ...seen }) => {
                const states = statesIn(emulator);
                const trusted = { NODE_EXTRA_CA_CERTS: join(folder, "cert") };
                const environment = proxy ? { ...trusted, https_proxy: url } : trusted;
                const access = { baseUrl, apiToken: emulator.apiToken };
                if (!proxy) await assert.rejects(use(access, environment, states), error);
                assert.deepEqual(emulator.requests, []);
                await use({ ...access, ...values[place](folder) }, environment, states);
                assertServed(emulator, setting);
                assertTunneled(seen, proxy && new URL(baseUrl).host);
              }),
            );
          }),
        ).timeout("60s");
  });

/** Files with the tests' certificate and its key. */
function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    await writeFile(join(folder, "cert"), tls.cert);
    await writeFile(join(folder, "key"), tls.key);
    await test(folder);
  });
}

function assertServed({ requests, groups }: Emulator, setting: string): void {
  assert.deepEqual([...groups.keys()].sort(), ["acme", "globex", "initech"]);
  assert.equal(requests.filter(({ effect }) => effect === "deleted").length, 2);
  const sent = setting === "headers" ? key : undefined;
  for (const { headers } of requests) assert.equal(headers["x-key"], sent);
}

/** The proxy got neither the header nor the certificate. `target`: the service, if requests go through the proxy. */
function assertTunneled({ connects, received, identities }: Omit<Proxy, "url">, target?: string): void {
  assert.deepEqual([...new Set(connects)], target === undefined ? [] : [target]);
  assert.doesNotMatch(received(), /s3cret|x-key/i);
  assert.equal(identities(), 0);
}
