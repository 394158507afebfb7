/** Ctrl-C and kill -9 of the engine alone. test/engine/kills kills the engine with all that it has started. */
import assert from "node:assert/strict";
import {
  canKill,
  newFixture,
  packageProgram,
  ProcessKiller,
  pluginProgram,
  succeeds,
  tokensOf,
} from "../support/engine";
import { until } from "../support/harness/clock";

const count = 40;
const text = `
  const groups = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["g" + index, { name: "Group" }]));
  exports.tokens = new UserGroups("tenants", { groups }).tokens;
`;
const programs = { "dynamic provider": packageProgram(text), plugin: pluginProgram(text) };

/** Whether the provider learns of it and ends, so that it starts no further request. */
const cases = [
  ["Ctrl-C", "dynamic provider", "goes on"],
  ["Ctrl-C", "plugin", "ends"],
  ["Ctrl-C twice", "dynamic provider", "ends"],
  ["Ctrl-C twice", "plugin", "ends"],
  ["kill -9 of the engine alone", "dynamic provider", "ends"],
  ["kill -9 of the engine alone", "plugin", "ends"],
] as const;

for (const [interruption, form, effect] of canKill ? cases : [])
  describe(`${interruption}, with the ${form}`, () => {
    let printed = "";
    const killer = new ProcessKiller();
    const fixture = newFixture(
      () => ({
        program: programs[form],
        env: { USER_GROUPS_MAX_CONNECTIONS: "1", ...killer.env },
        echo: (text) => (printed += text),
      }),
      { latency: 200 },
    );

    // The language host of a killed engine goes on.
    after(() => {
      killer.kill();
    });

    it(`${effect}, and the next up does the rest`, async () => {
      const { emulator, stack } = fixture;
      let interrupt: () => void = () => undefined;
      const running = stack.up({ started: (given) => (interrupt = given) });
      await until(() => emulator.requests.length >= 3);
      if (interruption === "kill -9 of the engine alone") killer.kill("pulumi");
      else interrupt();
      if (interruption === "Ctrl-C twice") {
        await until(() => printed.includes("^C received"));
        interrupt();
      }
      const { output } = await running;
      // A second Ctrl-C ends the plugin before it can say anything.
      const isSaid = / the run was cancelled, and \d+ were not tried\. .*\[cancelled\]/.test(output);
      assert.equal(isSaid, interruption === "Ctrl-C" && form === "plugin", output);
      // The provider keeps its connection as long as it runs.
      await until(() => emulator.openConnections === 0);
      const started = emulator.requests.length;
      assert.equal(started === count, effect === "goes on", `${started} requests\n${output}`);
      await stack.recover();
      emulator.configure({ latency: 0 });
      succeeds(await stack.up());
      assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
      assert.equal(emulator.groups.size, count);
    });
  });

/** The SDK's dynamic provider stays then, idle: it has no code of the package before its first operation. */
(canKill ? describe : describe.skip)("kill -9 of the engine before the first operation", () => {
  let printed = "";
  const killer = new ProcessKiller();
  const text = `
    new Provider("service").urn.apply(() => console.log("has begun"));
    setInterval(() => undefined, 1000);
  `;
  const echo = (text: string) => (printed += text);
  const fixture = newFixture(() => ({ program: pluginProgram(text), env: killer.env, echo }));

  after(() => {
    killer.kill();
  });

  it("ends the plugin", async () => {
    const running = fixture.stack.up();
    await until(() => printed.includes("has begun"));
    killer.kill("pulumi");
    await until(() => !killer.isRunning("plugin.cjs"));
    await running;
  });
});
