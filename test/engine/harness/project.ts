import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "./programs";

/** The text of index.js, or the texts of files by their names. */
export type Program = string | Readonly<Record<string, string>>;

/** A project in a temporary folder, with the engine's own folders beside it. */
export interface Project {
  readonly folder: string;
  /** The engine's home: its logs and its list of stacks. The engine itself is linked there. */
  readonly home: string;
  readonly backend: string;
  /** Leads the engine to both. */
  readonly env: { readonly PULUMI_HOME: string; readonly PULUMI_BACKEND_URL: string };
  /** A file that the engine may log its events to. */
  readonly events: string;
  /** The text of the file that holds the state of the stack "dev". */
  state(): Promise<string>;
  write(program: Program): Promise<void>;
  /**
   * The engine writes the attributes of a file before the file itself: killed between the two it leaves none of them,
   * with which it then can't read the file, though that is whole.
   */
  removeEmptyAttributes(): Promise<void>;
  remove(): Promise<void>;
}

/** `modules`: the folder in which the program finds packages. */
export async function newProject(
  program: Program,
  modules = join(repository, "node_modules"),
): Promise<Project> {
  // The real path, because the engine names files by theirs.
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-engine-")));
  const [folder, home, backend] = [join(root, "program"), join(root, "home"), join(root, "backend")];
  for (const each of [folder, home, backend]) await fs.mkdir(each);
  await fs.symlink(join(engineHome(), "versions"), join(home, "versions"), "junction");
  await fs.symlink(modules, join(folder, "node_modules"), "junction");
  const project: Project = {
    folder,
    home,
    backend,
    env: { PULUMI_HOME: home, PULUMI_BACKEND_URL: pathToFileURL(backend).href },
    events: join(root, "events"),
    state: () => state(join(backend, ".pulumi/stacks")),
    write: (files) => write(folder, typeof files === "string" ? { "index.js": files } : files),
    removeEmptyAttributes: () => removeEmpty(join(backend, ".pulumi/stacks"), ".attrs"),
    remove: () => fs.rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  await project.write(projectFiles);
  await project.write(program);
  return project;
}

const projectFiles = {
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "package.json": '{ "name": "tests", "private": true }\n',
};

/** Where the launcher looks for the engine, too. */
export function engineHome(): string {
  const { PULUMI_HOME: home = "" } = process.env;
  return home === "" ? join(homedir(), ".pulumi") : home;
}

/** The backend holds one project, named by the program's Pulumi.yaml. */
async function state(stacks: string): Promise<string> {
  const [project = ""] = await fs.readdir(stacks);
  return fs.readFile(join(stacks, project, "dev.json"), "utf8");
}

async function removeEmpty(folder: string, ending: string): Promise<void> {
  for (const name of await fs.readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (name.endsWith(ending) && (await fs.stat(file)).size === 0) await fs.rm(file);
  }
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await fs.mkdir(dirname(join(folder, name)), { recursive: true });
    await fs.writeFile(join(folder, name), text);
  }
}
