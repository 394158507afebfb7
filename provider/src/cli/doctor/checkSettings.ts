/** Checks that the settings are present and valid. It shows their sources, never their values. */
import { UserGroupError } from "../../errors";
import {
  configurationKey,
  findSetting,
  settingIssue,
  settingNames,
  waysToSet,
  type SettingName,
  type SettingSources,
} from "../../settings/readSettings";
import { encryptedValue, type StackConfiguration } from "./readProject";
import type { Result } from "./report";

/** The sources that a provider would have. */
export interface Sources extends SettingSources {
  readonly configuration: StackConfiguration;
}

export function checkSettings(sources: Sources, connection?: string): Result[] {
  try {
    return settingNames.map((name) => checkSetting(name, sources, connection));
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    const text = error.message.replace(/\.? \[[\w-]+\]$/, "");
    return [{ status: "failed", text, remedy: "Set it again with pulumi config set --path." }];
  }
}

function checkSetting(name: SettingName, sources: Sources, connection?: string): Result {
  const { value, source } = findSetting(name, sources, connection);
  if (source === undefined) return checkAbsent(name, sources, connection);
  const key = configurationKey(name, connection);
  const file = sources.configuration.fileOf(source);
  const place = file ?? `the environment (${source})`;
  if (value === encryptedValue) return { status: "ok", text: `${key} is set, encrypted, in ${place}` };
  const issue = settingIssue(name, value);
  if (issue !== undefined)
    return { status: "failed", text: `${key} ${issue}`, remedy: `It is set in ${place}.` };
  if (name === "apiToken" && file !== undefined)
    return {
      status: "warning",
      text: `${key} is set in plain text in ${place}`,
      remedy:
        "Rotate the token in the service. Set the new one in the environment or with pulumi config set --secret.",
    };
  return { status: "ok", text: `${key} is set in ${place}` };
}

function checkAbsent(name: SettingName, { configuration }: Sources, connection?: string): Result {
  const key = configurationKey(name, connection);
  if (settingIssue(name, undefined) === undefined) return { status: "ok", text: `${key} has its default` };
  const remedy = waysToSet(name, connection);
  return configuration.isPartial
    ? { status: "skipped", text: `${key} wasn't found in the places that doctor can read`, remedy }
    : { status: "failed", text: `${key} is missing`, remedy };
}
