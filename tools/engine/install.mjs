// Makes `npx pulumi` work: fills the folder from which the launcher (the npm package pulumi) runs the engine.
// --languages adds programs in YAML, Python and Go. Prints nothing if everything is installed. As for the launcher, PULUMI_VERSION
// names another version than the launcher's own.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { go } from "./go.mjs";

const launcher = dirname(createRequire(import.meta.url).resolve("pulumi/package.json"));
const { version: pinned } = JSON.parse(fs.readFileSync(join(launcher, "package.json"), "utf8"));
const version = process.env.PULUMI_VERSION || pinned;
const versions = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions");
export const bin = join(versions, version, "bin");
const downloadSeconds = Number(process.env.ENGINE_DOWNLOAD_TIMEOUT || 300);

const windows = process.platform === "win32";
const exe = windows ? ".exe" : "";
const pulumi = `pulumi${exe}`;
const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** Each file is built from a Go tool of a module in this folder (default: the engine's), or copied from the source of the SDK. */
const parts = {
  [`pulumi-language-nodejs${exe}`]: { module: "languages", tool: `${sdk}/nodejs/cmd/pulumi-language-nodejs` },
  [pulumi]: { tool: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
  [`pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`]: { source: "nodejs/dist" },
};
const otherLanguages = {
  [`pulumi-language-python${exe}`]: { module: "languages", tool: `${sdk}/python/cmd/pulumi-language-python` },
  "pulumi-language-python-exec": { source: "python/cmd" },
  [`pulumi-language-go${exe}`]: { module: "languages", tool: `${sdk}/go/pulumi-language-go` },
  [`pulumi-language-yaml${exe}`]: {
    module: "language-yaml",
    tool: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  },
};
const wanted = { ...parts, ...(process.argv.includes("--languages") && otherLanguages) };

if (missingIn(bin).length > 0) install();

function missingIn(folder) {
  return Object.keys(wanted).filter((file) => !isExecutable(join(folder, file)));
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).size > 0;
  } catch {
    return false;
  }
}

/** Downloads or builds into a temporary folder, so that an interruption leaves no incomplete engine. */
function install() {
  say(`${missingIn(bin).join(", ")} not in ${bin}`);
  fs.mkdirSync(versions, { recursive: true });
  const work = fs.mkdtempSync(join(versions, `.${version}-`));
  // A terminal interrupts the running command as well. It then fails here, and the folder is removed.
  process.on("SIGINT", () => undefined);
  try {
    moveIntoPlace(download(work) ?? build(work));
    say("ready");
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

function download(work) {
  say(`downloading it with its launcher (at most ${downloadSeconds} s)`);
  const folder = join(work, "versions", version, "bin");
  // Without NODE_USE_ENV_PROXY, Node.js ignores the proxy of the environment.
  const env = { ...process.env, PULUMI_HOME: work, PULUMI_VERSION: version, NODE_USE_ENV_PROXY: "1" };
  const options = { env, encoding: "utf8", timeout: downloadSeconds * 1000 };
  const { error, status, stderr } = spawnSync(
    process.execPath,
    [join(launcher, "run.js"), "version"],
    options,
  );
  if (status === 0 && missingIn(folder).length === 0) return folder;
  say(`the download failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
  return undefined;
}

function build(work) {
  say(`building with ${go("cli", ["env", "GOVERSION"])}; this takes some minutes`);
  const folder = join(work, "bin");
  fs.mkdirSync(folder);
  const engine = moduleOfEngine(work);
  for (const file of missingIn(bin)) {
    const { module = engine, tool, source } = wanted[file];
    say(`building ${file}`);
    if (tool) buildTool(module, tool, join(folder, file), work);
    else copyFromSdk(engine, source, file, folder);
  }
  return folder;
}

/** The module of the engine: a new one for another version than the launcher's own, because that may need older modules. */
function moduleOfEngine(work) {
  if (version === pinned) return "cli";
  const folder = join(work, "cli");
  fs.mkdirSync(folder);
  go(folder, ["mod", "init", "cli"]);
  go(folder, ["get", `${parts[pulumi].tool}@v${version}`, `${sdk}@v${version}`]);
  return folder;
}

function buildTool(module, tool, file, work) {
  const stamp = `-s -w -X ${sdk}/go/common/version.Version=v${version}`;
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", stamp, "-o", file, tool];
  go(module, args, { GOTMPDIR: work });
}

function copyFromSdk(module, source, file, folder) {
  const { Dir } = JSON.parse(go(module, ["mod", "download", "-json", sdk]));
  fs.copyFileSync(join(Dir, source, file), join(folder, file));
  fs.chmodSync(join(folder, file), 0o755);
}

/** Moves `pulumi` last, because the launcher checks only this file. Keeps what another run has moved meanwhile. */
function moveIntoPlace(folder) {
  fs.mkdirSync(bin, { recursive: true });
  const others = fs.readdirSync(folder).filter((file) => file !== pulumi);
  for (const file of [...others, pulumi])
    if (!isExecutable(join(bin, file))) fs.renameSync(join(folder, file), join(bin, file));
}

function say(text) {
  console.log(`Pulumi engine ${version}: ${text}`);
}
