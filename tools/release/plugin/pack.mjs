// `npm run plugin [folder]`: packs the built plugin for each system, for `pulumi plugin install`, with the lists of what the
// package and the plugin contain, and the checksums of all. The archives have the same content, because the plugin only needs
// Node.js. The same Node.js makes the same bytes of the same sources on every machine: without owner, time and order of files.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { create } from "tar";

const repository = join(import.meta.dirname, "../../..");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const folder = resolve(process.argv[2] ?? join(repository, "plugin-archives"));
const plugin = join(repository, "plugin");
/** The time of the files in npm's own archives. */
const mtime = new Date("1985-10-26T08:15:00Z");

const sums = [];
mkdirSync(folder, { recursive: true });
const archive = archiveOf(plugin);
for (const os of ["linux", "darwin", "windows"])
  for (const arch of ["amd64", "arm64"])
    write(`pulumi-resource-user-groups-v${version}-${os}-${arch}.tar.gz`, archive);
write(`pulumi-resource-user-groups-v${version}.cdx.json`, readFileSync(join(plugin, "sbom.cdx.json")));
write(`pulumi-user-groups-v${version}.cdx.json`, readFileSync(join(repository, "dist/sbom.cdx.json")));
write("SHA256SUMS", sums.join(""));

function archiveOf(cwd) {
  const onWriteEntry = ({ path, stat }) => {
    stat.mode = path === "pulumi-resource-user-groups" ? 0o755 : 0o644;
  };
  const options = { sync: true, cwd, portable: true, mtime, onWriteEntry };
  const packed = gzipSync(create(options, readdirSync(cwd).sort()).read(), { level: 9 });
  // The system in the header of gzip: unknown.
  packed[9] = 255;
  return packed;
}

function write(name, content) {
  const sum = createHash("sha256").update(content).digest("hex");
  sums.push(`${sum}  ${name}\n`);
  writeFileSync(join(folder, name), content);
  console.log(join(folder, name));
}
