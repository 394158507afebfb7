/** The settings of a provider. For the default provider, its arguments are the stack's configuration. */
import { findSetting, settingIssue, settingNames, type SettingSources } from "../settings/readSettings";
import { withCode } from "../errors";
import { isUnknown, type JsonObject } from "../values";

export interface ProviderArguments {
  /** The name of the provider in the program; undefined with engines that don't pass it. */
  readonly name: string | undefined;
  readonly args: JsonObject;
}

export function settingSources(provider: ProviderArguments, environment = process.env): SettingSources {
  // Most SDKs send values other than strings as JSON. Others send them unchanged.
  const get = (key: string) => {
    const value = provider.args[key.replace(/^user-groups:/, "")] ?? undefined;
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
  const isExplicit = !isDefault(provider, environment);
  return { environment, configuration: { get }, provider: isExplicit ? provider.name : undefined };
}

/** One sentence for each invalid setting, without its value, and one for a provider whose variables are another setting's. */
export function settingIssues(sources: SettingSources): string[] {
  const invalid = settingNames.flatMap((setting) => {
    const found = findSetting(setting, sources);
    const issue = found && !isUnknown(found.value) ? settingIssue(setting, found.value) : undefined;
    return issue === undefined ? [] : [`The setting ${found?.source} ${issue}.`];
  });
  const reserved = 'The name of a provider must not end in "former", as the variables of formerBaseUrl do.';
  const isReserved = /(^|[-_])former$/.test(sources.provider ?? "");
  return (isReserved ? [reserved] : invalid).map((sentence) => withCode("setting-invalid", sentence));
}

/**
 * The engine names the provider that it creates itself `default`, or `default_<version>` if it knows the version. A program may
 * name its own provider `default`. Then its address isn't that of the stack's configuration, which the engine passes to plugins.
 */
function isDefault({ name, args: { baseUrl } }: ProviderArguments, environment: NodeJS.ProcessEnv): boolean {
  if (name === "default" && baseUrl != null)
    return environment["PULUMI_CONFIG"]?.includes(JSON.stringify(baseUrl)) ?? false;
  return name === undefined || /^default(_\d+_\d+_\d+.*)?$/.test(name);
}
