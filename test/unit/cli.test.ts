import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { main } from "../../provider/src/cli";
import { startEmulator } from "../../provider/src/testing";
import { chunksOf, until } from "./testing/world";

const provider = join(__dirname, "..", "..", "provider");

describe("pulumi-user-groups", () => {
  it("lists its commands with --help", async () => {
    const { code, out, err } = await run(["--help"]);
    assert.deepEqual([code, err], [0, []]);
    assert.match(
      out.join("\n"),
      /^Usage: npx pulumi-user-groups <command>[^]*\n {2}doctor [^]*\n {2}emulate /,
    );
  });

  it("shows the package's version with --version", async () => {
    const { code, out } = await run(["--version"]);
    assert.equal(code, 0);
    assert.ok(readFileSync(join(provider, "package.json"), "utf8").includes(`"version": "${out.join()}"`));
  });

  const wrong: [string, string][] = [
    ["", "no command given"],
    ["emulat", "unknown command emulat"],
    ["--frob", "unknown option --frob"],
    ["emulate --frob", "Unknown option '--frob'"],
    ["emulate now", "Unexpected argument 'now'"],
    ["emulate --port x", "--port: must be an integer from 0 to 65535"],
    ["emulate --token", "Option '--token <value>' argument missing"],
    ["emulate --existing replace", '--existing: Invalid option: expected one of "keep"|"update"'],
    ["emulate --empty-properties no", '--empty-properties: Invalid option: expected one of "absent"|"null"'],
    ["emulate --delete-needs name", "--delete-needs: Invalid option: expected one of"],
  ];
  for (const [args, complaint] of wrong) {
    it(`says in one line what is wrong with "${args}"`, async () => {
      const { code, out, err } = await run(args.split(" ").filter(Boolean));
      assert.deepEqual([code, out, err.length], [2, [], 1]);
      assert.ok(err[0]?.startsWith(`pulumi-user-groups: ${complaint}`), err[0]);
    });
  }
});

describe("pulumi-user-groups emulate", () => {
  it("shows its options with --help", async () => {
    const { code, out } = await run(["emulate", "--help"]);
    assert.equal(code, 0);
    for (const flag of [
      "port N",
      "token T",
      "base-path",
      "latency",
      "existing",
      "response",
      "empty-properties",
    ]) {
      assert.ok(out[0]?.includes(`  --${flag} `), flag);
    }
  });

  it("prints what to set for the address and for a token of its own", async () => {
    const { code, out } = await run(["emulate", "--base-path", "/v1"]);
    assert.equal(code, 0);
    assert.match(out[0] ?? "", /^export USER_GROUPS_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.match(out[1] ?? "", /^export USER_GROUPS_API_TOKEN=[\w-]{36}$/);
  });

  it("prints nothing of a token that it is given, nor of the groups' tokens", async () => {
    let answer = "";
    const { out, err } = await run(["emulate", "--token", "s3cret"], async (baseUrl) => {
      answer = await getOrCreate(baseUrl, "s3cret");
    });
    const groupToken = /"token":"([^"]+)"/.exec(answer)?.[1] ?? assert.fail(answer);
    assert.deepEqual([out.length, err.slice(1)], [1, ['GET "acme" created 200']]);
    for (const secret of ["s3cret", groupToken]) assert.ok(![...out, ...err].join().includes(secret));
  });

  it("hands its choices on to the emulator", async () => {
    const choices = "--token t --existing update --response requested --empty-properties null --latency 1";
    const needs = ["--delete-needs", "", "--delete-token-may-be-id"];
    const { err } = await run(["emulate", ...choices.split(" "), ...needs], async (baseUrl) => {
      assert.match(await getOrCreate(baseUrl, "t"), /"properties":null/);
      await getOrCreate(baseUrl, "t");
      await getOrCreate(baseUrl, "t", "DELETE", { current_token: "acme" });
    });
    assert.deepEqual(err.slice(1), [
      'GET "acme" created 200',
      'GET "acme" updated 200',
      'DELETE "acme" deleted 200',
    ]);
  });

  it("fails where the port is taken", async () => {
    const other = await startEmulator();
    const { port } = new URL(other.baseUrl);
    const { code, out, err } = await run(["emulate", "--port", port]);
    await other.stop();
    assert.deepEqual([code, out], [1, []]);
    assert.deepEqual(err, [
      `pulumi-user-groups: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    ]);
  });

  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) {
    it(`ends with code 0 on ${signal}`, async () => {
      const child = spawn(process.execPath, [
        "-r",
        "ts-node/register",
        join(provider, "src/cli.ts"),
        "emulate",
      ]);
      const exited = once(child, "exit");
      try {
        const baseUrl = await new Promise<string>((resolve) => {
          createInterface(child.stdout).once("line", (line) => {
            resolve(line.replace(/^.*=/, ""));
          });
        });
        assert.equal(await getOrCreate(baseUrl, "wrong"), '{"success":0}');
        child.kill(signal);
        assert.deepEqual(await exited, [0, null]);
      } finally {
        child.kill("SIGKILL");
      }
    }).timeout(20_000);
  }
});

interface Ended {
  readonly code: number;
  readonly out: string[];
  readonly err: string[];
}

/** Runs the command in this process; interrupts it once it listens and `meanwhile` is done. */
async function run(args: string[], meanwhile?: (baseUrl: string) => Promise<void>): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const interrupted = async () => {
    await until(() => err.length > 0);
    await meanwhile?.(out[0]?.replace(/^.*=/, "") ?? "");
  };
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    interrupted,
    environment: {},
  };
  return { code: await main(args, terminal), out, err };
}

async function getOrCreate(baseUrl: string, apiToken: string, method = "GET", body: object = acme) {
  const text = JSON.stringify(body);
  const headers = { authorization: `Token ${apiToken}`, "content-length": Buffer.byteLength(text) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${baseUrl}/api/user`, { method, headers }, resolve).on("error", reject).end(text);
  });
  return Buffer.concat(await chunksOf(response)).toString();
}

const acme = { user_group_id: "acme", name: "Acme" };
