/**
 * Imported first, because on an older Node.js a later import fails with a message that names neither version. So this file
 * uses only features of old versions: no zod, and no module names with `node:`.
 */
import { readFileSync } from "fs";
import semver from "semver";

const { version, node } = readManifest(require.resolve("pulumi-user-groups/package.json"));

if (!semver.satisfies(process.versions.node, node)) {
  process.stderr.write(
    `pulumi-user-groups ${version} needs Node.js ${node}; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

/** Reads this package's own manifest without a parser, which an old Node.js may lack. */
function readManifest(file: string): { version: string; node: string } {
  const text = readFileSync(file, "utf8");
  const find = (key: string) => new RegExp(`"${key}":\\s*"(.*?)"`).exec(text)?.[1] ?? "";
  return { version: find("version"), node: find("node") };
}
