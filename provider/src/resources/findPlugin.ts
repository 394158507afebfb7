/** Fails in the program if the engine can't find the plugin, because the engine's own error doesn't say what to add. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import * as pulumi from "./pulumi";

let foundFrom: string | undefined;

/** Error: plugin-not-found. */
export function assertPluginFound({ env } = process): void {
  // Only a program that the engine runs starts in its project's folder, or below.
  const folder = process.cwd();
  if (foundFrom === folder || env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  const project = projectFile(folder);
  if (project !== undefined && !isNamed(project) && !isInstalled(env)) throw notFound(folder, project);
  foundFrom = folder;
}

function projectFile(folder: string): string | undefined {
  const found = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  return found ?? (dirname(folder) === folder ? undefined : projectFile(dirname(folder)));
}

/** By `plugins`, or by `packages`, which `pulumi package add` writes. */
function isNamed(project: string): boolean {
  const text = readFileSync(project, "utf8");
  return /^["']?(plugins|packages)["']?\s*:/m.test(text) && text.includes("user-groups");
}

/** On the PATH, in the engine's folder of plugins, downloaded from a server that is set, or attached for debugging. */
function isInstalled(env: NodeJS.ProcessEnv): boolean {
  const home = env["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  return (
    hasFile(join(home, "plugins"), "resource-user-groups-v") ||
    (env["PATH"] ?? "").split(delimiter).some((dir) => hasFile(dir, "pulumi-resource-user-groups")) ||
    env["PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"] !== undefined ||
    (env["PULUMI_DEBUG_PROVIDERS"] ?? "").includes("user-groups")
  );
}

function hasFile(folder: string, start: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.startsWith(start));
  } catch {
    return false;
  }
}

function notFound(folder: string, project: string): pulumi.RunError {
  const folders = createRequire(join(folder, "program")).resolve.paths("pulumi-user-groups") ?? [];
  const plugin = folders.map((each) => join(each, "pulumi-user-groups/plugin")).find(existsSync);
  const path =
    plugin === undefined ? "node_modules/pulumi-user-groups/plugin" : relative(dirname(project), plugin);
  return new pulumi.RunError(
    "The engine can't find the plugin user-groups. Add these lines to Pulumi.yaml:\n\n" +
      `plugins:\n  providers:\n    - name: user-groups\n      path: ${path.replaceAll("\\", "/")}\n\n[plugin-not-found]`,
  );
}
