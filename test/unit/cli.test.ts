import assert from "node:assert/strict";
import provider from "../../package.json";
import { emulatorTest } from "../support/harness/emulatorTest";
import { runCommand } from "./cli/runCommand";
import { send } from "./testing/rawRequest";

const acme = { user_group_id: "acme", name: "Acme" };

describe("pulumi-user-groups", () => {
  for (const [args, code, shown] of [
    ["--help", 0, /^Usage: npx --no pulumi-user-groups <command>[^]*\n {2}doctor [^]*\n {2}emulate /],
    ["emulate --help", 0, /^ {2}--port N +port to listen on \(default: 4311/m],
    ["--version", 0, new RegExp(`^${provider.version}$`)],
    ["emulate --frob", 2, /: Unknown option '--frob'; see npx --no -- pulumi-user-groups --help$/],
  ] as const)
    it(`${args}: ends with code ${code} and ${shown.source}`, async () => {
      const result = await runCommand(args.split(" ").filter(Boolean));
      const [stream, other] = code === 0 ? (["out", "err"] as const) : (["err", "out"] as const);
      assert.deepEqual([result.code, result[other]], [code, ""]);
      assert.match(result[stream], shown);
    });
});

describe("pulumi-user-groups emulate", () => {
  it("passes its options to the emulator, and prints each request, but no token", async () => {
    const options = "--token s3cret --existing update --empty-properties null --delete-token-may-be-id";
    const args = ["emulate", "--port", "0", ...options.split(" "), "--delete-needs", ""];
    let groupToken = "";
    const { out, err } = await runCommand(args, {
      interrupted: async (firstLine) => {
        const service = { baseUrl: (await firstLine).replace(/^.*=/, ""), apiToken: "s3cret" };
        const { text } = await send(service, { body: acme });
        assert.match(text, /"properties":null/);
        groupToken = /"token":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
        await send(service, { body: acme });
        await send(service, { method: "DELETE", body: { current_token: "acme" } });
      },
    });
    const requests = err.split("\n").slice(1);
    assert.deepEqual(requests, [
      'GET "acme" created 200',
      'GET "acme" updated 200',
      'DELETE "acme" deleted 200',
    ]);
    for (const secret of ["s3cret", groupToken]) assert(!`${out}${err}`.includes(secret));
  });

  emulatorTest("says that its port is in use", {}, async ({ baseUrl }) => {
    const { port } = new URL(baseUrl);
    const { code, err } = await runCommand(["emulate", "--port", port]);
    assert.equal(code, 1);
    assert(err.endsWith(`Port ${port} is in use. Choose another with --port.`), err);
  });
});
