// node tools/engine/generateSdks.mjs <schema.json> <folder>: generates the SDKs for Node.js, Python and Go, each into the subfolder of its
// language. With `--hosts <folder>`, writes only the language hosts that generate them, also for `pulumi package add`. Requires Go.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { go } from "./go.mjs";
import { bin } from "./install.mjs";

const languages = ["nodejs", "python", "go"];
const [schema, folder] = process.argv.slice(2);
if (schema === "--hosts") buildHosts(resolve(folder));
else generate();

function generate() {
  const hosts = mkdtempSync(join(tmpdir(), "user-groups-hosts-"));
  try {
    buildHosts(hosts);
    const env = {
      ...process.env,
      PATH: [hosts, process.env.PATH].join(delimiter),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    for (const language of languages) {
      const args = ["package", "gen-sdk", resolve(schema), "--language", language, "--out", resolve(folder)];
      execFileSync(join(bin, "pulumi"), args, { env, stdio: "inherit" });
    }
  } finally {
    rmSync(hosts, { recursive: true });
  }
}

/** One program, whose name says its language. */
function buildHosts(target) {
  const file = (language) => join(target, `pulumi-language-${language}`);
  go("cli", ["build", "-mod=readonly", "-trimpath", "-o", file("nodejs"), "./language-host"]);
  for (const language of ["python", "go"]) copyFileSync(file("nodejs"), file(language));
}
