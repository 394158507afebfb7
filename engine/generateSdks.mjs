// node engine/generateSdks.mjs <schema.json> <folder>: generates the SDKs for Node.js, Python and Go, each into the
// subfolder of its language. With `--hosts <folder>`, writes the language hosts of Python and Go that `pulumi package add` needs.
// Requires Go.
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { go } from "./go.mjs";

const build = ["-mod=readonly", "-trimpath"];

try {
  if (process.argv[2] === "--hosts") await buildHosts(resolve(process.argv[3]));
  else
    await go("cli", [
      "run",
      ...build,
      "./generate-sdks",
      ...process.argv.slice(2).map((path) => resolve(path)),
    ]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** One program, whose name says its language. */
async function buildHosts(folder) {
  const python = join(folder, "pulumi-language-python");
  await go("cli", ["build", ...build, "-o", python, "./generate-sdks"]);
  copyFileSync(python, join(folder, "pulumi-language-go"));
}
