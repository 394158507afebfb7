import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { withFolder, writeProgram } from "../../harness/run";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { runCommand, type CommandResult } from "./runCommand";

const address = { USER_GROUPS_BASE_URL: "https://analytics.example.com" };
const token = { USER_GROUPS_API_TOKEN: "t0ken" };
const plain = (value: string) => ({ value, secret: false });

const optional = ["timeout", "maxConnections", "changes", "formerBaseUrl", "headers", "clientCertificate", "clientKey"]; // prettier-ignore

describe("doctor", () => {
  it("shows the source of each setting, and that the service wasn't tested", async () => {
    const { code, out, err } = await doctor({ "user-groups:timeout": plain("5") }, { ...address, ...token });
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(
      out,
      [
        "ok       user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL).",
        "ok       user-groups:apiToken is set in the environment (USER_GROUPS_API_TOKEN).",
        "ok       user-groups:timeout is set in the stack's configuration.",
        ...optional.slice(1).map((name) => `ok       user-groups:${name} has its default.`),
        "unknown  The service wasn't tested: neither its address nor the API token.",
        "         Run doctor --probe. It creates, changes and deletes one group.",
        "",
        "Verdict: no check failed; 1 unknown.",
      ].join("\n"),
    );
  });

  it("fails for a missing setting, and says how to set it", async () => {
    const { code, out } = await doctor({}, address, ["--probe"]);
    assert.equal(code, 1);
    assert.doesNotMatch(out, /Run doctor --probe/);
    assert.match(
      out,
      /^failed {3}user-groups:apiToken is missing\.\n {9}Set the environment .*--secret user-/m,
    );
    assert.match(
      out,
      /^unknown {2}The stack's configuration is empty: Pulumi\.<stack>\.yaml is missing, or has no settings\./,
    );
    assert.match(out, /Verdict: 1 of 11 checks failed\.$/);
  });

  it("warns of an API token in plain text, also in a connection, and never prints it", async () => {
    const settings = { ...address, USER_GROUPS_EU_BASE_URL: "https://eu.example.com" };
    const eu = plain(JSON.stringify({ apiToken: "s3cret" }));
    const config = { "user-groups:apiToken": plain("s3cret"), "user-groups:eu": eu };
    for (const [flags, name] of [
      [[], "apiToken"],
      [["--connection", "eu"], "eu.apiToken"],
    ] as const) {
      const { code, out } = await doctor(config, settings, flags);
      assert.equal(code, 0);
      assert(
        out.includes(`warning  user-groups:${name} is set in plain text in the stack's configuration.`),
        out,
      );
      assert(!out.includes("s3cret"));
    }
  });

  it("says that the configuration can't be read, of which it needs nothing that the environment has", async () => {
    const settings = { ...address, ...token };
    assert.doesNotMatch((await doctor({}, settings)).out, /configuration/);
    const { out } = await doctor("error: no stack named 'nope' found", settings, ["--stack", "nope"]);
    assert.match(out, /^unknown {2}The stack's configuration can't be read: no stack named 'nope' found\./);
    for (const name of optional)
      assert.match(out, new RegExp(`^unknown {2}user-groups:${name} isn't in the environment \\(USER_`, "m"));
  });

  it("shows the names of headers and no value, and warns of those in plain text and of a key's text", async () => {
    const config = {
      "user-groups:headers": plain('{"X-Key":"s3cret","x-tenant":"acme"}'),
      "user-groups:clientCertificate": plain(tls.cert),
      "user-groups:clientKey": plain(tls.key),
    };
    const { code, out } = await doctor(config, { ...address, ...token });
    assert.equal(code, 0);
    const warned =
      /^warning {2}user-groups:headers is set in plain text in the stack's configuration: X-Key, x-tenant\.$/m;
    assert.match(out, warned);
    assert.match(out, /^warning {2}user-groups:clientKey is set in plain text/m);
    assert.match(out, /^ok {7}user-groups:clientCertificate is set in the stack's configuration\.$/m);
    for (const text of ["s3cret", "acme", "BEGIN"]) assert(!out.includes(text), out);
    const inEnvironment = { USER_GROUPS_HEADERS: '{"x-key":"s3cret"}' };
    const shown = /headers is set in the environment \(USER_GROUPS_HEADERS\): x-key\.$/m;
    assert.match((await doctor({}, { ...address, ...token, ...inEnvironment })).out, shown);
  });

  it("fails for an invalid setting", async () => {
    const { code, out } = await doctor(
      { "user-groups:clientCertificate": plain(tls.cert) },
      { ...address, ...token },
    );
    assert.equal(code, 1);
    assert.match(
      out,
      /^failed {3}The setting user-groups:clientCertificate requires clientKey, from the same place\.$/m,
    );
  });

  for (const [flag, value, reason] of [
    ["--stack", "dev & calc", /^pulumi-user-groups: --stack: must be the name of a stack/],
    ["--group", "acme", /^pulumi-user-groups: --group: must be the ID of a probe's group$/],
    ["--group", "probe-0123456789", /: --group requires --probe$/],
    ["--mapping", "sales", /: --mapping: must be a JSON object$/],
  ] as const)
    it(`refuses ${flag} ${value}`, async () => {
      const { code, err } = await doctor({}, {}, [flag, value]);
      assert.equal(code, 2);
      assert.match(err, reason);
    });
});

/** Runs doctor with an engine whose stack has this configuration, or which fails with this message. */
function doctor(
  configuration: object | string,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<CommandResult> {
  return withFolder(async (folder) => {
    const fails = `process.stderr.write(${JSON.stringify(configuration)}); process.exitCode = 255;`;
    const prints = `process.stdout.write(${JSON.stringify(JSON.stringify(configuration))});`;
    await writeProgram(folder, "pulumi", typeof configuration === "string" ? fails : prints);
    const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    return runCommand(["doctor", "--folder", folder, ...flags], { environment: { PATH, ...settings } });
  });
}
