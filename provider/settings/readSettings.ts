/** The settings of a service: read from the environment and the configuration, and validated once. */
import * as z from "zod";
import { errorOf, type UserGroupError } from "../errors";
import { message } from "../messages/message";
import { escaped, quoted } from "../text";
import { parse } from "../validation";
import * as gateway from "./gateway";
import { normalizedAddress, serviceAddress } from "./serviceAddress";

/** The stack's configuration, as the engine passes it to a provider. */
export interface Configuration {
  get(key: string): string | undefined;
}

export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The stack's configuration, or the arguments of the explicit provider. */
  readonly configuration: Configuration;
  /** The name of an explicit provider. */
  readonly provider?: string | undefined;
}

/** The name of the explicit provider that has the settings; undefined: the program's own. */
type Owner = Pick<SettingSources, "provider">;

export const longestTimeoutSeconds = 86_400;

const numberLike = (pattern: RegExp, message: string) => z.string().regex(pattern, message).transform(Number);

const settingRules = {
  /**
   * The address of the service, without `/api/user`: an https URL, or an http URL of a loopback host; it may have a path. Required.
   */
  baseUrl: serviceAddress,
  /** The token for the requests to the service. Required. */
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII without white space (look for a line break at its end)"),
  /** The seconds for one operation on a group, retries included: a number, at most 86400. Default: 60. */
  timeout: numberLike(/^\d+(\.\d+)?$/, "must be a number of seconds")
    .pipe(
      z.number().positive("must be more than 0").max(longestTimeoutSeconds, "must be at most 86400 (a day)"),
    )
    .default(60),
  /** The largest number of requests at a time: a whole number from 1 to 1000. Default: 16. */
  maxConnections: numberLike(/^\d+$/, "must be a whole number")
    .pipe(z.int().min(1, "must be at least 1").max(1_000, "must be at most 1000"))
    .default(16),
  /**
   * The rate limit: the largest number of requests a second, repeated ones included. A number, such as 50 or 0.5. Default: no limit.
   */
  requestsPerSecond: numberLike(/^\d+(\.\d+)?$/, "must be a number")
    .pipe(z.number().positive("must be more than 0"))
    .optional(),
  /**
   * The effect of a change of name, mapping or properties. `replace` (the default): the customer gets another group
   * with a new token. `update`: it is updated by get-or-create, which requires a service that does so.
   */
  changes: z.enum(["replace", "update"], 'must be "replace" or "update"').default("replace"),
  /** The former address of a service that has moved to `baseUrl`. Set it until every stack is updated. Default: none. */
  formerBaseUrl: serviceAddress.optional(),
  /** Headers that each request has beside those of the package, such as the key of a gateway: name → value. Default: none. */
  headers: gateway.requestHeaders.optional(),
  /** The client certificate for a service that demands one (mutual TLS): PEM text, or the path of a file with it. Default: none. */
  clientCertificate: gateway.clientCertificate.optional(),
  /** The private key of `clientCertificate`, without a passphrase: PEM text, or the path of a file with it. Default: none. */
  clientKey: gateway.clientKey.optional(),
};

export const settingsSchema = z.object(settingRules);

export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

export const settingNames = settingsSchema.keyof().options;

/** For a preview, in which `baseUrl`, `apiToken` and the files of a client certificate may be missing. Error: setting-invalid. */
export const readPartialSettings = readerOf(
  settingsSchema
    .omit({ clientCertificate: true, clientKey: true })
    .partial({ baseUrl: true, apiToken: true }),
);

export type PartialSettings = ReturnType<typeof readPartialSettings>;

const readIdentity = readerOf(
  settingsSchema.pick({ clientCertificate: true, clientKey: true }).superRefine((settings, context) => {
    const { setting, reason } = gateway.pairIssue(settings) ?? {};
    if (setting) context.addIssue({ code: "custom", path: [setting], message: reason });
  }),
);

/** Adds what only a request needs. Errors: setting-missing, setting-invalid. */
export function completeSettings(partial: PartialSettings, sources: SettingSources): Settings {
  const { baseUrl, apiToken } = partial;
  if (baseUrl === undefined) throw missingSetting("baseUrl", sources);
  if (apiToken === undefined) throw missingSetting("apiToken", sources);
  return { ...partial, baseUrl, apiToken, ...readIdentity(sources) };
}

/** All settings. Errors: setting-missing, setting-invalid. */
export function readSettings(sources: SettingSources): Settings {
  return completeSettings(readPartialSettings(sources), sources);
}

function readerOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return (sources: SettingSources) => {
    const names = schema.keyof().options.map((name) => settingsSchema.keyof().parse(name));
    const found = names.map((name) => [name, findSetting(name, sources)?.value]);
    return parse(schema, Object.fromEntries(found), ({ path, reason }) => {
      const name = settingsSchema.keyof().parse(path);
      const source = findSetting(name, sources)?.source;
      if (source === undefined) return missingSetting(name, sources);
      return errorOf(message("setting", { setting: escaped(source), reason }));
    });
  };
}

function missingSetting(name: SettingName, owner: Owner): UserGroupError {
  const setting = escaped(keysOf(name, owner).shown);
  return errorOf(message("missing-setting", { setting, ways: waysToSet(name, owner) }));
}

/** The reason why a value of a setting, or its absence, is invalid; undefined: it is valid. */
export function settingIssue(name: SettingName, value: string | undefined): string | undefined {
  return settingRules[name].safeParse(value).error?.issues[0]?.message;
}

export interface FoundSetting {
  readonly value: string;
  /** The variable or key, as messages name it. */
  readonly source: string;
  readonly origin: "environment" | "configuration";
}

/** The settings that are sent to one service only: that of the address from the same place. */
const credentials: readonly SettingName[] = ["apiToken", "headers", "clientCertificate", "clientKey"];
const serviceSettings: readonly SettingName[] = ["baseUrl", "formerBaseUrl", ...credentials];

/** The settings that are stored encrypted only. */
export const secretSettings: readonly SettingName[] = ["apiToken", "headers", "clientKey"];

/**
 * The value of a setting, and its variable or key. The environment takes precedence, because the engine may pass the configuration
 * of the last update. An explicit provider has variables of its own, such as `USER_GROUPS_EU_BASE_URL`, and uses the default ones
 * for settings that it lacks, but credentials only together with their address. So does an address in the environment that differs
 * from the configured one: the configured credentials aren't sent there.
 */
export function findSetting(name: SettingName, sources: SettingSources): FoundSetting | undefined {
  const own = findOwnSetting(name, sources);
  if (credentials.includes(name) && own?.origin !== "environment" && isElsewhere(sources)) return undefined;
  if (own || sources.provider === undefined) return own;
  const isOwnService = serviceSettings.some((setting) => findOwnSetting(setting, sources));
  if (isOwnService && serviceSettings.includes(name)) return undefined;
  return findOwnSetting(name, { ...sources, provider: undefined });
}

function findOwnSetting(name: SettingName, sources: SettingSources): FoundSetting | undefined {
  const { environment, configuration } = sources;
  const { variable, key, shown } = keysOf(name, sources);
  const inEnvironment = environment[variable];
  if (inEnvironment) return { value: inEnvironment, source: variable, origin: "environment" };
  const value = configuration.get(key);
  return value === undefined ? undefined : { value, source: shown, origin: "configuration" };
}

/** Whether the environment names another service than the configuration, whose credentials aren't for it. */
function isElsewhere(sources: SettingSources): boolean {
  const { variable, key } = keysOf("baseUrl", sources);
  const inEnvironment = sources.environment[variable];
  const inConfiguration = sources.configuration.get(key);
  if (!inEnvironment || inConfiguration === undefined) return false;
  return normalizedAddress(inEnvironment) !== normalizedAddress(inConfiguration);
}

/** `USER_GROUPS_BASE_URL`, or of the explicit provider `eu` `USER_GROUPS_EU_BASE_URL`; `user-groups:baseUrl`; and the key as messages show it. */
export function keysOf(name: SettingName, { provider }: Owner) {
  const words = [provider?.replaceAll("-", "_"), name.replace(/[A-Z]/g, "_$&")];
  const variable = ["user_groups", ...words.filter((word) => word !== undefined)].join("_").toUpperCase();
  const key = `user-groups:${name}`;
  const shown = provider === undefined ? key : `${name} of the provider ${quoted(provider)}`;
  return { variable, key, shown };
}

/** `user-groups:baseUrl (or USER_GROUPS_BASE_URL)`, as messages name a setting. */
export function settingName(name: SettingName, owner: Owner): string {
  const { variable, shown } = keysOf(name, owner);
  return escaped(`${shown} (or ${variable})`);
}

export function waysToSet(name: SettingName, owner: Owner): string {
  const { variable, key } = keysOf(name, owner);
  if (owner.provider !== undefined)
    return `Pass the argument ${name}, or set the environment variable ${escaped(variable)}.`;
  const secret = secretSettings.includes(name) ? "--secret " : "";
  return escaped(`Set the environment variable ${variable} or run pulumi config set ${secret}${key}.`);
}
