import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { runTool } from "./tool";

const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** `size`: bytes as they are downloaded; `unpackedSize`: on the disk. */
export interface Tarball extends Pick<z.infer<typeof packed>[0], "size" | "unpackedSize"> {
  /** The absolute path of the file. */
  readonly file: string;
  /** The paths in it. */
  readonly paths: readonly string[];
  remove(): Promise<void>;
}

/** Packs the built provider as `npm publish` would, or takes the version PUBLISHED from the registry, into a temporary folder. */
export async function packProvider(): Promise<Tarball> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-tarball-"));
  const { PUBLISHED: version } = process.env;
  const published = version === undefined ? [] : [`pulumi-user-groups@${version}`];
  const args = ["pack", "--json", "--pack-destination", folder, ...published];
  const stdout = await runTool("npm", args, resolve(__dirname, "../../.."));
  const [{ filename, files, ...sizes }] = packed.parse(JSON.parse(stdout.slice(stdout.indexOf("["))));
  return {
    ...sizes,
    file: join(folder, filename),
    paths: files.map(({ path }) => path),
    remove: () => fs.rm(folder, { recursive: true, force: true }),
  };
}
