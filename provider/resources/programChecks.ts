/** Fails in the program, with a remedy, where the engine's own error doesn't say what to do. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { textWithCode } from "../errors";
import { message } from "../messages/message";
import * as pulumi from "./pulumi";

/** Check → the folder that passed it. */
const passed = new Map<unknown, string>();

/** Throws the issue of a program that the engine runs: only such one starts in its project's folder, or below. */
export function checkProgram(issueOf: (folder: string) => string | undefined): void {
  const folder = process.cwd();
  if (passed.get(issueOf) === folder || process.env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  const issue = issueOf(folder);
  if (issue !== undefined) throw new pulumi.RunError(issue);
  passed.set(issueOf, folder);
}

/** The engine loads dynamic providers from the program's folder. */
export function packageIssue(folder: string): string | undefined {
  try {
    createRequire(join(folder, "program")).resolve("pulumi-user-groups/provider");
    return undefined;
  } catch {
    return textWithCode(message("no-package"));
  }
}

export function pluginIssue(folder: string): string | undefined {
  const project = projectFile(folder);
  if (project === undefined || isNamed(project) || isInstalled(process.env)) return undefined;
  const folders = createRequire(join(folder, "program")).resolve.paths("pulumi-user-groups") ?? [];
  const plugin = folders.map((each) => join(each, "pulumi-user-groups/plugin")).find(existsSync);
  const path = plugin ? relative(dirname(project), plugin) : "node_modules/pulumi-user-groups/plugin";
  return textWithCode(message("no-plugin", { path: path.replaceAll("\\", "/") }));
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
