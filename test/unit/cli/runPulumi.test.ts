import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { runPulumi } from "../../../provider/src/cli/runPulumi";
import { withFolder, writeProgram } from "../../harness/run";

describe("pulumi on the PATH", () => {
  // On Windows a shell runs it, which other machines have, too.
  for (const platform of new Set([process.platform, "win32" as const]))
    it(`gets its arguments, folder and environment, and fails with its errors, as on ${platform}`, () =>
      withFolder(async (folder) => {
        const program = `
          if (process.argv.includes("unknown")) console.error("error: unknown command");
          else console.log(process.argv.slice(2).join("|"), process.cwd(), process.env.MARK);
          process.exitCode = process.argv.includes("unknown") ? 1 : 0;`;
        await writeProgram(folder, "pulumi", program);
        const warnings: string[] = [];
        const listener = ({ message }: Error) => warnings.push(message);
        process.on("warning", listener);
        const env = {
          ...process.env,
          PATH: [folder, process.env["PATH"]].join(delimiter),
          MARK: "mark",
        };
        const options = { cwd: folder, env };
        const printed = await runPulumi(["config", "--stack", "org/app/dev"], options, platform);
        assert.equal(printed.trim(), `config|--stack|org/app/dev ${folder} mark`);
        await assert.rejects(runPulumi(["unknown"], options, platform), {
          stderr: "error: unknown command\n",
        });
        process.off("warning", listener);
        assert.deepEqual(warnings, []);
      }));
});
