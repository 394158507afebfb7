// A checkout in a temporary folder, with stand-ins for the launcher and for Go.
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export type Checkout = ReturnType<typeof checkout>;

export const repository = resolve(__dirname, "../../..");

export const engineFiles = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
export const languageFiles = [
  "pulumi-language-go",
  "pulumi-language-python",
  "pulumi-language-python-exec",
  "pulumi-language-yaml",
];

/** Both stand-ins are JavaScript; no Go means an empty PATH. */
export function checkout({ launcher, go }: { launcher: string; go: string | undefined }) {
  const folder = fs.mkdtempSync(join(tmpdir(), "engine-install-"));
  const bin = join(folder, "home/versions/9.9.9/bin");
  const calls = join(folder, "go-calls");
  for (const part of ["home/versions", "path", "node_modules/pulumi", "sdk/nodejs/dist", "sdk/python/cmd"]) {
    fs.mkdirSync(join(folder, part), { recursive: true });
  }
  fs.cpSync(join(repository, "engine"), join(folder, "engine"), { recursive: true });
  fs.writeFileSync(join(folder, "node_modules/pulumi/package.json"), '{ "version": "9.9.9" }');
  fs.writeFileSync(join(folder, "node_modules/pulumi/run.js"), `const fs = require("fs");${launcher}`);
  for (const script of [
    "nodejs/dist/pulumi-resource-pulumi-nodejs",
    "python/cmd/pulumi-language-python-exec",
  ]) {
    fs.writeFileSync(join(folder, "sdk", script), "copied from the SDK");
  }
  if (go !== undefined) fs.writeFileSync(join(folder, "path/go"), fakeGo(calls, go), { mode: 0o755 });
  return {
    install: ({ flags = [], env = {} }: Run = {}) => install(folder, flags, env),
    place: (file: string, text: string) => {
      fs.mkdirSync(bin, { recursive: true });
      fs.writeFileSync(join(bin, file), text, { mode: 0o755 });
    },
    engine: () =>
      Object.fromEntries(fs.readdirSync(bin).map((file) => [file, fs.readFileSync(join(bin, file), "utf8")])),
    versions: () => fs.readdirSync(join(folder, "home/versions")),
    goCalls: () =>
      fs
        .readFileSync(calls, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("\t")),
    remove: () => {
      fs.rmSync(folder, { recursive: true });
    },
  };
}

function fakeGo(calls: string, script: string): string {
  const record = `fs.appendFileSync(${JSON.stringify(calls)}, process.argv.slice(2).join("\\t") + "\\n");`;
  return `#!${process.execPath}\nconst fs = require("fs");${record}${script}`;
}

interface Run {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

function install(
  folder: string,
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const known = {
    PATH: join(folder, "path"),
    PULUMI_HOME: join(folder, "home"),
    FAKE_SDK: join(folder, "sdk"),
  };
  const script = join(folder, "engine/install.mjs");
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [script, ...flags],
      { env: { ...known, ...env } },
      (_, stdout, stderr) => {
        done({ code: child.exitCode ?? -1, output: stdout + stderr });
      },
    );
  });
}
