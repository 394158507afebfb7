/** Finds the program's project, by its Pulumi.yaml. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { UsageError } from "../command";

export interface Project {
  /** The absolute path of Pulumi.yaml. */
  readonly file: string;
  /** The folder in which the engine runs the program, and its provider. */
  readonly program: string;
  /** The folder with the stacks' settings files. */
  readonly settingsFolder: string;
  /** Values for every stack, as written. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

const projectFile = z.object({
  main: z.string().optional(),
  stackConfigDir: z.string().optional(),
  // In old projects a string: the folder of the stacks' settings files.
  config: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/** The project of `folder`. Its file is there or in a folder above, as for Pulumi. */
export function findProject(folder: string): Project {
  const file = findUpwards(resolve(folder));
  if (file === undefined)
    throw new UsageError(
      `there is no Pulumi.yaml in ${folder} or above; set --folder to the program's folder`,
    );
  const { main = "", stackConfigDir, config } = parseYaml(file, projectFile);
  const root = dirname(file);
  const program = resolve(root, main);
  return {
    file,
    // `main` may name a file, too.
    program: statSync(program, { throwIfNoEntry: false })?.isDirectory() ? program : dirname(program),
    settingsFolder: resolve(root, stackConfigDir ?? (typeof config === "string" ? config : "")),
    configuration: typeof config === "object" && config !== null ? config : {},
  };
}

/** The names of the stacks that have a settings file. */
export function stacksOf({ settingsFolder }: Project): string[] {
  if (!existsSync(settingsFolder)) return [];
  return readdirSync(settingsFolder).flatMap((name) => /^Pulumi\.(.+)\.ya?ml$/.exec(name)?.[1] ?? []);
}

/** Parses a YAML file. Throws a `UsageError` of one line. */
export function parseYaml<T>(file: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(parse(readFileSync(file, "utf8")) ?? {});
  } catch {
    throw new UsageError(`${basename(file)} isn't a valid YAML file of Pulumi`);
  }
}

function findUpwards(folder: string): string | undefined {
  const found = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  if (found !== undefined || dirname(folder) === folder) return found;
  return findUpwards(dirname(folder));
}
