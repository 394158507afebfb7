/** Environment over configuration → the settings of one service, checked. */
import { z } from "zod";
import { UserGroupError } from "./errors";
import { parse } from "./schema";

/** Where settings come from beside the environment: the stack's configuration, as the SDK hands it over. */
export interface Configuration {
  get(key: string): string | undefined;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const baseUrl = z
  .url("must be an absolute URL")
  .transform((value) => new URL(value))
  .refine(
    ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && loopback.test(hostname)),
    "must be an https URL, or an http URL of a loopback host",
  )
  .refine(({ username, password }) => username + password === "", "must hold no user name and no password")
  .refine(({ href }) => !/[?#]/.test(href), "must have no query and no fragment");

const wholeNumber = z.string().regex(/^\d+$/, "must be a whole number").transform(Number);

/** Each setting's rule and default; its key is the configuration key. */
const settingRules = {
  baseUrl,
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII without white space (look for a line break at its end)"),
  timeout: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number of seconds")
    .transform(Number)
    .pipe(z.number().positive("must be more than 0").max(86_400, "must be at most 86400 (a day)"))
    .default(60),
  maxConnections: wholeNumber
    .pipe(z.number().min(1, "must be at least 1").max(1_000, "must be at most 1000"))
    .default(16),
  changes: z.enum(["replace", "update"], 'must be "replace" or "update"').default("replace"),
};

const settingsSchema = z.object(settingRules);
const givenSettingsSchema = settingsSchema.partial();

export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

export const settingNames = settingsSchema.keyof().options;

/** A setting as it was found, or where it was looked for. */
export interface FoundSetting {
  readonly value: string | undefined;
  /** The name of the environment variable or the configuration key that gave it; undefined: neither did. */
  readonly source: string | undefined;
}

/** All settings of a connection (undefined: the unnamed one). Errors: setting-missing, setting-invalid. */
export function readSettings(configuration: Configuration, connection?: string): Settings {
  return parseSettings(settingsSchema, configuration, connection);
}

/** What a change of name, mapping or properties does: the one setting that a preview needs. */
export function readChanges(configuration: Configuration, connection?: string): Settings["changes"] {
  const { value } = findSetting("changes", configuration, connection);
  return parse(settingRules.changes, value, ({ reason }) =>
    flawed("changes", reason, configuration, connection),
  );
}

/** Checks the settings that are there, and lets those be missing that a preview doesn't need. */
export function checkGivenSettings(configuration: Configuration, connection?: string): void {
  parseSettings(givenSettingsSchema, configuration, connection);
}

/** The base URL, where it is given and right: a preview goes without. */
export function givenBaseUrl(configuration: Configuration, connection?: string): URL | undefined {
  return settingRules.baseUrl.safeParse(findSetting("baseUrl", configuration, connection).value).data;
}

/** What is wrong with the value of one setting, or with its absence; undefined: nothing. */
export function flawOf(name: SettingName, value: string | undefined): string | undefined {
  return settingRules[name].safeParse(value).error?.issues[0]?.message;
}

/** Looks in the environment first: what the engine hands over may be the configuration of the last update. */
export function findSetting(
  name: SettingName,
  configuration: Configuration,
  connection?: string,
): FoundSetting {
  const variable = environmentVariable(name, connection);
  const key = configurationKey(name, connection);
  const fromEnvironment = process.env[variable];
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

/** `pulumi config set --path 'user-groups:eu.baseUrl'` makes one object, which arrives as one JSON string. */
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
      z.union([z.string(), z.number()], "must hold strings and numbers only"),
      "must be an object",
    ),
  );

function parseSettings<Parsed>(
  schema: z.ZodType<Parsed>,
  configuration: Configuration,
  connection?: string,
): Parsed {
  const values = Object.fromEntries(
    settingNames.map((name) => [name, findSetting(name, configuration, connection).value]),
  );
  return parse(schema, values, ({ place, reason }) =>
    flawed(settingsSchema.keyof().parse(place), reason, configuration, connection),
  );
}

function flawed(
  name: SettingName,
  reason: string,
  configuration: Configuration,
  connection?: string,
): UserGroupError {
  const { source } = findSetting(name, configuration, connection);
  if (source === undefined) return missing(name, connection);
  return new UserGroupError("setting-invalid", `The setting ${source} ${reason}.`);
}

/** Error: setting-missing. */
function missing(name: SettingName, connection?: string): UserGroupError {
  const key = configurationKey(name, connection);
  return new UserGroupError(
    "setting-missing",
    `The setting ${key} is missing. ${waysToSet(name, connection)}`,
  );
}

/** The sentence that says how to set it. */
export function waysToSet(name: SettingName, connection?: string): string {
  const key = configurationKey(name, connection);
  const set =
    `pulumi config set ${connection === undefined ? "" : "--path "}` +
    `${name === "apiToken" ? "--secret " : ""}${connection === undefined ? key : `'${key}'`}`;
  return `Set the environment variable ${environmentVariable(name, connection)} or run ${set}.`;
}
