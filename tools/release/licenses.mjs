// The licenses of the packages in a bundle. Their terms require a copy with every distribution.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of each package's license files. Throws if a package names no license. `metafile`: esbuild's, of the bundles. */
export function licensesOf(metafile, workingFolder) {
  const bundled = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([file, { bytesInOutput }]) => file.includes("node_modules/") && bytesInOutput > 0)
    .map(([file]) => packageFolder(join(workingFolder, file)));
  return [...new Set(bundled)]
    .sort()
    .map(sectionOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** Skips package.json files without a version, which only set the module type of their folder. */
function packageFolder(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version) return folder;
  }
}

function sectionOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0 && !license) throw new Error(`${name} ${version} names no license`);
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version}: ${license}`, ...texts].join("\n\n") + "\n";
}
