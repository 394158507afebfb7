// Part of `npm run build`: creates plugin/, a folder that runs on its own if Node.js is on the PATH.
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

const repository = join(import.meta.dirname, "../..");
const provider = join(repository, "provider");
const folder = join(repository, "plugin");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

/** src/version.ts reads package.json, which a bundle doesn't have beside it. */
const constantVersion = {
  name: "constant-version",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/]version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)};`,
    })),
};

mkdirSync(folder, { recursive: true });
const draft = `plugin.cjs.${process.pid}`;
const { metafile } = await build({
  absWorkingDir: provider,
  metafile: true,
  entryPoints: [join(provider, "src/plugin/main.ts")],
  outfile: join(folder, draft),
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Keeps names and short lines, because errors name the line of an unexpected exception.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
  // LICENSES.txt contains them.
  legalComments: "none",
  logLevel: "warning",
  plugins: [constantVersion],
});
// Renames in one step, so that a process that starts at the same time reads a complete file.
renameSync(join(folder, draft), join(folder, "plugin.cjs"));
writeFileSync(join(folder, "LICENSES.txt"), licensesOf(metafile, provider));
const schema = JSON.parse(readFileSync(join(provider, "src/plugin/schema.json"), "utf8"));
writeFileSync(join(folder, "schema.json"), `${JSON.stringify({ ...schema, version }, null, 2)}\n`);
for (const name of ["pulumi-resource-user-groups", "pulumi-resource-user-groups.cmd"])
  copyFileSync(join(import.meta.dirname, name), join(folder, name));
