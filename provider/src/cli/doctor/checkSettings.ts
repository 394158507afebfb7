/** Checks the settings, and shows their sources, never their values. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import {
  configurationKey,
  findSetting,
  settingIssue,
  settingNames,
  waysToSet,
  type Configuration,
  type SettingName,
  type SettingSources,
} from "../../settings/readSettings";
import type { Result } from "./report";

/** The configuration of a stack, as `pulumi config` prints it. */
export interface StackConfiguration extends Configuration {
  /** The reason why it can't be read. */
  readonly issue: string | undefined;
  /** Whether a value is in plain text. */
  isPlain(key: string): boolean;
}

export interface Sources extends SettingSources {
  readonly configuration: StackConfiguration;
}

const encrypted = "(encrypted)";
const entries = z.record(z.string(), z.object({ value: z.string().optional(), secret: z.boolean() }));

/** Secrets are read only if the engine can decrypt them. */
export async function readStack(
  folder: string,
  stack: string | undefined,
  env: SettingSources["environment"],
  flags: readonly string[] = ["--show-secrets"],
): Promise<StackConfiguration> {
  const ofStack = stack === undefined ? [] : ["--stack", stack];
  try {
    const args = ["config", "--json", "--non-interactive", ...ofStack, ...flags];
    const options = { cwd: folder, env, shell: process.platform === "win32" };
    const { stdout } = await promisify(execFile)("pulumi", args, options);
    const found = new Map(Object.entries(entries.parse(JSON.parse(stdout))));
    return {
      issue: undefined,
      isPlain: (key) => found.get(key)?.secret === false,
      get: (key) => (found.has(key) ? (found.get(key)?.value ?? encryptedAt(key)) : undefined),
    };
  } catch (error) {
    if (flags.length > 0) return readStack(folder, stack, env, []);
    return { issue: reasonOf(error), isPlain: () => false, get: () => undefined };
  }
}

/** The settings of a connection are one object, encrypted as a whole. */
function encryptedAt(key: string): string {
  if (settingNames.some((name) => key === configurationKey(name))) return encrypted;
  return JSON.stringify({ baseUrl: encrypted, apiToken: encrypted });
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  return /^error: (.*)/m.exec(text)?.[1] ?? "the command pulumi isn't on the PATH, or failed";
}

/** Whether the API token is known, and not only that there is an encrypted one. */
export function isDecrypted(sources: Sources, connection?: string): boolean {
  return findSetting("apiToken", sources, connection).value !== encrypted;
}

export function checkSettings(sources: Sources, connection?: string): Result[] {
  const { issue } = sources.configuration;
  const unread = `The stack's configuration can't be read: ${issue}`;
  const remedy = "Run doctor in the program's folder, with --stack, or set all settings in the environment.";
  const stack: Result[] = issue === undefined ? [] : [{ status: "unknown", text: unread, remedy }];
  return [...stack, ...settingNames.map((name) => checkSetting(name, sources, connection))];
}

function checkSetting(name: SettingName, sources: Sources, connection?: string): Result {
  const { value, source } = findSetting(name, sources, connection);
  const key = configurationKey(name, connection);
  const issue = settingIssue(name, value);
  if (source === undefined) {
    if (issue === undefined) return { status: "ok", text: `${key} has its default` };
    return { status: "failed", text: `${key} is missing`, remedy: waysToSet(name, connection) };
  }
  const isInEnvironment = source in sources.environment;
  const place = isInEnvironment ? `the environment (${source})` : "the stack's configuration";
  if (issue !== undefined && value !== encrypted)
    return { status: "failed", text: `${key} ${issue}`, remedy: `It is set in ${place}.` };
  if (name === "apiToken" && !isInEnvironment && sources.configuration.isPlain(source.replace(/\.\w+$/, "")))
    return {
      status: "warning",
      text: `${key} is set in plain text in ${place}`,
      remedy:
        "Rotate the token in the service. Set the new one in the environment or with pulumi config set --secret.",
    };
  return { status: "ok", text: `${key} is set${value === encrypted ? ", encrypted," : ""} in ${place}` };
}
