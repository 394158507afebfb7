/** What the places share: the commands of their PATH, a clone of the repository, and the address that stands for the repository's own. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../../pages/pages";
import { bareRepository, newClone, type Clone } from "../../release/packages/clone";
import { runTool } from "../../release/packages/tool";

const commands =
  "npm npx git sh bash env cat chmod cp cut dirname basename grep head kill ln ls mkdir mktemp mv rm sed sha256sum tail tr uname which";

let made: Promise<string> | undefined;
let copied: Promise<string> | undefined;
let cloned: Promise<Clone> | undefined;

export const sources = {
  /** A folder with Node.js, npm, Git and POSIX's commands. */
  async commands(): Promise<string> {
    made ??= makeRoot();
    return join(await made, "bin");
  },

  async emptyFolder(): Promise<string> {
    return fs.mkdtemp(join(await this.commands(), "../empty-"));
  },

  /** A folder of a clone in which `npm ci` has run. Each call gives a clone that no other one changes. */
  async clone(folder: string): Promise<string> {
    cloned ??= newClone();
    const { folder: original } = await cloned;
    const own = await fs.mkdtemp(join(original, "../clone-"));
    await fs.cp(original, own, { recursive: true, verbatimSymlinks: true });
    return join(own, folder);
  },

  /** A copy of an example, which installs an archive of the package, as examples/README.md says. */
  async copy(example: string): Promise<string> {
    const folder = join(await copies(), "copies", basename(example));
    await fs.cp(join(await copies(), "clone", example), folder, { recursive: true });
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
    return pathToFileURL(join(await copies(), "pulumi-user-groups.git")).href;
  },

  async remove(): Promise<void> {
    if (made) await fs.rm(await made, { recursive: true, force: true, maxRetries: 3 });
    await (await cloned)?.remove();
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

/** A folder with a bare repository, and with the files of its commit in `clone`. */
async function copies(): Promise<string> {
  const root = join(await sources.commands(), "..");
  copied ??= makeCopies(root);
  return copied;
}

async function makeCopies(root: string): Promise<string> {
  await runTool("git", ["clone", "--quiet", await bareRepository(root), join(root, "clone")]);
  return root;
}
