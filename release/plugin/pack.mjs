// `npm run plugin [folder]`: packs the built plugin for each system, for `pulumi plugin install`. All archives have the
// same content, because the plugin only needs Node.js.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const repository = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const folder = resolve(process.argv[2] ?? join(repository, "plugin-archives"));

mkdirSync(folder, { recursive: true });
for (const os of ["linux", "darwin", "windows"])
  for (const arch of ["amd64", "arm64"]) {
    const archive = join(folder, `pulumi-resource-user-groups-v${version}-${os}-${arch}.tar.gz`);
    execFileSync("tar", ["-czf", archive, "-C", join(repository, "plugin"), "."]);
    console.log(archive);
  }
