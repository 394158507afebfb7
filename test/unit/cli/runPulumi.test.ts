import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { runPulumi } from "../../../provider/src/cli/runPulumi";
import { withFolder, writeProgram } from "../../harness/run";

it("on Windows a shell runs pulumi, with its arguments and folder, and Node.js warns of nothing", () =>
  withFolder(async (folder) => {
    await writeProgram(folder, "pulumi", 'console.log(process.argv.slice(2).join("|"), process.cwd());');
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on("warning", listener);
    const env = { ...process.env, PATH: [folder, process.env["PATH"]].join(delimiter) };
    const args = ["config", "--stack", "org/app/dev"];
    const printed = await runPulumi(args, { cwd: folder, env }, "win32");
    process.off("warning", listener);
    assert.equal(printed.trim(), `config|--stack|org/app/dev ${folder}`);
    assert.deepEqual(warnings, []);
  }));
