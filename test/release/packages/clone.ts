/** A clone of the repository's files as they are, committed or not. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runTool } from "./tool";

const repository = resolve(__dirname, "../../..");

/** A bare repository with one commit. */
export async function bareRepository(folder: string): Promise<string> {
  const bare = join(folder, "pulumi-user-groups.git");
  const git = (...args: string[]) => runTool("git", args, repository);
  const author = ["-c", "user.name=Example", "-c", "user.email=example@example.com"];
  const folders = ["--git-dir", bare, "--work-tree", repository];
  await git("init", "--quiet", "--bare", bare);
  await git(...folders, "add", "--all");
  await git(...author, ...folders, "commit", "--quiet", "--message", "Add all files");
  return bare;
}

export interface Clone {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A clone in which `npm ci` has run, as examples/README.md says. */
export async function newClone(): Promise<Clone> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "user-groups-clone-")));
  const folder = join(root, "clone");
  await runTool("git", ["clone", "--quiet", await bareRepository(root), folder]);
  await runTool("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  return { folder, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
}
