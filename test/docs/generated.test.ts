import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository } from "./pages";

const run = promisify(execFile);

describe("what pages take from the code", () => {
  it("is as the code is", async () => {
    await run(process.execPath, ["docs/generate.mjs", "--check"], { cwd: repository });
  });
});
