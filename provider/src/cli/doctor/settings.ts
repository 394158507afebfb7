/** Which settings are there and what gave them; never what they are. */
import { UserGroupError } from "../../errors";
import {
  configurationKey,
  findSetting,
  settingIssue,
  settingNames,
  waysToSet,
  type FoundSetting,
  type SettingName,
} from "../../settings/readSettings";
import { sealed, sourcesOf, type StackConfiguration } from "./configuration";
import { failed, ok, skipped, warning, type Finding } from "./finding";

export function checkStack({ stack, file, stacks }: StackConfiguration): Finding {
  if (stack !== undefined && file !== undefined) return ok("stack", `The stack's settings are in ${file}`);
  if (stack !== undefined) return ok("stack", `The stack ${stack} has no file of settings`);
  if (stacks.length === 0) return ok("stack", "No stack has a file of settings");
  return skipped(
    "stack",
    `The settings of no stack were read: there are ${stacks.join(", ")}`,
    "Say which by --stack.",
  );
}

export function checkSettings(configuration: StackConfiguration, connection?: string): Finding[] {
  try {
    return settingNames.map((name) =>
      checkSetting(name, findSetting(name, sourcesOf(configuration), connection), configuration, connection),
    );
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return [failed("settings", withoutFullStop(error.message), "Set it anew with pulumi config set --path.")];
  }
}

function checkSetting(
  name: SettingName,
  { value, source }: FoundSetting,
  configuration: StackConfiguration,
  connection?: string,
): Finding {
  const key = configurationKey(name, connection);
  if (source === undefined) return checkAbsent(name, configuration, connection);
  const file = configuration.fileOf(source);
  const place = file ?? `the environment (${source})`;
  if (value === sealed) return ok("settings", `${key} is set, encrypted, in ${place}`);
  const issue = settingIssue(name, value);
  if (issue !== undefined) return failed("settings", `${key} ${issue}`, `It is set in ${place}.`);
  if (name === "apiToken" && file !== undefined)
    return warning(
      "settings",
      `${key} is set in plain text in ${place}`,
      "Let the service issue another token, and give that by the environment or by pulumi config set --secret.",
    );
  return ok("settings", `${key} is set in ${place}`);
}

function checkAbsent(name: SettingName, configuration: StackConfiguration, connection?: string): Finding {
  const key = configurationKey(name, connection);
  if (name === "formerBaseUrl") return ok("settings", `${key} isn't set: the service hasn't moved`);
  if (settingIssue(name, undefined) === undefined) return ok("settings", `${key} has its default`);
  const remedy = waysToSet(name, connection);
  const isOpen =
    configuration.isPartial || (configuration.stack === undefined && configuration.stacks.length > 0);
  if (isOpen) return skipped("settings", `${key} wasn't found where doctor can look`, remedy);
  return failed("settings", `${key} is missing`, remedy);
}

/** Without its code, too. */
function withoutFullStop(message: string): string {
  return message.replace(/\.? \[[\w-]+\]$/, "");
}
