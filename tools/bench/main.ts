/**
 * `npm run bench -- --sizes 10,100 --latency 0,50 --only a,f-opentofu --repeat 3`: measures programs side by side on this machine.
 *
 * Adds what is missing to tools/bench/results/<date>.json, so that a second call on the same day continues an interrupted one. `--latency` is
 * in milliseconds, and a letter names all programs of this kind. `npm run docs` writes the newest results into the pages.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { version as engineVersion } from "pulumi/package.json";
import { version } from "../../package.json";
import { contestants } from "./contestants";
import { install } from "./installed";
import { measureRun, type PlannedRun } from "./measure";
import { buildPeer } from "./peer";
import { readResults, runsOf, writeResults, type Results } from "./results";

async function main(flags: string[]): Promise<void> {
  const planned = plannedRuns(flags);
  const file = join(__dirname, "results", `${new Date().toISOString().slice(0, 10)}.json`);
  const results = openResults(file, flags);
  const missing = planned.filter(({ contestant: { id: contestant }, round, ...subject }) => {
    return runsOf(results, { contestant, ...subject }).every((run) => run.round !== round);
  });
  if (missing.some(({ contestant }) => contestant.program === "opentofu")) buildPeer();
  const folder = mkdtempSync(join(os.tmpdir(), "user-groups-installed-"));
  // A terminal interrupts the running command as well, whose run then fails and cleans up.
  process.on("SIGINT", () => undefined);
  try {
    const installed = install(folder);
    for (const run of missing) {
      results.runs.push(await measureRun(run, installed));
      writeResults(file, results);
      const { contestant, groups, latency, round } = run;
      console.log(`${contestant.id}, ${groups} groups, ${latency} ms, round ${round}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In each round, every contestant is measured once. */
function plannedRuns(flags: string[]): PlannedRun[] {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: flags,
    options: { sizes: text, latency: text, only: text, repeat: text },
  });
  const { sizes = "10,100,1000,10000", latency = "0,50", only, repeat = "3" } = values;
  const names = only?.split(",");
  const chosen = contestants.filter(({ id }) => {
    return names?.some((name) => id === name || (name.length === 1 && id.startsWith(`${name}-`))) ?? true;
  });
  const rounds = Array.from({ length: Number(repeat) }, (_, index) => index + 1);
  return numbers(sizes).flatMap((groups) =>
    numbers(latency).flatMap((each) =>
      rounds.flatMap((round) =>
        chosen
          .filter(({ mostGroups = Infinity }) => groups <= mostGroups)
          .map((contestant) => ({ contestant, groups, latency: each, round })),
      ),
    ),
  );
}

function numbers(text: string): number[] {
  return text.split(",").map(Number);
}

/** Throws if the file was measured with another machine or other versions. */
function openResults(file: string, flags: readonly string[]): Results {
  const fresh = { machine: machine(), versions: versions() };
  const kept = readResults(file) ?? { ...fresh, startedAt: new Date().toISOString(), calls: [], runs: [] };
  for (const fact of ["machine", "versions"] as const)
    if (JSON.stringify(kept[fact]) !== JSON.stringify(fresh[fact]))
      throw new Error(`${file} was measured with another value of "${fact}": move it`);
  return { ...kept, calls: [...kept.calls, [...flags]] };
}

function machine(): Results["machine"] {
  return {
    processor: `${os.cpus()[0]?.model ?? "unknown"}, ${os.availableParallelism()} cores`,
    memory: `${Math.round(os.totalmem() / 1024 ** 3)} GiB`,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    backend: "self-managed, local files",
  };
}

function versions(): Results["versions"] {
  return {
    "pulumi-user-groups": `${version} (${commit()})`,
    "Pulumi engine": engineVersion,
    "@pulumi/pulumi": sdkVersion,
    "Node.js": process.versions.node,
    OpenTofu: moduleVersion("opentofu", "github.com/opentofu/opentofu"),
    "Mastercard/restapi": moduleVersion("restapi", "github.com/Mastercard/terraform-provider-restapi"),
  };
}

/** The version that a folder's go.mod requires. */
function moduleVersion(folder: string, path: string): string {
  const text = readFileSync(join(__dirname, folder, "go.mod"), "utf8");
  return new RegExp(`\\b${path} (v\\S+)`).exec(text)?.[1] ?? "unknown";
}

/** The last commit of what is measured, and whether it has changed since. */
function commit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", [...args, "--", "provider", "tools/bench/programs"], {
      cwd: resolve(__dirname, "../.."),
      encoding: "utf8",
    }).trim();
  return git("log", "-1", "--format=%h") + (git("status", "--porcelain") && ", changed");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
