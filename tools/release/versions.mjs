// `npm test -- release versions`: checks of the last commit with other versions of Node.js, Pulumi's SDK and its engine than every other check
// has. `npm test -- release versions "Node.js 26" unit`: this row only, and of its checks only these.
import { execFileSync, execSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { go } from "../engine/go.mjs";
import { repository } from "../engine/setup.mjs";

const importFile = "engine long test/engine/long/importFile.test.ts";
const migrations = "engine long test/engine/long/migrations.test.ts";

/** Without `node`, it is that of the caller, with the SDK of package.json, the last one for Node.js 20; otherwise all are the newest. */
const rows = {
  "oldest engine": { engine: "3.250.0", checks: ["contract whole"] },
  "oldest engine for import-file": { engine: "3.254.0", checks: [importFile] },
  "Node.js 22": { node: 22, checks: ["unit", "contract", "contract engine"] },
  "Node.js 24": { node: 24, checks: ["unit", "contract", "contract engine"] },
  "Node.js 26": {
    node: 26,
    checks: ["unit", "contract", "contract whole", importFile, migrations],
  },
};

/** Which Go can build where it can't be downloaded. */
const newestEngine = "github.com/pulumi/pulumi/pkg/v3@latest";

const [only, ...onlyChecks] = process.argv.slice(2);
if (only !== undefined && !(only in rows)) throw new Error(`There is only ${Object.keys(rows).join(", ")}`);
const folder = mkdtempSync(join(tmpdir(), "user-groups-versions-"));
// A terminal interrupts the running check as well, after which this process removes the folder.
process.on("SIGINT", () => undefined);
try {
  const chosen = Object.keys(rows).filter((name) => only === undefined || name === only);
  const failures = chosen.flatMap(failuresIn);
  for (const failure of failures) console.log(`✖ ${failure}`);
  console.log(`\n${chosen.length} rows, ${failures.length} failed checks`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function failuresIn(name) {
  const { node, engine, checks } = rows[name];
  const bin = node === undefined ? [] : [installNode(node)];
  const env = {
    ...process.env,
    PATH: [...bin, process.env.PATH].join(delimiter),
    PULUMI_VERSION: engine ?? go("cli", ["list", "-m", "-f", "{{.Version}}", newestEngine]).slice(1),
  };
  const cwd = node === undefined ? repository : checkoutWithNewestSdk(node, env);
  const chosen = onlyChecks.length > 0 ? onlyChecks : checks;
  return chosen.flatMap((check) => {
    console.log(`\n## ${name}, engine ${env.PULUMI_VERSION}: ${check}`);
    const { status } = spawnSync("node", ["test/run.mjs", ...check.split(" ")], {
      cwd,
      env,
      stdio: "inherit",
    });
    return status === 0 ? [] : `${name}: ${check}`;
  });
}

/** From a package of npm, because the package `node` downloads it in an install script. Returns the folder of the executable. */
function installNode(major) {
  const cwd = join(folder, `node${major}`);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  mkdirSync(cwd);
  npm(`install --no-save ${name}@${major}`, { cwd });
  return join(cwd, "node_modules", name, "bin");
}

function checkoutWithNewestSdk(major, env) {
  const cwd = join(folder, `checkout${major}`);
  execFileSync("git", ["clone", "--quiet", repository, cwd]);
  npm("install --save-dev --save-exact @pulumi/pulumi@latest", { cwd, env });
  return cwd;
}

function npm(command, options) {
  execSync(`npm ${command} --silent --no-audit --no-fund --prefer-offline`, { ...options, stdio: "inherit" });
}
