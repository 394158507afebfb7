/** Shows the sources of the settings, never their values. Of headers, it shows the names. */
import { UserGroupError } from "../../errors";
import { requestHeaders } from "../../settings/gateway";
import * as settings from "../../settings/readSettings";
import { escaped } from "../../text";
import type { Sources } from "../programSettings";
import { failed, ok, unknown, warning, type Finding } from "./report";

export function checkSettings(sources: Sources): Finding[] {
  const ofSettings = settings.settingNames.flatMap((name) => checkSetting(name, sources));
  const isComplete = ofSettings.every(({ status }) => status === "ok" || status === "warning");
  const findings = isComplete ? [...ofSettings, ...checkTogether(sources)] : ofSettings;
  // A configuration without settings is no problem if the environment has everything.
  if (sources.issue === undefined || (isComplete && !sources.isUnread)) return findings;
  const remedy = sources.isUnread
    ? "Correct this, or set all settings in the environment."
    : "Run doctor in the program's folder, with --stack, or set all settings in the environment.";
  return [unknown(`The stack's configuration ${sources.issue}`, remedy), ...findings];
}

/** Nothing is said of a setting that only the unread configuration may have. */
function checkSetting(name: settings.SettingName, sources: Sources): Finding[] {
  const { value, source } = settings.findSetting(name, sources) ?? {};
  const { key } = settings.keysOf(name, sources);
  const issue = settings.settingIssue(name, value);
  if (value === undefined || source === undefined) {
    if (issue !== undefined && sources.isUnread)
      return [unknown(`${key} isn't in the environment, and the configuration couldn't be read`)];
    if (issue !== undefined) return [failed(`${key} is missing`, settings.waysToSet(name, sources))];
    return sources.isUnread ? [] : [ok(`${key} has its default`)];
  }
  if (issue !== undefined) return [failed(`${key} ${issue}`, `Correct ${source}.`)];
  const names = name === "headers" ? `: ${headerNames(value)}` : "";
  if (source in sources.environment) return [ok(`${key} is set in the environment (${source})${names}`)];
  if (!sources.plain.has(source) || !isSecret(name, value))
    return [ok(`${key} is set in the stack's configuration${names}`)];
  const text = `${key} is set in plain text in the stack's configuration${names}`;
  const remedy = "Replace it, and set the new one in the environment or with pulumi config set --secret.";
  return [warning(text, remedy)];
}

function headerNames(value: string): string {
  return escaped(Object.keys(requestHeaders.parse(value)).join(", "));
}

/** The path of a file is no secret. */
function isSecret(name: settings.SettingName, value: string): boolean {
  return settings.secretSettings.includes(name) && (name !== "clientKey" || value.includes("-----BEGIN "));
}

/** Settings that are valid one by one, but not together. */
function checkTogether(sources: Sources): Finding[] {
  try {
    settings.readSettings(sources);
    return [];
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return [failed(error.sentence, "Set both, or none of them.")];
  }
}
