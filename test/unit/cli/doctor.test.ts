import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { withFolder, writeProgram } from "../../harness/run";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { runCommand, type CommandResult } from "./runCommand";

const address = { USER_GROUPS_BASE_URL: "https://analytics.example.com" };
const access = { ...address, USER_GROUPS_API_TOKEN: "t0ken" };
const inStack = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`user-groups:${name}`, { value, secret: false }]),
  );

describe("doctor", () => {
  it("shows the source of each setting, and that the service wasn't tested", async () => {
    const { code, out, err } = await doctor(inStack({ timeout: "5" }), access);
    assert.deepEqual([code, err], [0, ""]);
    const others = [
      "maxConnections",
      "changes",
      "formerBaseUrl",
      "headers",
      "clientCertificate",
      "clientKey",
    ];
    assert.equal(
      out,
      [
        "ok       user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL).",
        "ok       user-groups:apiToken is set in the environment (USER_GROUPS_API_TOKEN).",
        "ok       user-groups:timeout is set in the stack's configuration.",
        ...others.map((name) => `ok       user-groups:${name} has its default.`),
        "unknown  The service wasn't tested: neither its address nor the API token.",
        "         Run doctor --probe. It creates, changes and deletes one group.",
        "",
        "Verdict: no check failed; 1 unknown.",
      ].join("\n"),
    );
  });

  const headers = '{"X-Key":"s3cret","x-tenant":"s3cret"}';
  const eu = { USER_GROUPS_EU_BASE_URL: "https://eu.example.com" };
  const plainText = "is set in plain text in the stack's configuration";
  const rows: [expected: string, code: number, stack: object | string, settings: object, flags?: string[]][] =
    [
      ["failed   user-groups:apiToken is missing.\n         Set the environment variable", 1, {}, address],
      ["unknown  The stack's configuration is empty: Pulumi.<stack>.yaml is missing", 1, {}, address],
      [
        "user-groups:clientCertificate requires clientKey",
        1,
        inStack({ clientCertificate: tls.cert }),
        access,
      ],
      [`warning  user-groups:apiToken ${plainText}`, 0, inStack({ apiToken: "s3cret" }), address],
      [`eu.apiToken ${plainText}`, 0, inStack({ eu: '{"apiToken":"s3cret"}' }), eu, ["--connection", "eu"]],
      [`warning  user-groups:headers ${plainText}: X-Key, x-tenant.`, 0, inStack({ headers }), access],
      ["(USER_GROUPS_HEADERS): X-Key, x-tenant.", 0, {}, { ...access, USER_GROUPS_HEADERS: headers }],
      [
        `clientCertificate is set in the stack's configuration.\nwarning  user-groups:clientKey ${plainText}`,
        0,
        inStack({ clientCertificate: tls.cert, clientKey: tls.key }),
        access,
      ],
      [
        "configuration can't be read: no stack named 'nope' found.",
        0,
        "error: no stack named 'nope' found",
        access,
      ],
      ["unknown  user-groups:timeout isn't in the environment (USER_GROUPS_TIMEOUT).", 0, "error", access],
    ];
  for (const [expected, code, stack, settings, flags] of rows)
    it(`says "${expected}", with code ${code}`, async () => {
      const result = await doctor(stack, { ...settings }, flags);
      assert.equal(result.code, code);
      assert(result.out.includes(expected), result.out);
      assert.doesNotMatch(result.out, /s3cret|BEGIN/);
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
