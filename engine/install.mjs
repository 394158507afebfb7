// Makes `npx pulumi` work: fills the folder from which the launcher (the npm package pulumi) runs the engine.
// Prints nothing where all is there.
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./command.mjs";

const goModules = dirname(fileURLToPath(import.meta.url));
const launcher = dirname(createRequire(import.meta.url).resolve("pulumi/package.json"));
const { version } = JSON.parse(fs.readFileSync(join(launcher, "package.json"), "utf8"));
const versions = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions");
const bin = join(versions, version, "bin");
const downloadSeconds = Number(process.env.ENGINE_DOWNLOAD_TIMEOUT || 300);

const windows = process.platform === "win32";
const pulumi = windows ? "pulumi.exe" : "pulumi";
const languageHost = windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs";
const dynamicPlugin = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";

if (!isComplete(bin)) {
  await install().catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}

function isComplete(folder) {
  return [pulumi, languageHost, dynamicPlugin].every((file) => isExecutable(join(folder, file)));
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).size > 0;
  } catch {
    return false;
  }
}

/** Both ways fill a folder of their own, so that one that is cut short leaves no half engine behind. */
async function install() {
  say(`not in ${bin}`);
  fs.mkdirSync(versions, { recursive: true });
  const work = fs.mkdtempSync(join(versions, `.${version}-`));
  try {
    moveIntoPlace((await download(work)) ?? (await build(work)));
    say("ready");
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

async function download(work) {
  say(`downloading it with its launcher (at most ${downloadSeconds} s)`);
  const folder = join(work, "versions", version, "bin");
  // From 22.21 and 24 on, Node takes the environment's proxy if told so; the scripts that it fetches always do.
  const env = { PULUMI_HOME: work, PULUMI_VERSION: version, NODE_USE_ENV_PROXY: "1" };
  const command = [process.execPath, join(launcher, "run.js"), "version"];
  const { code, late, output } = await run(command, { env, seconds: downloadSeconds });
  if (code === 0 && isComplete(folder)) return folder;
  say(`the download failed: ${late ? "it took too long" : output.trim().split("\n").at(-1)}`);
  return undefined;
}

async function build(work) {
  say(`building it with ${await goVersion()}; this takes some minutes`);
  const folder = join(work, "bin");
  await buildTool("language-nodejs", join(folder, languageHost), work);
  await buildTool("cli", join(folder, pulumi), work);
  const sdk = await go("cli", [
    "list",
    "-mod=readonly",
    "-m",
    "-f",
    "{{.Dir}}",
    "github.com/pulumi/pulumi/sdk/v3",
  ]);
  fs.copyFileSync(join(sdk, "nodejs", "dist", dynamicPlugin), join(folder, dynamicPlugin));
  fs.chmodSync(join(folder, dynamicPlugin), 0o755);
  return folder;
}

async function goVersion() {
  try {
    return await go("cli", ["env", "GOVERSION"]);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    const needed = /^go (\S+)$/m.exec(fs.readFileSync(join(goModules, "cli", "go.mod"), "utf8"))[1];
    throw new Error(
      `building it needs Go ${needed} or newer, and there is no "go" on the PATH. ` +
        "Install Go (https://go.dev/dl), or let the download through, and run this again",
    );
  }
}

async function buildTool(module, file, work) {
  const label = `building ${basename(file)}`;
  say(label);
  const started = Date.now();
  const report = () => say(`still ${label} (${Math.round((Date.now() - started) / 1000)} s)`);
  const ticker = setInterval(report, 30_000);
  const stamp = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  try {
    await go(module, ["build", "-mod=readonly", "-trimpath", "-ldflags", stamp, "-o", file, "tool"], {
      GOTMPDIR: work,
    });
  } finally {
    clearInterval(ticker);
  }
}

async function go(module, args, env) {
  const options = { cwd: join(goModules, module), env: { GOWORK: "off", ...env } };
  const { code, stdout, output } = await run(["go", ...args], options);
  if (code !== 0) throw new Error(`go ${args[0]} failed in engine/${module}:\n${output.trim()}`);
  return stdout.trim();
}

/** The launcher looks at pulumi alone, so that comes last. What another run put there meanwhile stays. */
function moveIntoPlace(folder) {
  fs.mkdirSync(bin, { recursive: true });
  const others = fs.readdirSync(folder).filter((file) => file !== pulumi);
  for (const file of [...others, pulumi]) {
    if (!isExecutable(join(bin, file))) fs.renameSync(join(folder, file), join(bin, file));
  }
}

function say(text) {
  console.log(`Pulumi engine ${version}: ${text}`);
}
