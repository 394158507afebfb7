// examples/quickstart on the real engine, with the emulator as the service. Each step is checked against what the
// engine says and against what the service then has.
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, succeeds, type Stack } from "../engine/harness";
import { example } from "../examples/example";

interface DemoContext {
  readonly emulator: Emulator;
  readonly stack: Stack;
}

interface Step {
  readonly heading: string;
  readonly run: (context: DemoContext) => Promise<void>;
}

const steps: readonly Step[] = [
  {
    heading: "A preview sends no request",
    async run({ emulator, stack }) {
      const { changes } = succeeds(await stack.preview());
      assert.deepEqual(changes, { create: 3 });
      assert.equal(emulator.requests.length, 0);
    },
  },
  {
    heading: "The first up creates both groups",
    async run({ emulator, stack }) {
      const { changes } = succeeds(await stack.up());
      assert.deepEqual(changes, { create: 3 });
      assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);
      assert.deepEqual(emulator.groups.get("acme")?.mapping, { sales: "acme-warehouse" });
    },
  },
  {
    heading: "The token is an output, and a secret",
    async run({ emulator, stack }) {
      const { stdout } = succeeds(await stack.run(["stack", "output", "--stack", "dev"]));
      assert.match(stdout, /acmeToken +\[secret\]/);
      assert.deepEqual(await stack.plainOutputs(), { acmeToken: tokenOf(emulator, "acme") });
    },
  },
  {
    heading: "A second up changes nothing",
    async run({ emulator, stack }) {
      const requests = emulator.requests.length;
      const { changes } = succeeds(await stack.up());
      assert.deepEqual(changes, { same: 3 });
      assert.equal(emulator.requests.length, requests);
    },
  },
  {
    heading: "The preview of a rename shows that the group is replaced",
    async run({ emulator, stack }) {
      const renamed = { "index.ts": { 'name: "Globex"': 'name: "Globex International"' } };
      await stack.program(example("quickstart", renamed));
      const { changes } = succeeds(await stack.preview({ flags: ["--diff"] }));
      assert.deepEqual(changes, { replace: 1, same: 2 });
      assert.equal(emulator.groups.get("globex")?.name, "Globex");
      await stack.program(example("quickstart"));
    },
  },
  {
    heading: "Somebody deleted acme outside; a refresh brings it back, with a new token",
    async run({ emulator, stack }) {
      const before = tokenOf(emulator, "acme");
      assert(emulator.removeGroup("acme"));
      const { output } = succeeds(await stack.refresh());
      assert.match(output, /Groups didn't exist.*new tokens: user group "acme"/);
      assert.notEqual(tokenOf(emulator, "acme"), before);
      assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
      assert.deepEqual(await stack.plainOutputs(), { acmeToken: tokenOf(emulator, "acme") });
    },
  },
  {
    heading: "A destroy deletes both groups",
    async run({ emulator, stack }) {
      const { changes } = succeeds(await stack.destroy());
      assert.deepEqual(changes, { delete: 3 });
      assert.equal(emulator.groups.size, 0);
    },
  },
];

void demonstrate().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function demonstrate(): Promise<void> {
  const emulator = await startEmulator();
  console.log("# A new stack, on a file backend in a temporary folder\n");
  const echo = (text: string) => process.stdout.write(text);
  const stack = await newStack({ program: example("quickstart"), emulator, echo });
  try {
    for (const step of steps) await show(step, { emulator, stack });
    console.log(`\nAll ${steps.length} steps went as they should.`);
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

async function show({ heading, run }: Step, context: DemoContext): Promise<void> {
  console.log(`\n# ${heading}\n`);
  await run(context).catch((cause: unknown) => {
    throw new Error(`"${heading}": ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
}

function tokenOf(emulator: Emulator, userGroupId: string): string | undefined {
  return emulator.groups.get(userGroupId)?.token;
}
