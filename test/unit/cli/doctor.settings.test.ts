import assert from "node:assert/strict";
import { inProgram } from "./doctorProgram";

describe("doctor: settings", () => {
  it(
    "says of each which file or variable gave it, and the value of none",
    inProgram(async ({ environment, emulator, write, examine }) => {
      delete environment["USER_GROUPS_API_TOKEN"];
      environment["USER_GROUPS_TIMEOUT"] = "7.25";
      await write({
        "Pulumi.yaml": "name: tests\nruntime: nodejs\nconfig:\n  user-groups:changes: { value: update }\n",
        "Pulumi.dev.yaml":
          "config:\n  user-groups:apiToken: { secure: v1:sealed }\n" +
          "  user-groups:maxConnections: 13\n  user-groups:timeout: 99\n",
      });
      const { code, out, findings } = await examine();
      assert.equal(code, 0);
      assert.deepEqual(findings["settings"], [
        "ok: user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL)",
        "ok: user-groups:apiToken is set, encrypted, in Pulumi.dev.yaml",
        "ok: user-groups:timeout is set in the environment (USER_GROUPS_TIMEOUT)",
        "ok: user-groups:maxConnections is set in Pulumi.dev.yaml",
        "ok: user-groups:changes is set in Pulumi.yaml",
        "ok: user-groups:formerBaseUrl isn't set: the service hasn't moved",
      ]);
      for (const value of [emulator.baseUrl, "sealed", "13", "7.25", "99"])
        assert.ok(!out.includes(`"${value}`));
    }),
  );

  it(
    "warns of an API token in plain text, without its text",
    inProgram(async ({ environment, emulator, write, examine }) => {
      delete environment["USER_GROUPS_API_TOKEN"];
      await write({ "Pulumi.dev.yaml": `config:\n  user-groups:apiToken: ${emulator.apiToken}\n` });
      const { code, out, findings } = await examine();
      assert.equal(code, 0);
      assert.equal(
        findings["settings"]?.[1],
        "warning: user-groups:apiToken is set in plain text in Pulumi.dev.yaml",
      );
      assert.ok(!out.includes(emulator.apiToken));
    }),
  );

  it(
    "finds those that are missing or wrong, and says nothing of what they are",
    inProgram(async ({ environment, examine }) => {
      delete environment["USER_GROUPS_API_TOKEN"];
      Object.assign(environment, {
        USER_GROUPS_BASE_URL: "http://example.com/?hush",
        USER_GROUPS_CHANGES: "hush",
      });
      const { code, out, findings } = await examine();
      assert.equal(code, 1);
      assert.deepEqual(
        findings["settings"]?.filter((finding) => finding.startsWith("failed")),
        [
          "failed: user-groups:baseUrl must be an https URL, or an http URL of a loopback host",
          "failed: user-groups:apiToken is missing",
          'failed: user-groups:changes must be "replace" or "update"',
        ],
      );
      assert.match(out, /pulumi config set --secret user-groups:apiToken/);
      assert.ok(!out.includes("hush"));
      assert.match(findings["service"]?.join() ?? "", /^skipped: /);
    }),
  );

  it(
    "reads those of a connection, be they keys or one object, and no others",
    inProgram(async ({ environment, emulator, write, examine }) => {
      delete environment["USER_GROUPS_BASE_URL"];
      await write({
        "Pulumi.dev.yaml":
          `config:\n  user-groups:eu: { baseUrl: "${emulator.baseUrl}", apiToken: { secure: v1:sealed } }\n` +
          "  user-groups:eu.timeout: 5\n",
      });
      const { findings } = await examine("--connection", "eu");
      assert.deepEqual(findings["settings"]?.slice(0, 3), [
        "ok: user-groups:eu.baseUrl is set in Pulumi.dev.yaml",
        "ok: user-groups:eu.apiToken is set, encrypted, in Pulumi.dev.yaml",
        "ok: user-groups:eu.timeout is set in Pulumi.dev.yaml",
      ]);
      assert.match(findings["service"]?.join() ?? "", /^ok: /);
      const { findings: others } = await examine("--connection", "us");
      assert.equal(others["settings"]?.[0], "failed: user-groups:us.baseUrl is missing");
    }),
  );

  it(
    "finds a connection that is no object",
    inProgram(async ({ write, examine }) => {
      await write({ "Pulumi.dev.yaml": "config:\n  user-groups:eu: here\n" });
      const { code, findings } = await examine("--connection", "eu");
      assert.equal(code, 1);
      assert.deepEqual(findings["settings"], ["failed: The setting user-groups:eu must be an object"]);
    }),
  );
});
