import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { findingsIn, type Examined } from "../../unit/cli/doctorProgram";
import { withoutSettings } from "../../unit/environment";
import { fails, newWorld, requestsTo } from "../harness";

const command = resolve(__dirname, "../../../provider/dist/cli.js");

describe("a base URL with white space inside", () => {
  const world = newWorld(() => ({ program }));

  for (const { what, baseUrl } of [
    { what: "a line break in the host", baseUrl: "https://service.invalid\n.example" },
    { what: "a tab in the path", baseUrl: "https://service.invalid/ten\tant" },
    { what: "a blank in the path", baseUrl: "https://service.invalid/ten ant" },
  ]) {
    it(`is refused in the preview: ${what}`, async () => {
      const preview = await world.stack.preview({ env: { USER_GROUPS_BASE_URL: baseUrl } });
      fails(preview, /USER_GROUPS_BASE_URL [^\n]*white space[^\n]*\[setting-invalid\]/);
      assert.deepEqual(requestsTo(world.emulator), []);
    });

    it(`is reported by doctor: ${what}`, async () => {
      const { code, findings } = await runDoctor(baseUrl);
      assert.match(findings["settings"]?.[0] ?? "", /^failed: user-groups:baseUrl .*white space/);
      assert.equal(code, 1);
    });
  }

  /** As `npx` would run it in the program's folder. */
  function runDoctor(baseUrl: string): Promise<Examined> {
    const settings = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: world.emulator.apiToken };
    const options = { cwd: world.stack.folder, env: { ...withoutSettings(process.env), ...settings } };
    return new Promise((done) => {
      const args = [command, "doctor", "--json"];
      const child = execFile(process.execPath, args, options, (_, out, err) => {
        done({ code: child.exitCode ?? -1, out, err, findings: findingsIn(out) });
      });
    });
  }
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Tenant" });
`;
