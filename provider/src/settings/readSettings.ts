/** The settings of a service: read from the environment and the configuration, and validated once. */
import * as z from "zod";
import { UserGroupError } from "../errors";
import { escaped, quoted } from "../text";
import { jsonText, parse } from "../validation";
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
  /** The seconds of this operation, from the option `customTimeouts`. They take precedence over the setting `timeout`. */
  readonly timeLimit?: number | undefined;
}

/** The owner of settings: a connection, an explicit provider, or neither. */
export interface SettingOwner {
  readonly connection?: string | undefined;
  readonly provider?: string | undefined;
}

const longestTimeoutSeconds = 86_400;

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
   * The largest number of requests a second, repeated ones included: a number, such as 50 or 0.5. Default: no limit.
   */
  requestsPerSecond: numberLike(/^\d+(\.\d+)?$/, "must be a number")
    .pipe(z.number().positive("must be more than 0"))
    .optional(),
  /**
   * The effect of a change of name, mapping or properties. `replace` (the default): the group is deleted and created
   * again, with a new token. `update`: it is updated by get-or-create, which requires a service that does so.
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
export function completeSettings(
  partial: PartialSettings,
  sources: SettingSources,
  connection?: string,
): Settings {
  const { baseUrl, apiToken } = partial;
  const owner = { connection, provider: sources.provider };
  if (baseUrl === undefined) throw missingSetting("baseUrl", owner);
  if (apiToken === undefined) throw missingSetting("apiToken", owner);
  return { ...partial, baseUrl, apiToken, ...readIdentity(sources, connection) };
}

/** All settings of a connection (undefined: the default service). Errors: setting-missing, setting-invalid. */
export function readSettings(sources: SettingSources, connection?: string): Settings {
  return completeSettings(readPartialSettings(sources, connection), sources, connection);
}

function readerOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return (sources: SettingSources, connection?: string) => {
    const names = schema.keyof().options.map((name) => settingsSchema.keyof().parse(name));
    const found = names.map((name) => [name, findSetting(name, sources, connection)?.value]);
    return parse(schema, Object.fromEntries(found), ({ path, reason }) => {
      const name = settingsSchema.keyof().parse(path);
      const source = findSetting(name, sources, connection)?.source;
      if (source === undefined) return missingSetting(name, { connection, provider: sources.provider });
      return new UserGroupError("setting-invalid", `The setting ${escaped(source)} ${reason}.`);
    });
  };
}

function missingSetting(name: SettingName, owner: SettingOwner): UserGroupError {
  const sentence =
    `The setting ${escaped(keysOf(name, owner).shown)} is missing. ${waysToSet(name, owner)} ` +
    "The provider doesn't see what the program sets (dotenv): it is another process.";
  return new UserGroupError("setting-missing", sentence);
}

/** The reason why a value of a setting, or its absence, is invalid; undefined: it is valid. */
export function settingIssue(name: SettingName, value: string | undefined): string | undefined {
  return settingRules[name].safeParse(value).error?.issues[0]?.message;
}

