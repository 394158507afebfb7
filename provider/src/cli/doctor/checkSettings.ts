/** Shows the sources of the settings, never their values. */
import * as z from "zod";
import { userGroupArguments } from "../../core/arguments";
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
    return { environment, configuration, plain, issue };
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const reason = /^error: (.*)/m.exec(output)?.[1] ?? "the command pulumi isn't on the PATH, or failed";
    return {
      environment,
      configuration: new Map(),
      plain: new Set(),
      issue: `can't be read: ${escaped(reason)}`,
    };
  }
}

export function checkSettings(sources: Sources, connection?: string): Finding[] {
  const remedy = "Run doctor in the program's folder, with --stack, or set all settings in the environment.";
  const issue = sources.issue && unknown(`The stack's configuration ${sources.issue}`, remedy);
  return [
    ...(issue ? [issue] : []),
    ...settings.settingNames.map((name) => checkSetting(name, sources, connection)),
  ];
}

function checkSetting(name: settings.SettingName, sources: Sources, connection?: string): Finding {
  const { value, source } = settings.findSetting(name, sources, connection) ?? {};
  const { key } = settings.keysOf(name, { connection });
  const issue = settings.settingIssue(name, value);
  if (source === undefined && issue === undefined) return ok(`${key} has its default`);
  if (source === undefined) return failed(`${key} is missing`, settings.waysToSet(name, { connection }));
  if (issue !== undefined) return failed(`${key} ${issue}`, `Correct ${source}.`);
  if (source in sources.environment) return ok(`${key} is set in the environment (${source})`);
  const isPlain = [source, source.replace(/\.\w+$/, "")].some((each) => sources.plain.has(each));
  if (name !== "apiToken" || !isPlain) return ok(`${key} is set in the stack's configuration`);
  const text = `${key} is set in plain text in the stack's configuration`;
  const remedy =
    "Rotate the token in the service. Set the new one in the environment or with pulumi config set --secret.";
  return { status: "warning", text, remedy };
}
