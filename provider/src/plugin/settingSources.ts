/** The settings of a provider. For the default provider, its arguments are the stack's configuration. */
import {
  environmentVariable,
  findSetting,
  settingIssue,
  settingNames,
  type SettingSources,
} from "../settings/readSettings";
import { isUnknown, type JsonObject } from "../values";

type Environment = SettingSources["environment"];

/** A provider as the engine passes it. */
export interface ProviderArguments {
  /** The name of the provider in the program; undefined with engines that don't pass it. */
  readonly name: string | undefined;
  readonly args: JsonObject;
}

/**
 * For the default provider, the environment takes precedence over the configuration. A program may have several explicit
 * providers, and one variable must not send all of them to one service. So for the provider `eu`,
 * `USER_GROUPS_EU_BASE_URL` takes precedence over its argument, and `USER_GROUPS_BASE_URL` is used without an argument.
 */
export function settingSources({ name, args }: ProviderArguments, environment: Environment): SettingSources {
  const configuration = { get: (key: string) => textOf(args[key.replace(/^user-groups:/, "")]) };
  if (name === undefined || isDefault(name)) return { environment, configuration };
  const variables = settingNames.map((setting): [string, string | undefined] => {
    const variable = environmentVariable(setting);
    const own = environment[environmentVariable(setting, name)];
    return [variable, own ?? (args[setting] == null ? environment[variable] : undefined)];
  });
  return { environment: Object.fromEntries(variables), configuration };
}

/** One sentence for each invalid setting, without its value. */
export function settingIssues(sources: SettingSources): string[] {
  return settingNames.flatMap((setting) => {
    const { value, source = setting } = findSetting(setting, sources);
    const issue = value === undefined || isUnknown(value) ? undefined : settingIssue(setting, value);
    return issue === undefined ? [] : [`The setting ${source} ${issue}. [setting-invalid]`];
  });
}

/** Whether the engine gave the provider this name. */
function isDefault(name: string): boolean {
  return name === "default" || name.startsWith("default_");
}

/** Most SDKs send values other than strings as JSON. Others send them unchanged. */
function textOf(value: unknown): string | undefined {
  return value == null || typeof value === "string" ? (value ?? undefined) : JSON.stringify(value);
}
