/** Reads the files of a Pulumi project: its folders, and the configuration of one stack. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import type { Configuration } from "../../settings/readSettings";
import { isObject } from "../../values";
import { UsageError } from "../command";

export interface Project {
  /** The folder in which the engine runs the program, and its provider. */
  readonly program: string;
  readonly configuration: StackConfiguration;
}

export interface StackConfiguration extends Configuration {
  /** Whether other values may come from an environment of Pulumi ESC. */
  readonly isPartial: boolean;
  /** The name of the file that contains a key. */
  fileOf(key: string): string | undefined;
}

/** Represents an encrypted value. It isn't a valid address. */
export const encryptedValue = "(encrypted)";

/** `stack`: by default the only one that has a file. */
export function readProject(folder: string, stack: string | undefined): Project {
  const file = findProjectFile(resolve(folder));
  if (file === undefined)
    throw new UsageError(
      `there is no Pulumi.yaml in ${folder} or above; set --folder to the program's folder`,
    );
  const { main = "", stackConfigDir, config } = parseYaml(file, projectFile);
  const program = resolve(dirname(file), main);
  const settingsFolder = stackConfigDir ?? (typeof config === "string" ? config : "");
  const ofStack = findStackFile(resolve(dirname(file), settingsFolder), stack);
  const { config: own, environment } = ofStack === undefined ? noSettings : parseYaml(ofStack, stackFile);
  const shared = isObject(config) ? config : {};
  const values = new Map([...valuesIn(file, shared, unwrapped), ...valuesIn(ofStack ?? "", own ?? {})]);
  return {
    // `main` may name a file, too.
    program: statSync(program, { throwIfNoEntry: false })?.isDirectory() ? program : dirname(program),
    configuration: {
      isPartial: environment !== undefined,
      get: (key) => values.get(key)?.text,
      fileOf: (key) => (values.get(key) ?? values.get(key.replace(/\.[^.]*$/, "")))?.file,
    },
  };
}

const projectFile = z.object({
  main: z.string().optional(),
  stackConfigDir: z.string().optional(),
  // In old projects a string: the folder of the stacks' settings files.
  config: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

const stackFile = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.unknown().optional(),
});

const noSettings: z.infer<typeof stackFile> = {};

/** The project's file is in the folder or above, as for Pulumi. */
function findProjectFile(folder: string): string | undefined {
  const found = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  if (found !== undefined || dirname(folder) === folder) return found;
  return findProjectFile(dirname(folder));
}

function findStackFile(folder: string, stack: string | undefined): string | undefined {
  const wanted = stack?.slice(stack.lastIndexOf("/") + 1);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.flatMap((name) => {
    const found = /^Pulumi\.(.+)\.ya?ml$/.exec(name)?.[1];
    return found !== undefined && found === (wanted ?? found) ? [{ stack: found, name }] : [];
  });
  if (wanted === undefined && files.length > 1)
    throw new UsageError(
      `there are several stacks; set --stack to one of ${files.map((file) => file.stack).join(", ")}`,
    );
  return files[0] && join(folder, files[0].name);
}

/** Parses a YAML file. Throws a `UsageError` of one line. */
function parseYaml<T>(file: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(parse(readFileSync(file, "utf8")) ?? {});
  } catch {
    throw new UsageError(`${basename(file)} isn't a valid YAML file of Pulumi`);
  }
}

/** The values as the engine passes them on: a structured value as JSON text. */
function valuesIn(file: string, config: object, open = (value: unknown) => value) {
  return Object.entries(config).flatMap(([key, value]): [string, { text: string; file: string }][] => {
    const plain = withoutSecrets(open(value));
    if (plain === null || plain === undefined) return [];
    return [[key, { text: typeof plain === "string" ? plain : JSON.stringify(plain), file: basename(file) }]];
  });
}

/** A value of the project's file may be wrapped, with its type and so on. */
function unwrapped(value: unknown): unknown {
  return isObject(value) ? (value["value"] ?? value["default"] ?? value) : value;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  if ("secure" in value) return encryptedValue;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}
