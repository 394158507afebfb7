/** The settings of a provider. For the default provider, its arguments are the stack's configuration. */
import * as z from "zod";
import {
  findSetting,
  keysOf,
  settingIssue,
  settingNames,
  type SettingName,
  type SettingSources,
} from "../../settings/readSettings";
import { errorOf, textWithCode, UserGroupError } from "../../errors";
import { message } from "../../messages/message";
import { jsonText } from "../../validation";
import { escaped } from "../../text";
import { isUnknown, ownValue, type JsonObject } from "../../values";

export interface ProviderArguments {
  /** The name of the provider in the program; undefined or empty with engines that don't pass it. */
  readonly name: string | undefined;
  readonly args: JsonObject;
}

/** Reading an API token that is a number throws an error, if it isn't exact: setting-invalid. */
export function settingSources(provider: ProviderArguments, environment = process.env): SettingSources {
  const name = isDefault(provider) ? undefined : provider.name;
  const get = (key: string) => {
    const value = provider.args[key.replace(/^user-groups:/, "")];
    if (key === keysOf("apiToken", {}).key && isInexact(value)) throw inexactToken(name);
    return textOf(value);
  };
  return { environment, configuration: { get }, provider: name };
}

/** A token of digits is a text. As a number, it may arrive rounded. */
function isInexact(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

function inexactToken(provider: string | undefined): UserGroupError {
  return errorOf(message("inexact-token", { setting: escaped(keysOf("apiToken", { provider }).shown) }));
}

/** Most SDKs send values other than strings as JSON. Others send them unchanged. */
function textOf(value: unknown): string | undefined {
  if (value == null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One sentence for each invalid setting, without its value, and one for a provider whose variables are another setting's. */
export function settingIssues(sources: SettingSources): string[] {
  try {
    return issuesIn(sources);
  } catch (error) {
    if (error instanceof UserGroupError) return [error.message];
    throw error;
  }
}

function issuesIn(sources: SettingSources): string[] {
  const invalid = settingNames.filter(isCheckable).flatMap((setting) => {
    const found = findSetting(setting, sources);
    const issue = found && !isUnknown(found.value) ? settingIssue(setting, found.value) : undefined;
    return issue === undefined
      ? []
      : [message("setting", { setting: escaped(found?.source ?? setting), reason: issue })];
  });
  const isReserved = /(^|[-_])former$/.test(sources.provider ?? "");
  return (isReserved ? [message("reserved-name")] : invalid).map(textWithCode);
}

/** A preview may run on a machine that doesn't have the files of a client certificate. */
function isCheckable(setting: SettingName): boolean {
  return setting !== "clientCertificate" && setting !== "clientKey";
}

/** Among the inputs of an explicit provider whose name could be that of the default one. The engine records it. */
const explicitKey = "__explicit";

function isDefault({ name, args }: ProviderArguments): boolean {
  return !name || (isDefaultName(name) && args[explicitKey] === undefined);
}

/** The engine names its own provider `default`, with the version and the address of the plugin if it knows them. */
function isDefaultName(name: string): boolean {
  return /^default(_|$)/.test(name);
}

/**
 * What check adds to the inputs of a provider, because a program may name its own one like the default provider. The engine
 * gives the default one exactly the stack's configuration, which it also passes to the process. That holds in check only: a
 * destroy or a refresh passes the inputs of the last update.
 */
export function originOf({ name = "", args }: ProviderArguments, environment = process.env): JsonObject {
  const isEngines = !isDefaultName(name) || isConfiguration(args, environment["PULUMI_CONFIG"]);
  return isEngines ? {} : { [explicitKey]: true };
}

const stackConfiguration = jsonText("must be JSON").pipe(z.record(z.string(), z.unknown()));

function isConfiguration(args: JsonObject, configuration: string | undefined): boolean {
  const { data } = stackConfiguration.safeParse(configuration);
  return !data || settingNames.every((name) => textOf(args[name]) === textOf(ownValue(data, name)));
}
