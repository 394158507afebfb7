/** A project in a temporary folder, with the engine's own folders beside it. */
import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "./programs";

/** The text of index.js, or the texts of files by their names. */
export type Program = string | Readonly<Record<string, string>>;

export type Project = Awaited<ReturnType<typeof newProject>>;

/** `modules`: the folder in which the program finds packages. */
export async function newProject(program: Program, modules = join(repository, "node_modules")) {
  // The real path, because the engine names files by theirs.
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-engine-")));
  const folder = join(root, "program");
  const home = join(root, "home");
  const backend = join(root, "backend");
  for (const each of [folder, home, backend]) await fs.mkdir(each);
  await fs.symlink(join(engineHome(), "versions"), join(home, "versions"), "junction");
  await fs.symlink(modules, join(folder, "node_modules"), "junction");
  const write = (files: Program) =>
    writeFiles(folder, typeof files === "string" ? { "index.js": files } : files);
  await write({
    "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
    "package.json": '{ "name": "tests", "private": true }\n',
  });
  await write(program);
  return {
    /** Of the program. */
    folder,
    /** The engine's home: its logs and its list of stacks. The engine itself is linked there. */
    home,
    backend,
    /** Leads the engine to both. */
    env: { PULUMI_HOME: home, PULUMI_BACKEND_URL: pathToFileURL(backend).href },
    /** A file that the engine may log its events to. */
    events: join(root, "events"),
    write,
    /** The text of the file that holds the state of the stack "dev". The backend holds one project, named by its Pulumi.yaml. */
    async state() {
      const stacks = join(backend, ".pulumi/stacks");
      const [name = ""] = await fs.readdir(stacks);
      return fs.readFile(join(stacks, name, "dev.json"), "utf8");
    },
    /** A killed engine may leave an empty file of attributes beside a state, with which the next one can't read the state. */
    async removeEmptyAttributes() {
      for (const name of await fs.readdir(backend, { recursive: true })) {
        const file = join(backend, name);
        if (name.endsWith(".attrs") && (await fs.stat(file)).size === 0) await fs.rm(file);
      }
    },
    remove: () => fs.rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Where the launcher looks for the engine, too. */
export function engineHome(): string {
  const { PULUMI_HOME: home = "" } = process.env;
  return home === "" ? join(homedir(), ".pulumi") : home;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await fs.mkdir(dirname(join(folder, name)), { recursive: true });
    await fs.writeFile(join(folder, name), text);
  }
}
