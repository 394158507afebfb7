/** What users have before their first `up`: the packed package with its dependencies, and the plugin in the engine's home. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version as engineVersion } from "pulumi/package.json";
import manifest from "../../package.json";
import { engineHome } from "../../test/support/engine/project";

const repository = resolve(__dirname, "../..");

/** The folder with `pulumi` and the language hosts. */
export const engine = join(engineHome(), "versions", engineVersion, "bin");

export interface Installed {
  /** The packages of programs. The host of a program reads all of them, so one in JavaScript has no TypeScript. */
  readonly javascript: string;
  readonly typescript: string;
  /** Folders of an engine's home: installed plugins, the schemas that the engine keeps, the code that the plugin keeps. */
  readonly home: string;
}

/** Installs into a folder outside of this checkout, because programs would find its packages too. */
export function install(folder: string): Installed {
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", repository], { cwd: folder });
  const typed = ["@types/node", "ts-node", "typescript"] as const;
  return {
    javascript: packages(folder, "javascript", ["@pulumi/pulumi"]),
    typescript: packages(folder, "typescript", ["@pulumi/pulumi", ...typed]),
    home: plugin(folder),
  };
}

function packages(
  root: string,
  name: string,
  dependencies: readonly (keyof typeof manifest.devDependencies)[],
): string {
  const folder = join(root, name);
  const pinned = Object.fromEntries(dependencies.map((each) => [each, manifest.devDependencies[each]]));
  const packed = { [manifest.name]: `file:../${manifest.name}-${manifest.version}.tgz` };
  mkdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { ...pinned, ...packed } }),
  );
  execFileSync("npm", ["install", "--silent", "--ignore-scripts"], { cwd: folder });
  return join(folder, "node_modules");
}

function plugin(root: string): string {
  const home = join(root, "home");
  const archives = join(root, "archives");
  for (const each of ["plugins", "schemas", "user-groups"])
    mkdirSync(join(home, each), { recursive: true, mode: 0o700 });
  execFileSync(process.execPath, [join(repository, "tools/release/plugin/pack.mjs"), archives]);
  // All archives have the same content.
  const file = join(archives, `pulumi-resource-user-groups-v${manifest.version}-linux-amd64.tar.gz`);
  const args = ["plugin", "install", "resource", "user-groups", manifest.version, "--file", file];
  const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
  execFileSync(join(engine, "pulumi"), args, { env, stdio: "ignore" });
  rmSync(archives, { recursive: true });
  return home;
}
