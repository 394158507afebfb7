/** Files that the commands write: one that is replaced as a whole, or new ones, all or none. Only their owner can read them. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "./command";

const mode = 0o600;

/** A reader sees the file before or the whole new one. A link stays, and leads to the new one. */
export async function replaceFile(file: string, text: string, rename = fs.rename): Promise<void> {
  const target = await fs.realpath(file).catch(() => file);
  const before = await fs.stat(file).catch(() => undefined);
  if (before?.isFile() === false) throw new Error(`${file} isn't a file that can be replaced.`);
  const draft = `${target}.${randomUUID()}`;
  try {
    await fs.writeFile(draft, text, { mode, flag: "wx" });
    await rename(draft, target);
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw replacementError(file, target, error);
  }
}

/** A file is replaced by another one of its folder, which a container may not have. */
function replacementError(file: string, target: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const folder = dirname(target);
  if (code === "EBUSY") return new Error(`${file} is a mount of a single file: mount its folder.`);
  if (code === "ENOENT") return new Error(`${file} can't be written: the folder ${folder} doesn't exist.`);
  if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") return error;
  return new Error(
    `${file} can't be replaced: the folder ${folder} can't be written, or allows no replacement (${code}).`,
  );
}

/** Path → text. Throws if a file exists or can't be written; then none is there. */
export async function writeNewFiles(
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  const created: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = await fs.open(path, "wx", mode);
      created.push(path);
      await file.writeFile(text).finally(() => file.close());
    }
  } catch (error) {
    for (const path of created) await fs.rm(path, { force: true });
    throw new Error(`No file was written: ${messageOf(error)}`);
  }
}
