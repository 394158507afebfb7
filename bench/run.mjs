// `npm run bench`: makes the checkout ready, and measures.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { repository, setUp } from "../test/setup.mjs";

const isEngineThere = setUp({ withLanguages: true });
if (isEngineThere) {
  installPackage();
  installPlugin();
  const main = join(repository, "bench", "main.ts");
  const args = ["--require", "ts-node/register", main, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: "inherit" });
  // A terminal sends its interrupt to the child as well, which then cleans up.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("close", (code) => (process.exitCode = code ?? 1));
} else {
  process.exitCode = 1;
}

/** What `npm install` gives the programs. This checkout has many more packages, all of which the host of a program reads. */
function installPackage() {
  const folder = join(repository, "bench/.cache/installed");
  const { version, devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const names = ["@pulumi/pulumi", "@types/node", "ts-node", "typescript"];
  const dependencies = Object.fromEntries(names.map((name) => [name, devDependencies[name]]));
  dependencies["pulumi-user-groups"] = `file:pulumi-user-groups-${version}.tgz`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const npm = (...args) => execFileSync("npm", [...args, "--silent", "--ignore-scripts"], { cwd: folder });
  npm("pack", repository);
  npm("install");
}

/** What `pulumi plugin install` gives a user's home. There the engine also keeps the plugin's schema, and the plugin its compiled code. */
function installPlugin() {
  const home = join(repository, "bench/.cache/home");
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
