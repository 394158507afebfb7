/**
 * Imported before all else: on an older Node.js a later import fails with a message that names neither version. So it
 * needs nothing that such a Node.js lacks, which rules out zod and module names with `node:`.
 */
import { readFileSync } from "fs";
import { join } from "path";
import semver from "semver";

const { version, node } = readManifest(join(__dirname, "../../package.json"));

if (!semver.satisfies(process.versions.node, node)) {
  process.stderr.write(
    `pulumi-user-groups ${version} needs Node.js ${node}; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

/** This package's own file: it is what it is, or the package is broken. */
function readManifest(file: string): { version: string; node: string } {
  const text = readFileSync(file, "utf8");
  const find = (key: string) => new RegExp(`"${key}":\\s*"(.*?)"`).exec(text)?.[1] ?? "";
  return { version: find("version"), node: find("node") };
}
