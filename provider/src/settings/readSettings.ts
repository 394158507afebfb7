/** Reads and validates the settings of one service. The environment takes precedence over the stack's configuration. */
import * as z from "zod";
import { UserGroupError } from "../errors";
import { parse } from "../validation";
import { serviceAddress } from "./serviceAddress";

/** The stack's configuration, as the engine passes it to a provider. */
export interface Configuration {
  get(key: string): string | undefined;
}

/** The sources of settings. The environment takes precedence. */
export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configuration: Configuration;
}

const wholeNumber = z.string().regex(/^\d+$/, "must be a whole number").transform(Number);

/** The rule and the default of each setting, by its configuration key. */
const settingRules = {
  /** The address of the service: an https URL, or an http URL of a loopback host; it may have a path. Required. */
  baseUrl: serviceAddress,
  /** The token for the requests to the service. Required. */
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII without white space (look for a line break at its end)"),
  /** The seconds for one operation on a group, retries included: a number, at most 86400. Default: 60. */
  timeout: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number of seconds")
    .transform(Number)
    .pipe(z.number().positive("must be more than 0").max(86_400, "must be at most 86400 (a day)"))
    .default(60),
  /** The largest number of requests at a time: a whole number from 1 to 1000. Default: 16. */
  maxConnections: wholeNumber
    .pipe(z.int().min(1, "must be at least 1").max(1_000, "must be at most 1000"))
    .default(16),
  /**
   * The effect of a change of name, mapping or properties. `replace` (the default): the group is deleted and created
   * again, with a new token. `update`: it is updated by get-or-create, which requires a service that does so.
   */
  changes: z.enum(["replace", "update"], 'must be "replace" or "update"').default("replace"),
  /** The former address of a service that has moved to `baseUrl`. Set it until every stack is updated. Default: none. */
  formerBaseUrl: serviceAddress.optional(),
};

export const settingsSchema = z.object(settingRules);
const partialSettingsSchema = settingsSchema.partial({ baseUrl: true, apiToken: true });

export type Settings = z.infer<typeof settingsSchema>;
/** Settings for a preview, in which `baseUrl` and `apiToken` may be missing. */
export type PartialSettings = z.infer<typeof partialSettingsSchema>;
export type SettingName = keyof Settings;

export const settingNames = settingsSchema.keyof().options;

/** The value of a setting and its source. */
export interface FoundSetting {
  readonly value: string | undefined;
  /** The environment variable or configuration key that holds the value; undefined if none does. */
  readonly source: string | undefined;
}

/** All settings of a connection (undefined: the default service). Errors: setting-missing, setting-invalid. */
export function readSettings(sources: SettingSources, connection?: string): Settings {
  return parseSettings(settingsSchema, sources, connection);
}

/** The settings that are present. `baseUrl` and `apiToken` may be missing. Error: setting-invalid. */
export function readPartialSettings(sources: SettingSources, connection?: string): PartialSettings {
  return parseSettings(partialSettingsSchema, sources, connection);
}

/** The reason why a value of a setting, or its absence, is invalid; undefined: it is valid. */
export function settingIssue(name: SettingName, value: string | undefined): string | undefined {
  return settingRules[name].safeParse(value).error?.issues[0]?.message;
}

/** The environment takes precedence, because the engine may pass the configuration of the last update. */
export function findSetting(
  name: SettingName,
  { environment, configuration }: SettingSources,
  connection?: string,
): FoundSetting {
  const variable = environmentVariable(name, connection);
  const key = configurationKey(name, connection);
  const fromEnvironment = environment[variable];
  if (fromEnvironment) return { value: fromEnvironment, source: variable };
  const value = configuration.get(key) ?? fromConnectionObject(name, configuration, connection);
  return { value, source: value === undefined ? undefined : key };
}

/** `USER_GROUPS_BASE_URL`, or `USER_GROUPS_<CONNECTION>_BASE_URL`. */
export function environmentVariable(name: SettingName, connection?: string): string {
  const words = [connection?.replaceAll("-", "_"), name.replace(/[A-Z]/g, (letter) => `_${letter}`)];
  return ["user_groups", ...words.filter((word) => word !== undefined)].join("_").toUpperCase();
}

/** `user-groups:baseUrl`, or `user-groups:<connection>.baseUrl`. */
export function configurationKey(name: SettingName, connection?: string): string {
  return connection === undefined ? `user-groups:${name}` : `user-groups:${connection}.${name}`;
}

/** `user-groups:baseUrl (or USER_GROUPS_BASE_URL)`, as messages name a setting. */
export function settingName(name: SettingName, connection?: string): string {
  return `${configurationKey(name, connection)} (or ${environmentVariable(name, connection)})`;
}

/** The remedy for a missing setting. */
export function waysToSet(name: SettingName, connection?: string): string {
  const key = configurationKey(name, connection);
  const set =
    `pulumi config set ${connection === undefined ? "" : "--path "}` +
    `${name === "apiToken" ? "--secret " : ""}${connection === undefined ? key : `'${key}'`}`;
  return `Set the environment variable ${environmentVariable(name, connection)} or run ${set}.`;
}

/** `pulumi config set --path 'user-groups:eu.baseUrl'` creates one object, which arrives as one JSON string. */
function fromConnectionObject(
  name: SettingName,
  configuration: Configuration,
  connection?: string,
): string | undefined {
  if (connection === undefined) return undefined;
  const key = `user-groups:${connection}`;
  const structured = configuration.get(key);
  if (structured === undefined) return undefined;
  const settings = parse(connectionObject, structured, ({ reason }) => {
    return new UserGroupError("setting-invalid", `The setting ${key} ${reason}.`);
  });
  return settings[name]?.toString();
}

const connectionObject = z
  .string()
  .transform((structured, context): unknown => {
    try {
      return JSON.parse(structured);
    } catch {
      context.addIssue({ code: "custom", message: "must be an object" });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string(),
      z.union([z.string(), z.number()], "must contain only strings and numbers"),
      "must be an object",
    ),
  );

function parseSettings<Parsed>(
  schema: z.ZodType<Parsed>,
  sources: SettingSources,
  connection?: string,
): Parsed {
  const values = Object.fromEntries(
    settingNames.map((name) => [name, findSetting(name, sources, connection).value]),
  );
  return parse(schema, values, ({ path, reason }) =>
    invalidSetting(settingsSchema.keyof().parse(path), reason, sources, connection),
  );
}

/** Errors: setting-missing, setting-invalid. */
function invalidSetting(
  name: SettingName,
  reason: string,
  sources: SettingSources,
  connection?: string,
): UserGroupError {
  const { source } = findSetting(name, sources, connection);
  if (source !== undefined) return new UserGroupError("setting-invalid", `The setting ${source} ${reason}.`);
  const key = configurationKey(name, connection);
  const sentence = `The setting ${key} is missing. ${waysToSet(name, connection)}`;
  return new UserGroupError("setting-missing", sentence);
}
