/**
 * Ctrl-C and kill -9 of the engine alone. unansweredProxy has Ctrl-C without a response, and test/kills kills the engine with all that it
 * has started.
 */
import assert from "node:assert/strict";
import {
  canKill,
  newFixture,
  packageProgram,
  ProcessKiller,
  pluginProgram,
  succeeds,
  tokensOf,
  type Result,
} from "./harness";
import { until } from "../harness/clock";

const count = 40;
const text = `
  const groups = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["g" + index, { name: "Group" }]));
  exports.tokens = new UserGroups("tenants", { groups }).tokens;
`;
const programs = { "dynamic provider": packageProgram(text), plugin: pluginProgram(text) };

type Interruption = "Ctrl-C" | "Ctrl-C twice" | "kill -9 of the engine alone";

/** Whether the provider learns of it and ends, so that it starts no further request. */
const cases: readonly (readonly [Interruption, keyof typeof programs, "ends" | "goes on"])[] = [
  ["Ctrl-C", "dynamic provider", "goes on"],
  ["Ctrl-C", "plugin", "ends"],
  ["Ctrl-C twice", "dynamic provider", "ends"],
  ["Ctrl-C twice", "plugin", "ends"],
  ["kill -9 of the engine alone", "dynamic provider", "ends"],
  ["kill -9 of the engine alone", "plugin", "ends"],
];

for (const [interruption, name, effect] of cases)
  describe(`${interruption}, with the ${name}`, function () {
    before(function () {
      if (!canKill) this.skip();
    });
    let printed = "";
    const killer = new ProcessKiller();
    const fixture = newFixture(
      () => ({
        program: programs[name],
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
      const ended = await interrupted();
      // The provider keeps its connection as long as it runs.
      await until(() => emulator.openConnections === 0);
      const started = emulator.requests.length;
      assert.equal(started === count, effect === "goes on", `${started} requests\n${ended.output}`);
      if (interruption === "Ctrl-C" && effect === "ends") assert.match(ended.output, /were not tried/);
      await stack.recover();
      emulator.configure({ latency: 0 });
      succeeds(await stack.up());
      assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
      assert.equal(emulator.groups.size, count);
    });

    async function interrupted(): Promise<Result> {
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
      return running;
    }
  });
