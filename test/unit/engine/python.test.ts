import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const script = resolve(__dirname, "../../../engine/python.mjs");

// The stand-in for Python is a script that Windows can't start without a shell.
(process.platform === "win32" ? describe.skip : describe)("engine/python.mjs", () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), "engine-python-"));
    fs.mkdirSync(join(folder, "path"));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });
  const environments = () => fs.readdirSync(join(folder, "home/python"));
  const calls = () => fs.readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
  const placePython = (pip: string) => {
    const log = `fs.appendFileSync(${JSON.stringify(join(folder, "calls"))}, args.join(" ") + "\\n");`;
    const text = `#!${process.execPath}\nconst fs = require("fs"), args = process.argv.slice(2);${log}${python}${pip}`;
    fs.writeFileSync(join(folder, "path/python3"), text, { mode: 0o755 });
  };
  const run = () =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
      const env = { PATH: join(folder, "path"), PULUMI_HOME: join(folder, "home") };
      const child = execFile(process.execPath, [script], { env }, (_, stdout, stderr) => {
        done({ code: child.exitCode, stdout, stderr });
      });
    });

  it("makes the environment once, and prints where its python is", async () => {
    placePython("");
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0, stderr);
    assert(fs.existsSync(join(stdout.trim(), "python")));
    assert.match(calls().join("\n"), /^-m venv \S+\n-m pip install .*--requirement \S+requirements\.txt$/);
    assert.deepEqual(await run(), { code: 0, stdout, stderr: "" });
    assert.equal(calls().length, 2);
  });

  it("makes it anew when the Python that it was made with is gone", async () => {
    placePython("");
    const { stdout } = await run();
    fs.rmSync(join(stdout.trim(), "python"));
    assert.deepEqual(await run(), { code: 0, stdout, stderr: "" });
    assert.equal(calls().length, 4);
  });

  it("shows what pip said when it fails, and leaves nothing behind", async () => {
    placePython(`if (args[1] === "pip") { console.error("no such version"); process.exit(1); }`);
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /python -m pip failed:\nno such version/);
    assert.deepEqual(environments(), []);
  });

  it("leaves nothing behind when it is told to end", async () => {
    placePython(`if (args[1] === "pip") { process.kill(process.ppid); setInterval(() => {}, 1000); }`);
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /stopped/);
    assert.deepEqual(environments(), []);
  });

  it("says which Python to install when there is none", async () => {
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /there is no "python3" on the PATH\. Install Python 3\.\d+ or newer/);
    assert.deepEqual(environments(), []);
  });
});

/** A virtual environment's python is the one that made it. */
const python = `
  if (args[1] === "venv") {
    fs.mkdirSync(args[2] + "/bin");
    fs.copyFileSync(__filename, args[2] + "/bin/python");
  }
`;
