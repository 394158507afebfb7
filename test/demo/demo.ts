// examples/quickstart on the real engine, with the emulator as the service. Each step is checked against what the
// engine says and against what the service then has.
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, succeeds, tokensOf, type Stack } from "../engine/harness";
import { example } from "../examples/example";

type Step = (stack: Stack, emulator: Emulator) => Promise<void>;

/** The IDs in the service, in order, and that of globex as it is: `overlap` makes it of the values. */
function idsIn({ groups }: Emulator): string[] {
  return [...groups.values()]
    .map(({ userGroupId, name }) => `${userGroupId.replace(/~[0-9a-f]{8}$/, "~…")} ${name}`)
    .sort();
}

/** The tokens as the program exports them. */
function tokensIn(emulator: Emulator): object {
  const [globex = ""] = Object.keys(tokensOf(emulator)).filter((id) => id.startsWith("globex~"));
  return { tokens: { acme: tokensOf(emulator)["acme"], globex: tokensOf(emulator)[globex] } };
}

/** Heading → step. */
const steps: Readonly<Record<string, Step>> = {
  "A preview sends no request": async (stack, { requests }) => {
    assert.deepEqual(succeeds(await stack.preview()).changes, { create: 3 });
    assert.equal(requests.length, 0);
  },
  "The first up creates both groups": async (stack, emulator) => {
    assert.deepEqual(succeeds(await stack.up()).changes, { create: 3 });
    assert.deepEqual(idsIn(emulator), ["acme Acme", "globex~… Globex"]);
    assert.deepEqual(emulator.groups.get("acme")?.mapping, { sales: "acme-data" });
  },
  "The tokens are an output, and a secret": async (stack, emulator) => {
    const { stdout } = succeeds(await stack.run(["stack", "output", "--stack", "dev"]));
    assert.match(stdout, /tokens +\{"acme":"\[secret\]"/);
    assert.deepEqual(await stack.plainOutputs(), tokensIn(emulator));
  },
  "A second up changes nothing": async (stack, { requests }) => {
    const former = requests.length;
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.equal(requests.length, former);
  },
  "The preview of a rename names the customer who gets a new token": async (stack, emulator) => {
    const renamed = { "index.ts": { 'name: "Globex"': 'name: "Globex International"' } };
    await stack.program(example("quickstart", renamed));
    const { changes, output } = succeeds(await stack.preview());
    assert.deepEqual(changes, { update: 1, same: 2 });
    assert.match(output, /user group "globex" gets a new token/);
    assert.deepEqual(idsIn(emulator), ["acme Acme", "globex~… Globex"]);
  },
  "With overlap, up keeps the former group and its token, so no dashboard is blank": async (
    stack,
    emulator,
  ) => {
    succeeds(await stack.up());
    assert.deepEqual(idsIn(emulator), ["acme Acme", "globex~… Globex", "globex~… Globex International"]);
  },
  "The next up deletes the former group": async (stack, emulator) => {
    succeeds(await stack.up());
    assert.deepEqual(idsIn(emulator), ["acme Acme", "globex~… Globex International"]);
  },
  "Somebody deleted acme outside; a refresh brings it back, with a new token": async (stack, emulator) => {
    const { acme: former } = tokensOf(emulator);
    assert(emulator.removeGroup("acme"));
    const { output } = succeeds(await stack.refresh());
    assert.match(output, /user group "acme" didn't exist.*new token/);
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.notEqual(tokensOf(emulator)["acme"], former);
    assert.deepEqual(await stack.plainOutputs(), tokensIn(emulator));
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
