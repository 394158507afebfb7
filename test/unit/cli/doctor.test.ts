import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { withFolder, writeProgram } from "../../support/harness/run";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";
import { runCommand, type CommandResult } from "./runCommand";

const address = { USER_GROUPS_BASE_URL: "https://analytics.example.com" };
const access = { ...address, USER_GROUPS_API_TOKEN: "t0ken" };
const inStack = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`user-groups:${name}`, { value, secret: false }]),
  );

describe("doctor", () => {
  it("shows the source of each setting, also as JSON", async () => {
    const { code, out, err } = await doctor(inStack({ timeout: "5" }));
    assert.deepEqual([code, err], [0, ""]);
    const ofGateway = ["headers", "clientCertificate", "clientKey"];
    const others = ["maxConnections", "requestsPerSecond", "changes", "formerBaseUrl", ...ofGateway];
    assert.equal(
      out,
      [
        "ok       user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL).",
        "ok       user-groups:apiToken is set in the environment (USER_GROUPS_API_TOKEN).",
        "ok       user-groups:timeout is set in the stack's configuration.",
        ...others.map((name) => `ok       user-groups:${name} has its default.`),
        "",
        "Verdict: ok. The service wasn't tested: doctor --probe does it.",
      ].join("\n"),
    );
    const json = await doctor({}, { settings: address, flags: ["--json"] });
    const { verdict, findings } = JSON.parse(json.out) as { verdict: string; findings: object[] };
    assert.deepEqual([json.code, verdict], [1, `1 of ${findings.length} checks failed`]);
    assert.deepEqual(Object.keys(findings[2] ?? {}), ["status", "text", "remedy"]);
  });

  const headers = '{"X-Key":"t0ken","x-tenant":"t0ken"}';
  const certificate = inStack({ clientCertificate: tls.cert });
  const pair = inStack({ clientCertificate: tls.cert, clientKey: tls.key });
  const plainText = "is set in plain text in the stack's configuration";
  const passphrase = "error: incorrect passphrase";
  const outside = "error: no Pulumi.yaml project file found (searching upwards from /)";
  const cases: [expected: string, code: number, stack: object | string, options?: DoctorOptions][] = [
    ["failed   user-groups:apiToken is missing.\n         Set the environment", 1, {}, { settings: address }],
    ["unknown  The stack's configuration is empty: Pulumi.<stack>.yaml", 1, {}, { settings: address }],
    ["user-groups:clientCertificate requires clientKey", 1, certificate],
    [`warning  user-groups:apiToken ${plainText}`, 0, inStack({ apiToken: "t0ken" }), { settings: address }],
    [`warning  user-groups:headers ${plainText}: X-Key, x-tenant.`, 0, inStack({ headers })],
    [`warning  user-groups:clientKey ${plainText}`, 0, pair],
    ["unknown  The stack's configuration can't be read: no stack", 0, "error: no stack named 'nope' found"],
    ["unknown  user-groups:apiToken isn't in the environment", 0, passphrase, { settings: address }],
    [
      "unknown  The stack's configuration can't be read: incorrect passphrase.\n         Correct this",
      0,
      passphrase,
    ],
    ["unknown  The service wasn't tested", 0, passphrase, { settings: address, flags: ["--probe", "--yes"] }],
    ["unknown  The stack's configuration can't be read: no Pul", 0, outside, { flags: ["--stack", "dev"] }],
  ];
  for (const [expected, code, stack, options] of cases)
    it(`says "${expected}", with code ${code}`, async () => {
      const result = await doctor(stack, options);
      assert.equal(result.code, code);
      assert(result.out.includes(expected), result.out);
    });

  for (const [flags, reason] of [
    [["--stack", "dev & calc"], /^pulumi-user-groups: --stack: must be the name of a stack/],
    [["--data-source", "warehouse"], /: --data-source requires --probe$/],
  ] as const)
    it(`refuses ${flags.join(" ")}`, async () => {
      const { code, err } = await doctor({}, { flags });
      assert.equal(code, 2);
      assert.match(err, reason);
    });
});

interface DoctorOptions {
  /** The environment. Default: the address and an API token. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Runs doctor with an engine whose stack has this configuration, or which fails with this message. */
function doctor(
  configuration: object | string,
  { settings = access, flags = [] }: DoctorOptions = {},
): Promise<CommandResult> {
  return withFolder(async (folder) => {
    const fails = `process.stderr.write(${JSON.stringify(configuration)}); process.exitCode = 255;`;
    const prints = `process.stdout.write(${JSON.stringify(JSON.stringify(configuration))});`;
    await writeProgram(folder, "pulumi", typeof configuration === "string" ? fails : prints);
    const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    return runCommand(["doctor", ...flags], { environment: { PATH, ...settings } });
  });
}
