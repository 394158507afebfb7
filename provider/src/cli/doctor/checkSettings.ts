/** Shows the sources of the settings, never their values. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import {
  findSetting,
  keysOf,
  settingIssue,
  settingNames,
  waysToSet,
  type Configuration,
  type SettingSources,
} from "../../settings/readSettings";
import { finding, type Finding } from "./report";

/** The configuration of a stack, as `pulumi config` prints it. */
export interface StackConfiguration extends Configuration {
  /** Why it says nothing, as the end of a sentence. */
  readonly issue?: string | undefined;
  /** Whether a value is in plain text. */
  readonly isPlain: (key: string) => boolean;
}

export interface Sources extends SettingSources {
  readonly configuration: StackConfiguration;
}

const entries = z.record(z.string(), z.object({ value: z.string(), secret: z.boolean() }));

export async function readStack(
  folder: string,
  stack: string | undefined,
  env: SettingSources["environment"],
): Promise<StackConfiguration> {
  const args = ["config", "--json", "--show-secrets", "--non-interactive"];
  const ofStack = stack === undefined ? [] : ["--stack", stack];
  try {
    const options = { cwd: folder, env, shell: process.platform === "win32" };
    const { stdout } = await promisify(execFile)("pulumi", [...args, ...ofStack], options);
    const found = new Map(Object.entries(entries.parse(JSON.parse(stdout))));
    const file = `Pulumi.${stack ?? env["PULUMI_STACK"] ?? "<stack>"}.yaml`;
    const issue = found.size > 0 ? undefined : `is empty: ${file} is missing, or has no settings`;
    return { issue, get: (key) => found.get(key)?.value, isPlain: (key) => found.get(key)?.secret === false };
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const reason = /^error: (.*)/m.exec(output)?.[1] ?? "the command pulumi isn't on the PATH, or failed";
    return { issue: `can't be read: ${reason}`, isPlain: () => false, get: () => undefined };
  }
}

export function checkSettings(sources: Sources, connection?: string): Finding[] {
  const { issue } = sources.configuration;
  const remedy = "Run doctor in the program's folder, with --stack, or set all settings in the environment.";
  const text = `The stack's configuration ${issue}`;
  const found = settingNames.map((name) => checkSetting(name, sources, connection));
  return issue === undefined ? found : [finding("unknown", text, remedy), ...found];
}

/** `up` reports an invalid value. */
function checkSetting(name: (typeof settingNames)[number], sources: Sources, connection?: string): Finding {
  const source = findSetting(name, sources, connection)?.source;
  const { key } = keysOf(name, { connection });
  if (source === undefined && settingIssue(name, undefined) === undefined)
    return finding("ok", `${key} has its default`);
  if (source === undefined) return finding("failed", `${key} is missing`, waysToSet(name, { connection }));
  if (source in sources.environment) return finding("ok", `${key} is set in the environment (${source})`);
  const { isPlain } = sources.configuration;
  if (name !== "apiToken" || !(isPlain(source) || isPlain(source.replace(/\.\w+$/, ""))))
    return finding("ok", `${key} is set in the stack's configuration`);
  const remedy =
    "Rotate the token in the service. Set the new one in the environment or with pulumi config set --secret.";
  return finding("warning", `${key} is set in plain text in the stack's configuration`, remedy);
}
