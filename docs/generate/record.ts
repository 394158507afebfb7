/**
 * `npm run docs:record`: renames a customer of examples/quickstart on the real engine with the emulator, and writes what a
 * terminal shows, with its times, into docs/pictures/recording.json. `npm run docs` draws it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { startEmulator } from "../../provider/src/testing";
import { newStack, succeeds, type Stack } from "../../test/engine/harness";
import { example } from "../../test/examples/example";
import { repository } from "./markdown";
import type { Recording } from "./pictures/recording";

const former = 'name: "Globex"';
const wanted = 'name: "Globex International"';

/** Lines of the engine that say nothing about the groups, or say it twice. */
const omitted =
  /^(\.*|Previewing.*|Updating.*|Duration.*|Diagnostics:|Outputs:|Resources:|@ .*| +(~ )?tokens: \{| +(acme|globex) *: \[secret\]| +\}| +pulumi:pulumi:Stack.*)\s*$/;

async function record(): Promise<void> {
  const emulator = await startEmulator();
  const lines: Recording = [];
  let started = 0;
  let command = 0;
  const echo = (text: string) => {
    if (started === 0) return;
    for (const line of text.split("\n"))
      if (!omitted.test(line)) lines.push({ command, at: Date.now() - started, text: line.trimEnd() });
  };
  const stack = await newStack({ program: example("quickstart"), emulator, echo });
  try {
    succeeds(await stack.up());
    await stack.program(example("quickstart", { "index.ts": { [former]: wanted } }));
    started = Date.now();
    for (const [index, run] of commands.entries()) {
      command = index;
      lines.push({ command, at: Date.now() - started, text: run.shown, isInput: true });
      await run.of(stack, echo);
    }
  } finally {
    await stack.remove();
    await emulator.stop();
  }
  const text = await format(JSON.stringify(lines), { parser: "json", printWidth: 110 });
  writeFileSync(join(repository, "docs/pictures/recording.json"), text);
}

interface Command {
  readonly shown: string;
  readonly of: (stack: Stack, echo: (text: string) => void) => Promise<void>;
}

const commands: readonly Command[] = [
  {
    shown: "# index.ts",
    of: (_stack, echo) => {
      const program = example("quickstart")["index.ts"] ?? "";
      const line = program.split("\n").find((each) => each.includes(former)) ?? "";
      echo(`- ${line}\n+ ${line.replace(former, wanted)}\n`);
      return Promise.resolve();
    },
  },
  { shown: "pulumi preview", of: async (stack) => void succeeds(await stack.preview()) },
  { shown: "pulumi up --yes --skip-preview", of: async (stack) => void succeeds(await stack.up()) },
  {
    shown: "pulumi stack output tokens --show-secrets",
    of: async (stack, echo) => {
      const { stdout } = succeeds(
        await stack.run(["stack", "output", "tokens", "--show-secrets", "--stack", "dev"], { isPlain: true }),
      );
      echo(stdout);
    },
  },
];

void record().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
