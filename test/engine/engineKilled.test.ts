import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { canKill, newFixture } from "./harness";
import { pluginProgram } from "./long/pluginProgram";

const text = `
  const groups = Object.fromEntries(Array.from({ length: 40 }, (_, index) => ["g" + index, { name: "Group" }]));
  new UserGroups("tenants", { groups });
`;

const programs = {
  "dynamic provider": `const { UserGroups } = require("pulumi-user-groups");${text}`,
  plugin: pluginProgram(text),
};

for (const [name, program] of Object.entries(programs))
  describe(`the ${name}, when only the engine is killed`, function () {
    if (!canKill) return;
    const fixture = newFixture(() => ({ program, env: { USER_GROUPS_MAX_CONNECTIONS: "1" } }), {
      latency: 300,
    });

    it("starts no further request", async () => {
      const running = fixture.stack.up();
      while (fixture.emulator.requests.length < 3) await setTimeout(20);
      for (const pid of engines(fixture.emulator.baseUrl)) process.kill(pid, "SIGKILL");
      await running;
      await setTimeout(400);
      const started = fixture.emulator.requests.length;
      assert(started < 30, `${started} requests`);
      await setTimeout(1_500);
      assert.equal(fixture.emulator.requests.length, started);
      await fixture.stack.recover();
    });
  });

/** The processes `pulumi` whose environment has the address of this test's service. */
function engines(baseUrl: string): number[] {
  const lines = execFileSync("ps", ["axeww", "-o", "pid=,comm=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  }).split("\n");
  return lines.flatMap((line) => {
    const [pid = "", comm = ""] = line.trim().split(/\s+/);
    return comm === "pulumi" && line.includes(`USER_GROUPS_BASE_URL=${baseUrl}`) ? [Number(pid)] : [];
  });
}
