// Part of `npm run build`: bundles the code of the package into dist/, and the plugin into plugin/, a folder that runs on its own
// if Node.js is on the PATH. Scanners can't see what a bundle contains, so each has a list of it (CycloneDX). With --source-maps: for a
// debugger.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

const { version, engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
// An installation from git runs this file with the user's Node.js.
if (import.meta.dirname === undefined) {
  console.error(`pulumi-user-groups requires Node.js ${engines.node}, and this is ${process.version}.`);
  process.exit(1);
}
const repository = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(repository, "provider/adapters/plugin/schema.json"), "utf8"));

/** provider/version.ts reads package.json, which the plugin doesn't have beside it. */
const constantVersion = {
  name: "constant-version",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]provider[\\/]version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)};`,
    })),
};

const billOfMaterials = {
  outputFile: "sbom.cdx.json",
  outputReproducible: true,
  validate: false,
  logLevel: "silent",
};

/** provider/adapters/plugin/start.ts can let Node.js keep the compiled code of another file only. */
const mainBesideStart = {
  name: "main-beside-start",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/main\.js$/ }, () => ({ path: "./main.cjs", external: true })),
};

// A program has its own @pulumi/pulumi. The plugin runs without a program.
await bundle("dist", ["index", "cli", "adapters/dynamic/index", "resources/plugin", "testing/index"], {
  external: ["@pulumi/pulumi", "pulumi-user-groups/package.json"],
});
// npm does it where it installs the package, but not in a checkout.
chmodSync(join(repository, "dist/cli.js"), 0o755);
await bundle("plugin", [], {
  entryPoints: { plugin: "provider/adapters/plugin/start.ts", main: "provider/adapters/plugin/main.ts" },
  outExtension: { ".js": ".cjs" },
  // Without it, start.ts would load the other file as a module, which takes longer.
  supported: { "dynamic-import": false },
});
write("plugin/schema.json", `${JSON.stringify({ ...schema, version }, null, 2)}\n`);
for (const name of ["pulumi-resource-user-groups", "pulumi-resource-user-groups.cmd"])
  copyFileSync(join(import.meta.dirname, "plugin", name), join(repository, "plugin", name));

async function bundle(folder, modules, options) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: repository,
    metafile: true,
    write: false,
    entryPoints: modules.map((name) => `provider/${name}.ts`),
    outbase: "provider",
    outdir: folder,
    bundle: true,
    platform: "node",
    target: "node20.19",
    // Keeps names and short lines, because errors name the line of an unexpected exception.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    // LICENSES.txt contains them.
    legalComments: "none",
    // node-fetch names a polyfill for a Node.js without web streams, which no supported one is.
    alias: { "web-streams-polyfill/dist/ponyfill.es2018.js": "node:stream/web" },
    logLevel: "warning",
    sourcemap: process.argv.includes("--source-maps") && "inline",
    plugins: [constantVersion, mainBesideStart, cyclonedxEsbuildPlugin(billOfMaterials)],
    ...options,
  });
  for (const { path, contents } of outputFiles) write(path.slice(repository.length + 1), contents);
  write(`${folder}/LICENSES.txt`, licensesOf(metafile, repository));
}

/** Renames in one step, so that a process that starts at the same time reads a complete file. */
function write(name, contents) {
  const file = join(repository, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, contents);
  renameSync(`${file}.${process.pid}`, file);
}
