/** What the places share: the commands of their PATH, a clone of the repository, and the address that stands for the repository's own. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../docs/pages";
import { runTool } from "../packages/tool";

const commands =
  "npm npx git sh bash env cat chmod cp cut dirname basename grep head kill ln ls mkdir mktemp mv rm sed sha256sum tail tr uname which";

let made: Promise<string> | undefined;
let cloned: Promise<string> | undefined;

export const sources = {
  /** A folder with Node.js, npm, Git and POSIX's commands. */
  async commands(): Promise<string> {
    made ??= makeRoot();
    return join(await made, "bin");
  },

  async emptyFolder(): Promise<string> {
    return fs.mkdtemp(join(await this.commands(), "../empty-"));
  },

  /** A folder of a clone in which `npm ci` has run. */
  async clone(folder: string): Promise<string> {
    return join(await clones(), "clone", folder);
  },

  /** A copy of an example, which installs an archive of the package, as examples/README.md says. */
  async copy(example: string): Promise<string> {
    const folder = join(await clones(), "copies", basename(example));
    await fs.cp(join(await clones(), "clone", example), folder, { recursive: true });
    const readme = await fs.readFile(join(repository, "examples/README.md"), "utf8");
    const [, former = "", next = ""] = /^-(.*)\n\+(.*)$/m.exec(readme) ?? assert.fail("no diff");
    const file = join(folder, "package.json");
    const manifest = await fs.readFile(file, "utf8");
    assert(manifest.includes(former));
    await fs.writeFile(file, manifest.replace(former, next));
    await runTool("npm", ["pack", "--silent", "--pack-destination", folder], repository);
    return folder;
  },

  /** That of a bare repository. */
  async address(): Promise<string> {
    return pathToFileURL(join(await clones(), "pulumi-user-groups.git")).href;
  },

  async remove(): Promise<void> {
    if (made) await fs.rm(await made, { recursive: true, force: true, maxRetries: 3 });
  },
};

async function makeRoot(): Promise<string> {
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-commands-")));
  await fs.mkdir(join(root, "bin"));
  for (const command of commands.split(" ")) {
    const path = (await runTool("which", [command])).trim();
    await fs.symlink(await fs.realpath(path), join(root, "bin", command));
  }
  await fs.symlink(process.execPath, join(root, "bin/node"));
  return root;
}

async function clones(): Promise<string> {
  const root = join(await sources.commands(), "..");
  cloned ??= makeClones(root);
  return cloned;
}

/** Of the files as they are, committed or not. */
async function makeClones(root: string): Promise<string> {
  const bare = join(root, "pulumi-user-groups.git");
  const git = (...args: string[]) => runTool("git", args, repository);
  const author = ["-c", "user.name=Example", "-c", "user.email=example@example.com"];
  const folders = ["--git-dir", bare, "--work-tree", repository];
  await git("init", "--quiet", "--bare", bare);
  await git(...folders, "add", "--all");
  await git(...author, ...folders, "commit", "--quiet", "--message", "Add all files");
  await git("clone", "--quiet", bare, join(root, "clone"));
  for (const folder of ["node_modules", "dist", "plugin"])
    await fs.symlink(join(repository, folder), join(root, "clone", folder), "junction");
  return root;
}
