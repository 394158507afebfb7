import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { withFolder, writeProgram } from "../../harness/run";
import { runCommand, type CommandResult } from "./runCommand";

const address = { USER_GROUPS_BASE_URL: "https://analytics.example.com" };
const token = { USER_GROUPS_API_TOKEN: "t0ken" };
const plain = (value: string) => ({ value, secret: false });

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
        ...["maxConnections", "changes", "formerBaseUrl"].map(
          (name) => `ok       user-groups:${name} has its default.`,
        ),
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
    assert.match(out, /Verdict: 1 of 8 checks failed\.$/);
  });

  it("warns of an API token in plain text, also in a connection, and never prints it", async () => {
    const settings = { ...address, USER_GROUPS_EU_BASE_URL: "https://eu.example.com" };
    const config = {
      "user-groups:apiToken": plain("s3cret"),
      "user-groups:eu": plain(JSON.stringify({ apiToken: "s3cret" })),
    };
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

  it("names a stack that doesn't exist", async () => {
    const { out } = await doctor("error: no stack named 'nope' found", { ...address, ...token }, [
      "--stack",
      "nope",
    ]);
    assert.match(out, /^unknown {2}The stack's configuration can't be read: no stack named 'nope' found\./);
  });

  for (const [flag, value, reason] of [
    ["--connection", "EU", /^pulumi-user-groups: --connection: must /],
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