export interface FoundSetting {
  readonly value: string;
  /** The variable or key, as messages name it. */
  readonly source: string;
  readonly origin: "environment" | "configuration" | "engine";
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
export function findSetting(
  name: SettingName,
  sources: SettingSources,
  connection?: string,
): FoundSetting | undefined {
  if (name === "timeout" && sources.timeLimit)
    return {
      value: String(Math.min(sources.timeLimit, longestTimeoutSeconds)),
      source: "customTimeouts",
      origin: "engine",
    };
  const own = findOwnSetting(name, sources, connection);
  if (credentials.includes(name) && own?.origin !== "environment" && isElsewhere(sources, connection))
    return undefined;
  if (own || sources.provider === undefined) return own;
  const isOwnService = serviceSettings.some((setting) => findOwnSetting(setting, sources));
  if (isOwnService && serviceSettings.includes(name)) return undefined;
  return findOwnSetting(name, { ...sources, provider: undefined });
}

function findOwnSetting(
  name: SettingName,
  sources: SettingSources,
  connection?: string,
): FoundSetting | undefined {
  const { environment, provider } = sources;
  const { variable, shown } = keysOf(name, { connection, provider });
  const inEnvironment = environment[variable];
  if (inEnvironment) return { value: inEnvironment, source: variable, origin: "environment" };
  const value = configured(name, sources, connection);
  return value === undefined ? undefined : { value, source: shown, origin: "configuration" };
}

function configured(name: SettingName, { configuration, provider }: SettingSources, connection?: string) {
  const { key } = keysOf(name, { connection, provider });
  return configuration.get(key) ?? inConnectionObject(name, configuration, connection);
}

/** Whether the environment names another service than the configuration, whose credentials aren't for it. */
function isElsewhere(sources: SettingSources, connection?: string): boolean {
  const { environment, provider } = sources;
  const inEnvironment = environment[keysOf("baseUrl", { connection, provider }).variable];
  const inConfiguration = configured("baseUrl", sources, connection);
  if (!inEnvironment || inConfiguration === undefined) return false;
  return normalizedAddress(inEnvironment) !== normalizedAddress(inConfiguration);
}

const scalar = z.union(
  [z.string(), z.number()],
  "must contain only strings and numbers, and an object as headers",
);
const headers = z.union([z.string(), z.record(z.string(), z.unknown())], "must have an object as headers");
const connectionSettings = z.object({ headers: headers.optional() }, "must be an object").catchall(scalar);
const connectionObject = jsonText("must be an object").pipe(connectionSettings);

/** `pulumi config set --path 'user-groups:eu.baseUrl'` creates one object, which arrives as one JSON string. */
function inConnectionObject(name: SettingName, configuration: Configuration, connection?: string) {
  if (connection === undefined) return undefined;
  const key = `user-groups:${connection}`;
  const settings = parse(connectionObject, configuration.get(key) ?? "{}", ({ reason }) => {
    return new UserGroupError("setting-invalid", `The setting ${escaped(key)} ${reason}.`);
  });
  const value = settings[name];
  return typeof value === "object" ? JSON.stringify(value) : value?.toString();
}

/** Whether the settings of a connection of this name would be those of another connection, or of none. */
export function isReservedName(connection: string): boolean {
  return /(^|-)former$/.test(connection) || settingNames.some((name) => name === connection);
}

/** `USER_GROUPS_EU_BASE_URL`, `user-groups:eu.baseUrl`, and the key as messages show it. */
export function keysOf(name: SettingName, { connection, provider }: SettingOwner) {
  const words = [(provider ?? connection)?.replaceAll("-", "_"), name.replace(/[A-Z]/g, "_$&")];
  const variable = ["user_groups", ...words.filter((word) => word !== undefined)].join("_").toUpperCase();
  const key = connection === undefined ? `user-groups:${name}` : `user-groups:${connection}.${name}`;
  const shown = provider === undefined ? key : `${name} of the provider ${quoted(provider)}`;
  return { variable, key, shown };
}

/** `user-groups:baseUrl (or USER_GROUPS_BASE_URL)`, as messages name a setting. */
export function settingName(name: SettingName, owner: SettingOwner): string {
  const { variable, shown } = keysOf(name, owner);
  return escaped(`${shown} (or ${variable})`);
}

export function waysToSet(name: SettingName, owner: SettingOwner): string {
  const { variable, key } = keysOf(name, owner);
  if (owner.provider !== undefined)
    return `Pass the argument ${name}, or set the environment variable ${escaped(variable)}.`;
  const secret = secretSettings.includes(name) ? "--secret " : "";
  const place = owner.connection === undefined ? secret + key : `--path ${secret}'${key}'`;
  return escaped(`Set the environment variable ${variable} or run pulumi config set ${place}.`);
}
