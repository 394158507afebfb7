// node engine/generateSdks.mjs <schema.json> <folder>: generates the SDKs for Node.js, Python and Go, each into the
// subfolder of its language. Requires Go.
import { resolve } from "node:path";
import { go } from "./go.mjs";

const paths = process.argv.slice(2).map((path) => resolve(path));
try {
  await go("cli", ["run", "-mod=readonly", "-trimpath", "./generate-sdks", ...paths]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
