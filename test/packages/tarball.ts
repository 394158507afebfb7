import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);

const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

export interface Tarball {
  /** The absolute path of the file. */
  readonly file: string;
  /** Bytes as they are downloaded. */
  readonly size: number;
  /** Bytes on the disk. */
  readonly unpackedSize: number;
  /** The paths in it. */
  readonly paths: readonly string[];
  remove(): Promise<void>;
}

/** Packs the built provider as `npm publish` would, into a temporary folder. */
export async function packProvider(): Promise<Tarball> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-tarball-"));
  const args = ["pack", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: resolve(__dirname, "../..") });
  const [{ filename, size, unpackedSize, files }] = packed.parse(
    JSON.parse(stdout.slice(stdout.indexOf("["))),
  );
  return {
    file: join(folder, filename),
    size,
    unpackedSize,
    paths: files.map(({ path }) => path),
    remove: () => fs.rm(folder, { recursive: true, force: true }),
  };
}
