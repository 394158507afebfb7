import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { findingsIn, type Examined } from "../../unit/cli/doctorProgram";
import { withoutSettings } from "../../unit/environment";
import { newWorld, succeeds, type Environment } from "../harness";

const command = resolve(__dirname, "../../../provider/dist/cli.js");

describe("npx pulumi-user-groups doctor", () => {
  const world = newWorld(() => ({
    program: { "index.js": program, "package.json": manifest },
    config: { "user-groups:timeout": "30" },
  }));
  before(async () => {
    succeeds(await world.stack.up());
  });

  it("finds nothing amiss with a program that works, and asks for no group", async () => {
    world.emulator.clearRequests();
    const { code, findings } = await runDoctor();
    assert.deepEqual(
      Object.values(findings)
        .flat()
        .filter((finding) => !finding.startsWith("ok")),
      [],
    );
    assert.equal(findings["settings"]?.[2], "ok: user-groups:timeout is set in Pulumi.dev.yaml");
    assert.equal(code, 0);
    assert.deepEqual(
      world.emulator.requests.map(({ method }) => method),
      ["HEAD"],
    );
  });

  /** As `npx` would run it in the program's folder. */
  function runDoctor(flags: readonly string[] = [], changes: Environment = {}): Promise<Examined> {
    const { baseUrl, apiToken } = world.emulator;
    const env = {
      ...withoutSettings(process.env),
      USER_GROUPS_BASE_URL: baseUrl,
      USER_GROUPS_API_TOKEN: apiToken,
      ...changes,
    };
    const options = { cwd: world.stack.folder, env };
    return new Promise((done) => {
      const child = execFile(
        process.execPath,
        [command, "doctor", "--json", ...flags],
        options,
        (_, out, err) => {
          done({ code: child.exitCode ?? -1, out, err, findings: findingsIn(out) });
        },
      );
    });
  }
});

const manifest = '{ "name": "tests", "private": true, "dependencies": { "pulumi-user-groups": "^0.1.0" } }';

const program = `
  const { secret } = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
  const properties = { licence: secret("of initech") };
  new UserGroups("tenants", { groups: { globex: { name: "Globex" }, initech: { name: "Initech", properties } } });
`;
