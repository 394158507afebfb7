/** Checks that the settings are present and valid. It shows their sources, never their values. */
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
import { encryptedValue, sourcesOf, type StackConfiguration } from "./stackConfiguration";
import { failed, ok, skipped, warning, type Finding } from "./finding";

export function checkStack({ stack, file, stacks }: StackConfiguration): Finding {
  if (stack !== undefined && file !== undefined) return ok("stack", `The stack's settings are in ${file}`);
  if (stack !== undefined) return ok("stack", `The stack ${stack} has no settings file`);
  if (stacks.length === 0) return ok("stack", "No stack has a settings file");
  return skipped(
    "stack",
    `No stack's settings were checked: there are ${stacks.join(", ")}`,
    "Choose one with --stack.",
  );
}

export function checkSettings(configuration: StackConfiguration, connection?: string): Finding[] {
  try {
    return settingNames.map((name) =>
      checkSetting(name, findSetting(name, sourcesOf(configuration), connection), configuration, connection),
    );
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return [failed("settings", withoutCode(error.message), "Set it again with pulumi config set --path.")];
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
  if (value === encryptedValue) return ok("settings", `${key} is set, encrypted, in ${place}`);
  const issue = settingIssue(name, value);
  if (issue !== undefined) return failed("settings", `${key} ${issue}`, `It is set in ${place}.`);
  if (name === "apiToken" && file !== undefined)
    return warning(
      "settings",
      `${key} is set in plain text in ${place}`,
      "Rotate the token in the service. Set the new one in the environment or with pulumi config set --secret.",
    );
  return ok("settings", `${key} is set in ${place}`);
}

function checkAbsent(name: SettingName, configuration: StackConfiguration, connection?: string): Finding {
  const key = configurationKey(name, connection);
  if (name === "formerBaseUrl") return ok("settings", `${key} isn't set: the service hasn't moved`);
  if (settingIssue(name, undefined) === undefined) return ok("settings", `${key} has its default`);
  const remedy = waysToSet(name, connection);
  const maybeElsewhere =
    configuration.isPartial || (configuration.stack === undefined && configuration.stacks.length > 0);
  if (maybeElsewhere)
    return skipped("settings", `${key} wasn't found in the places that doctor can read`, remedy);
  return failed("settings", `${key} is missing`, remedy);
}

/** Without the full stop and the code. */
function withoutCode(message: string): string {
  return message.replace(/\.? \[[\w-]+\]$/, "");
}
