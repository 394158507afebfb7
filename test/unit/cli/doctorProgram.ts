import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { inContext, type Context, type ContextOptions } from "../../harness/providers";
import { runCommand, type CommandResult } from "./runCommand";

export interface Examined extends CommandResult {
  /** `<status>: <text>` of each finding, by check; empty if the output isn't JSON. */
  readonly findings: Readonly<Record<string, readonly string[]>>;
}

type Files = Readonly<Record<string, object | string>>;

export interface ProgramContext extends Context {
  /** The folder of a sound program. */
  readonly folder: string;
  readonly write: (files: Files) => Promise<void>;
  /** Runs `doctor` on the program. */
  readonly run: (...flags: string[]) => Promise<CommandResult>;
  /** Runs `doctor --json` on the program. */
  readonly examine: (...flags: string[]) => Promise<Examined>;
}

/** The body of a test with a program of its own. Its packages look like installed ones. */
export function inProgram(test: (context: ProgramContext) => Promise<void>, options: ContextOptions = {}) {
  return inContext(options, async (context) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "user-groups-doctor-")));
    try {
      await write(folder, sound);
      const run = (...flags: string[]) => runCommand(["doctor", "--folder", folder, ...flags], context);
      const examine = async (...flags: string[]) => {
        const result = await run("--json", ...flags);
        return { ...result, findings: result.code < 2 ? findingsIn(result.out) : {} };
      };
      await test({ ...context, folder, write: (files) => write(folder, files), run, examine });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

/** The findings in the JSON that doctor printed. */
export function findingsIn(out: string): Examined["findings"] {
  const byCheck: Record<string, string[]> = {};
  for (const { check, status, text } of report.parse(JSON.parse(out)).findings)
    (byCheck[check] ??= []).push(`${status}: ${text}`);
  return byCheck;
}

const report = z.strictObject({
  verdict: z.enum(["ok", "failed"]),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      status: z.enum(["ok", "warning", "failed", "skipped"]),
      text: z.string(),
      remedy: z.string().optional(),
    }),
  ),
});

const sound = {
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "node_modules/pulumi-user-groups/package.json": { version: "1.0.0" },
  "node_modules/pulumi-user-groups/provider.js": "exports.userGroup = exports.userGroups = {};",
  "node_modules/@pulumi/pulumi/package.json": { version: "3.248.0" },
};

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
}
