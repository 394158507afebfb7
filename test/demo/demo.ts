// examples/quickstart on the real engine, with the emulator as the service. Each step is checked against what the
// engine says and against what the service then has.
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, succeeds, tokensOf, type Stack } from "../engine/harness";
import { example } from "../examples/example";

type Step = (stack: Stack, emulator: Emulator) => Promise<void>;

/** Heading → step. */
const steps: Readonly<Record<string, Step>> = {
  "A preview sends no request": async (stack, { requests }) => {
    assert.deepEqual(succeeds(await stack.preview()).changes, { create: 3 });
    assert.equal(requests.length, 0);
  },
  "The first up creates both groups": async (stack, { groups }) => {
    assert.deepEqual(succeeds(await stack.up()).changes, { create: 3 });
    assert.deepEqual([...groups.keys()].sort(), ["acme", "globex"]);
    assert.deepEqual(groups.get("acme")?.mapping, { sales: "acme-data" });
  },
  "The tokens are an output, and a secret": async (stack, emulator) => {
    const { stdout } = succeeds(await stack.run(["stack", "output", "--stack", "dev"]));
    assert.match(stdout, /tokens +\{"acme":"\[secret\]"/);
    assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
  },
  "A second up changes nothing": async (stack, { requests }) => {
    const former = requests.length;
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.equal(requests.length, former);
  },
  "The preview of a rename names the customer who gets a new token": async (stack, { groups }) => {
    const renamed = { "index.ts": { 'name: "Globex"': 'name: "Globex International"' } };
    await stack.program(example("quickstart", renamed));
    const { changes, output } = succeeds(await stack.preview());
    assert.deepEqual(changes, { update: 1, same: 2 });
    assert.match(output, /user group "globex" gets a new token/);
    assert.equal(groups.get("globex")?.name, "Globex");
  },
  "With overlap, up keeps the former group and its token, so no dashboard is blank": async (
    stack,
    emulator,
  ) => {
    succeeds(await stack.up());
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex", "globex~2"]);
  },
  "The next up deletes the former group": async (stack, emulator) => {
    succeeds(await stack.up());
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex~2"]);
  },
  "Somebody deleted acme outside; a refresh brings it back, with a new token": async (stack, emulator) => {
    const { acme: former } = tokensOf(emulator);
    assert(emulator.removeGroup("acme"));
    const { output } = succeeds(await stack.refresh());
    assert.match(output, /user group "acme" didn't exist.*new token/);
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    const { acme } = tokensOf(emulator);
    assert.notEqual(acme, former);
    assert.deepEqual(await stack.plainOutputs(), {
      tokens: { acme, globex: tokensOf(emulator)["globex~2"] },
    });
  },
  "A destroy deletes both groups": async (stack, { groups }) => {
    assert.deepEqual(succeeds(await stack.destroy()).changes, { delete: 3 });
    assert.equal(groups.size, 0);
  },
};

async function demonstrate(): Promise<void> {
  const emulator = await startEmulator();
  console.log("# A new stack, on a file backend in a temporary folder");
  const echo = (text: string) => process.stdout.write(text);
  const stack = await newStack({ program: example("quickstart"), emulator, echo });
  try {
    for (const [heading, step] of Object.entries(steps)) {
      console.log(`\n# ${heading}\n`);
      await step(stack, emulator);
    }
    console.log("\nAll steps went as they should.");
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

void demonstrate().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
