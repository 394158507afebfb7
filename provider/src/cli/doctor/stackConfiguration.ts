/** A stack's configuration in its files. An encrypted value counts as set, and its value is unknown. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import type { Configuration, SettingSources } from "../../settings/readSettings";
import { parseYaml, stacksOf, type Project } from "./project";

export interface StackConfiguration extends Configuration {
  /** The stack; undefined if there are several and none is named. */
  readonly stack: string | undefined;
  /** The name of its file; undefined if there is none. */
  readonly file: string | undefined;
  /** All stacks with a file. */
  readonly stacks: readonly string[];
  /** Whether other values may come from an environment of Pulumi ESC. */
  readonly isPartial: boolean;
  readonly environment: SettingSources["environment"];
  /** The file that contains a key. */
  fileOf(key: string): string | undefined;
}

/** Represents an encrypted value. It isn't a valid address. */
export const encryptedValue = "(encrypted)";

/** The configuration of `stack`, or else of the only one. Values of the stack take precedence over the project's. */
export function readConfiguration(
  project: Project,
  stack: string | undefined,
  environment: SettingSources["environment"],
): StackConfiguration {
  const stacks = stacksOf(project);
  const chosen = stack ?? (stacks.length === 1 ? stacks[0] : undefined);
  const file = chosen === undefined ? undefined : settingsFile(project, chosen);
  const { config, environment: escEnvironment } =
    file === undefined ? noSettings : parseYaml(file, stackFile);
  const own = new Map(Object.entries(config ?? {}).map(([key, value]) => [key, textOf(value)]));
  const shared = new Map(
    Object.entries(project.configuration).map(([key, value]) => [key, sharedTextOf(value)]),
  );
  const fileOf = (key: string) => {
    if (own.get(key) !== undefined) return basename(file ?? "");
    return shared.get(key) === undefined ? undefined : basename(project.file);
  };
  return {
    stack: chosen,
    file: file && basename(file),
    stacks,
    isPartial: escEnvironment !== undefined,
    environment,
    get: (key) => own.get(key) ?? shared.get(key),
    fileOf: (key) => fileOf(key) ?? fileOf(key.replace(/\.[^.]*$/, "")),
  };
}

const stackFile = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.unknown().optional(),
});

const noSettings: z.infer<typeof stackFile> = {};

function settingsFile({ settingsFolder }: Project, stack: string): string | undefined {
  const name = stack.slice(stack.lastIndexOf("/") + 1);
  return ["yaml", "yml"].map((end) => join(settingsFolder, `Pulumi.${name}.${end}`)).find(existsSync);
}

/** The value as the engine passes it on: a structured value as JSON text. */
function textOf(value: unknown): string | undefined {
  const opened = withoutSecrets(value);
  if (opened === null || opened === undefined) return undefined;
  return typeof opened === "string" ? opened : JSON.stringify(opened);
}

/** A value of the project's file may be wrapped, with its type and so on. */
function sharedTextOf(value: unknown): string | undefined {
  const wrapped = z
    .union([z.object({ value: z.unknown() }), z.object({ default: z.unknown() })])
    .safeParse(value);
  if (!wrapped.success) return textOf(value);
  return textOf("value" in wrapped.data ? wrapped.data.value : wrapped.data.default);
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if ("secure" in value) return encryptedValue;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** The sources that a provider would have. */
export function sourcesOf(configuration: StackConfiguration): SettingSources {
  return { environment: configuration.environment, configuration };
}
