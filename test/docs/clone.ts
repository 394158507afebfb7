import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ended, type Ended } from "../harness/ended";
import { repository } from "./pages";

/** A repository of its own with what a release reads, but no pending changesets; everything committed, packages linked. */
export class Clone {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Clone> {
    const clone = new Clone(await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-clone-"))));
    for (const path of paths)
      await fs.cp(join(repository, path), join(clone.#folder, path), {
        recursive: true,
        preserveTimestamps: true,
        filter: (source) => !isPendingChangeset(source),
      });
    await fs.symlink(join(repository, "node_modules"), join(clone.#folder, "node_modules"), "junction");
    // The pattern "node_modules/" means folders, which a link isn't.
    await clone.write(".gitignore", `${await clone.read(".gitignore")}node_modules\n`);
    await clone.run("git", ["init", "--quiet"]);
    await clone.commit();
    return clone;
  }

  read(file: string): Promise<string> {
    return fs.readFile(join(this.#folder, file), "utf8");
  }

  write(file: string, text: string): Promise<void> {
    return fs.writeFile(join(this.#folder, file), text);
  }

  async commit(): Promise<void> {
    await this.run("git", ["add", "--all"]);
    const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    await this.run("git", [...author, "commit", "--quiet", "--message", "Change"]);
  }

  async run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const child = spawn(command, args, { cwd: this.#folder, env: { ...inherited(), ...env } });
    return ended(child);
  }

  remove(): Promise<void> {
    return fs.rm(this.#folder, { recursive: true, force: true });
  }
}

/** Less what an npm that runs the tests has set for the commands that it starts. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

function isPendingChangeset(file: string): boolean {
  return basename(dirname(file)) === ".changeset" && file.endsWith(".md") && basename(file) !== "README.md";
}

const paths = [
  ".changeset",
  ".gitignore",
  "LICENSE",
  "README.md",
  "examples/quickstart/package.json",
  "package.json",
  "provider/CHANGELOG.md",
  "provider/dist",
  "provider/package.json",
  "provider/src",
  "provider/tsconfig.json",
  "release",
  "tsconfig.json",
];
