import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import provider from "../../package.json";
import { startEmulator } from "../../provider/src/testing";
import { runCommand } from "./cli/runCommand";
import { send } from "./testing/rawRequest";

describe("pulumi-user-groups", () => {
  it("shows its commands, the options of each, and its version", async () => {
    for (const [args, shown] of [
      ["--help", /^Usage: npx pulumi-user-groups <command>[^]*\n {2}doctor [^]*\n {2}emulate /],
      ["emulate --help", /^ {2}--port N +port to listen on \(default: 4311/m],
      ["--version", new RegExp(`^${provider.version}$`)],
    ] as const) {
      const { code, out, err } = await runCommand(args.split(" "));
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, shown);
    }
  });

  const wrong: [args: string, reason: string][] = [
    ["", "no command given"],
    ["emulat", "unknown command emulat"],
    ["--frob", "unknown option --frob"],
    ["emulate --frob", "Unknown option '--frob'; see npx pulumi-user-groups --help"],
    ["emulate --port x", "--port: must be an integer from 0 to 65535"],
    ["emulate --existing replace", '--existing: Invalid option: expected one of "keep"|"update"'],
  ];
  for (const [args, reason] of wrong)
    it(`refuses "${args}" in one line: ${reason}`, async () => {
      const { code, out, err } = await runCommand(args.split(" ").filter(Boolean));
      assert.deepEqual([code, out], [2, ""]);
      assert(err.startsWith(`pulumi-user-groups: ${reason}`) && !err.includes("\n"), err);
    });
});

describe("pulumi-user-groups emulate", () => {
  it("prints the address and an API token of its own as shell variables", async () => {
    const { code, out } = await runCommand(["emulate", "--port", "0", "--base-path", "/v1"]);
    assert.equal(code, 0);
    assert.match(
      out,
      /^export USER_GROUPS_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\nexport USER_GROUPS_API_TOKEN=[\w-]{36}$/,
    );
  });

  it("prints neither a given API token nor the groups' tokens", async () => {
    let groupToken = "";
    const { out, err } = await emulate(["--token", "s3cret"], async (baseUrl) => {
      const { text } = await send({ baseUrl, apiToken: "s3cret" }, { body: acme });
      groupToken = /"token":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
    });
    assert(!out.includes("\n"), out);
    assert.equal(linesAfterFirst(err), 'GET "acme" created 200');
    for (const secret of ["s3cret", groupToken]) assert(!`${out}${err}`.includes(secret));
  });

  it("passes its options to the emulator", async () => {
    const options = "--token t --existing update --response requested --empty-properties null --latency 1";
    const deletion = ["--delete-needs", "", "--delete-token-may-be-id"];
    const { err } = await emulate([...options.split(" "), ...deletion], async (baseUrl) => {
      const service = { baseUrl, apiToken: "t" };
      assert.match((await send(service, { body: acme })).text, /"properties":null/);
      await send(service, { body: acme });
      await send(service, { method: "DELETE", body: { current_token: "acme" } });
    });
    assert.equal(
      linesAfterFirst(err),
      'GET "acme" created 200\nGET "acme" updated 200\nDELETE "acme" deleted 200',
    );
  });

  it("fails if the port is used", async () => {
    const other = await startEmulator();
    const { port } = new URL(other.baseUrl);
    const result = await runCommand(["emulate", "--port", port]);
    await other.stop();
    const err = `pulumi-user-groups: Port ${port} is in use. Choose another with --port.`;
    assert.deepEqual(result, { code: 1, out: "", err, piped: "" });
  });

  // On Windows, a signal of another process ends it at once.
  for (const signal of process.platform === "win32" ? [] : (["SIGINT", "SIGTERM"] as const))
    it(`rotates its API token on SIGUSR2, and ends with code 0 on ${signal}`, async () => {
      const cli = join(__dirname, "../../provider/src/cli.ts");
      const args = ["-r", "ts-node/register", cli, "emulate", "--port", "0", "--token", "former"];
      const child = spawn(process.execPath, args);
      const exited = once(child, "exit");
      try {
        const lines = createInterface(child.stdout);
        const nextValue = async () => String(await once(lines, "line")).replace(/^.*=/, "");
        const baseUrl = await nextValue();
        const isAccepted = async (apiToken: string) =>
          (await send({ baseUrl, apiToken }, { body: acme })).text !== '{"success":0}';
        assert(await isAccepted("former"));
        const next = nextValue();
        child.kill("SIGUSR2");
        assert.deepEqual([await isAccepted(await next), await isAccepted("former")], [true, false]);
        child.kill(signal);
        assert.deepEqual(await exited, [0, null]);
      } finally {
        child.kill("SIGKILL");
      }
    }).timeout("20s");
});

const acme = { user_group_id: "acme", name: "Acme" };

/** Runs the emulator's command, and interrupts it after `use`. */
function emulate(args: readonly string[], use: (baseUrl: string) => Promise<void>) {
  const meanwhile = (out: string) => use(/^export USER_GROUPS_BASE_URL=(.*)$/m.exec(out)?.[1] ?? "");
  return runCommand(["emulate", "--port", "0", ...args], { meanwhile });
}

function linesAfterFirst(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}
