import assert from "node:assert/strict";
import { inProgram } from "./program";

describe("doctor --probe", () => {
  it(
    "creates the group of that ID, named like it where --name doesn't say otherwise",
    inProgram(async ({ emulator, examine }) => {
      const { code, out, findings } = await examine("--probe", "canary");
      assert.equal(code, 0);
      assert.deepEqual(findings["probe"], ["ok: The service created the group, which stays there"]);
      await examine("--probe", "other", "--name", "Other");
      const asked = emulator.requests.filter(({ method }) => method === "GET").map(({ body }) => body);
      assert.deepEqual(asked, [
        { name: "canary", user_group_id: "canary" },
        { name: "Other", user_group_id: "other" },
      ]);
      const { token = "" } = emulator.groups.get("canary") ?? {};
      assert.ok(token !== "" && !out.includes(token));
    }),
  );

  it(
    "says of one that is there that it is",
    inProgram(async ({ emulator, examine }) => {
      await examine("--probe", "canary");
      const { findings } = await examine("--probe", "canary");
      assert.deepEqual(findings["probe"], ["ok: The service has the group"]);
      assert.equal(emulator.groups.size, 1);
    }),
  );

  it(
    "finds a token that isn't accepted, and shows no address",
    inProgram(async ({ emulator, examine }) => {
      process.env["USER_GROUPS_API_TOKEN"] = "wrong-token";
      const { code, out, findings } = await examine("--probe", "canary");
      assert.equal(code, 1);
      assert.match(
        findings["probe"]?.join() ?? "",
        /^failed: Cannot read user group "canary": the API token was not/,
      );
      for (const hidden of ["wrong-token", emulator.baseUrl]) assert.ok(!out.includes(hidden));
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "can't use a token that is encrypted, and says so before it sends anything",
    inProgram(async ({ emulator, write, examine }) => {
      delete process.env["USER_GROUPS_API_TOKEN"];
      await write({ "Pulumi.dev.yaml": "config:\n  user-groups:apiToken: { secure: v1:sealed }\n" });
      const { code, findings } = await examine("--probe", "canary");
      assert.equal(code, 1);
      assert.deepEqual(findings["probe"], ["failed: The probe needs a setting that is encrypted"]);
      assert.deepEqual(
        emulator.requests.filter(({ method }) => method === "GET"),
        [],
      );
    }),
  );
});
