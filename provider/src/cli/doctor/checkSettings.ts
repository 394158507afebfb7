/** Shows the sources of the settings, never their values. Of headers, it shows the names. */
import * as z from "zod";
import { userGroupArguments } from "../../core/arguments";
import { UserGroupError } from "../../errors";
import { requestHeaders } from "../../settings/gateway";
import * as settings from "../../settings/readSettings";
import { escaped } from "../../text";
import { type Flags, UsageError } from "../command";
import { runPulumi } from "../runPulumi";
import { failed, ok, unknown, type Finding } from "./report";

export interface Sources extends settings.SettingSources {
  /** The keys of the stack's configuration whose values are in plain text. */
  readonly plain: ReadonlySet<string>;
  /** Why the stack's configuration has no values, as the end of a sentence. */
  readonly issue?: string | undefined;
  /** Whether it could be read. Then a setting that isn't found has its default. */
  readonly isRead: boolean;
}

const stackConfiguration = z.record(z.string(), z.object({ value: z.string(), secret: z.boolean() }));

/** The option `--connection`. Throws a `UsageError` for an invalid name. */
export function connectionIn(flags: Flags): string | undefined {
  const { data, error } = userGroupArguments.shape.connection.safeParse(flags.get("connection"));
  if (error) throw new UsageError(`--connection: ${error.issues[0]?.message}`);
  return data;
}

const stackName = /^\w[\w.-]*(\/\w[\w.-]*){0,2}$/;

/**
 * The environment, and the stack's configuration as `pulumi config` prints it. Throws a `UsageError` for a name of a stack that a shell
 * could take for a command.
 */
export async function readSources(flags: Flags, environment: Sources["environment"]): Promise<Sources> {
  const stack = flags.get("stack");
  if (stack !== undefined && !stackName.test(stack))
    throw new UsageError("--stack: must be the name of a stack, such as dev or organization/project/dev");
  const ofStack = stack === undefined ? [] : ["--stack", stack];
  const args = ["config", "--json", "--show-secrets", "--non-interactive", ...ofStack];
  try {
    const stdout = await runPulumi(args, { cwd: flags.get("folder"), env: environment });
    const entries = Object.entries(stackConfiguration.parse(JSON.parse(stdout)));
    const configuration = new Map(entries.map(([key, { value }]) => [key, value]));
    const plain = new Set(entries.flatMap(([key, { secret }]) => (secret ? [] : [key])));
    const file = escaped(`Pulumi.${stack ?? environment["PULUMI_STACK"] ?? "<stack>"}.yaml`);
    const issue = entries.length > 0 ? undefined : `is empty: ${file} is missing, or has no settings`;
    return { environment, configuration, plain, issue, isRead: true };
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const reason = /^error: (.*)/m.exec(output)?.[1] ?? "the command pulumi isn't on the PATH, or failed";
    return {
      environment,
      configuration: new Map(),
      plain: new Set(),
      issue: `can't be read: ${escaped(reason)}`,
      isRead: false,
    };
  }
}

export function checkSettings(sources: Sources, connection?: string): Finding[] {
  const ofSettings = settings.settingNames.map((name) => checkSetting(name, sources, connection));
  const isComplete = ofSettings.every(({ status }) => status !== "failed");
  const remedy = "Run doctor in the program's folder, with --stack, or set all settings in the environment.";
  // An empty configuration is no problem if the environment has everything.
  const isIssue = sources.issue !== undefined && !(isComplete && sources.isRead);
  return [
    ...(isIssue ? [unknown(`The stack's configuration ${sources.issue}`, remedy)] : []),
    ...ofSettings,
    ...(isComplete ? checkTogether(sources, connection) : []),
  ];
}

function checkSetting(name: settings.SettingName, sources: Sources, connection?: string): Finding {
  const { value, source } = settings.findSetting(name, sources, connection) ?? {};
  const { key, variable } = settings.keysOf(name, { connection });
  const issue = settings.settingIssue(name, value);
  if (source === undefined && issue !== undefined)
    return failed(`${key} is missing`, settings.waysToSet(name, { connection }));
  if (source === undefined && !sources.isRead)
    return unknown(`${key} isn't in the environment (${variable})`);
  if (value === undefined || source === undefined) return ok(`${key} has its default`);
  if (issue !== undefined) return failed(`${key} ${issue}`, `Correct ${source}.`);
  const shown = name === "headers" ? `: ${headerNames(value)}` : "";
  if (source in sources.environment) return ok(`${key} is set in the environment (${source})${shown}`);
  const isPlain = [source, source.replace(/\.\w+$/, "")].some((each) => sources.plain.has(each));
  if (!isPlain || !isSecret(name, value)) return ok(`${key} is set in the stack's configuration${shown}`);
  const text = `${key} is set in plain text in the stack's configuration${shown}`;
  const remedy = "Replace it, and set the new one in the environment or with pulumi config set --secret.";
  return { status: "warning", text, remedy };
}

function headerNames(value: string): string {
  return escaped(Object.keys(requestHeaders.parse(value)).join(", "));
}

/** The path of a file is no secret. */
function isSecret(name: settings.SettingName, value: string): boolean {
  return settings.secretSettings.includes(name) && (name !== "clientKey" || value.includes("-----BEGIN "));
}

/** Settings that are valid one by one, but not together. */
function checkTogether(sources: Sources, connection?: string): Finding[] {
  try {
    settings.readSettings(sources, connection);
    return [];
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return [failed(error.sentence.replace(/\.$/, ""), "Set both, or none of them.")];
  }
}
