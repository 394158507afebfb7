// `npm run bench`: makes the checkout ready, and measures.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { repository, setUp } from "../test/setup.mjs";

const isEngineThere = setUp({ withLanguages: true });
if (isEngineThere) {
  // Outside of this checkout, because programs would find its packages too.
  const installed = mkdtempSync(join(tmpdir(), "user-groups-installed-"));
  installPackage(join(installed, "javascript"));
  installPackage(join(installed, "typescript"), ["@types/node", "ts-node", "typescript"]);
  installPlugin(join(repository, "bench/.cache/home"));
  const main = join(repository, "bench", "main.ts");
  const args = ["--require", "ts-node/register", main, ...process.argv.slice(2)];
  const env = { ...process.env, BENCH_INSTALLED: installed };
  const child = spawn(process.execPath, args, { cwd: repository, stdio: "inherit", env });
  // A terminal sends its interrupt to the child as well, which then cleans up.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("close", (code) => {
    process.exitCode = code ?? 1;
    rmSync(installed, { recursive: true });
  });
} else {
  process.exitCode = 1;
}

/** What `npm install` gives the programs. The host of a program reads all packages, so one in JavaScript has no TypeScript. */
function installPackage(folder, others = []) {
  const { version, devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const names = ["@pulumi/pulumi", ...others];
  const dependencies = Object.fromEntries(names.map((each) => [each, devDependencies[each]]));
  dependencies["pulumi-user-groups"] = `file:pulumi-user-groups-${version}.tgz`;
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const npm = (...args) => execFileSync("npm", [...args, "--silent", "--ignore-scripts"], { cwd: folder });
  npm("pack", repository);
  npm("install");
}

/** What `pulumi plugin install` gives a user's home. There the engine also keeps the plugin's schema, and the plugin its compiled code. */
function installPlugin(home) {
  const archives = mkdtempSync(join(tmpdir(), "user-groups-archives-"));
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  rmSync(home, { recursive: true, force: true });
  for (const folder of ["plugins", "schemas", "user-groups"])
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  execFileSync("npm", ["run", "--silent", "plugin", archives], { cwd: repository });
  const system = `${process.platform}-${{ x64: "amd64" }[process.arch] ?? process.arch}`;
  const file = join(archives, `pulumi-resource-user-groups-v${version}-${system}.tar.gz`);
  const engine = JSON.parse(readFileSync(join(repository, "node_modules/pulumi/package.json"), "utf8"));
  const installed = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const pulumi = join(installed, "versions", engine.version, "bin/pulumi");
  const args = ["plugin", "install", "resource", "user-groups", version, "--file", file];
  execFileSync(pulumi, args, {
    env: { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });
  rmSync(archives, { recursive: true });
}
