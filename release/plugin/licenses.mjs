// The licenses of the packages in a bundle, which their terms ask to go with every copy.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of each package's license files. Throws if a package names no license. `metafile`: esbuild's, of the bundle. */
export function licensesOf(metafile, workingFolder) {
  const bundled = Object.entries(Object.values(metafile.outputs)[0].inputs)
    .filter(([file, { bytesInOutput }]) => file.includes("node_modules/") && bytesInOutput > 0)
    .map(([file]) => packageFolder(join(workingFolder, file)));
  return [...new Set(bundled)]
    .sort()
    .map(sectionOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** Packages have further package.json files without a version, which say the kind of modules in their folder. */
function packageFolder(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version) return folder;
  }
}

function sectionOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0 && !license) throw new Error(`${name} ${version} says nothing of its license`);
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version}: ${license}`, ...texts].join("\n\n") + "\n";
}
