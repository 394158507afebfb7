// The runs to do, in their order, and the results file that they are added to, with the machine and the versions.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { contestants } from "./contestants";
import type { PlannedRun } from "./measure";
import type { Options } from "./options";
import { readResults, runsOf, type Results } from "./results";

/**
 * The planned runs that the results lack. In each round, every contestant is measured once. Each round starts with another
 * one, so that a noisy minute doesn't always affect the same contestant.
 */
export function missingIn(results: Results, { sizes, latency: latencies, only, repeat }: Options) {
  const pairs = sizes.flatMap((groups) => latencies.map((latency) => ({ groups, latency })));
  const planned = pairs.flatMap(({ groups, latency }) => {
    const able = contestants.filter(
      ({ id, isIdle, mostGroups = Infinity }) =>
        only.includes(id) && groups <= mostGroups && !(isIdle && latency > 0),
    );
    return Array.from({ length: repeat }, (_, index) =>
      [...able.slice(index % able.length), ...able.slice(0, index % able.length)].map(
        (contestant): PlannedRun => ({ contestant, groups, latency, round: index + 1 }),
      ),
    ).flat();
  });
  return planned.filter(({ contestant: { id }, groups, latency, round }) =>
    runsOf(results, { contestant: id, groups, latency }).every((run) => run.round !== round),
  );
}

/** Throws if the file exists and may not be continued, or was measured with another machine or other versions. */
export function openResults(file: string, resume: boolean, call: readonly string[]): Results {
  const kept = readResults(file);
  if (kept && !resume) throw new Error(`${file} exists: continue it with --resume, or move it`);
  const fresh = { machine: machine(), versions: versions() };
  const { calls, ...rest } = kept ?? { ...fresh, startedAt: new Date().toISOString(), calls: [], runs: [] };
  for (const fact of ["machine", "versions"] as const)
    if (JSON.stringify(rest[fact]) !== JSON.stringify(fresh[fact]))
      throw new Error(`${file} was measured with another value of "${fact}"`);
  return { ...rest, calls: [...calls, [...call]] };
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
    "pulumi-user-groups": `${packageVersion(join(dirname(__dirname), "package.json"))} (${commit()})`,
    "Pulumi engine": packageVersion(require.resolve("pulumi/package.json")),
    "@pulumi/pulumi": packageVersion(require.resolve("@pulumi/pulumi/package.json")),
    "Node.js": process.versions.node,
    OpenTofu: moduleVersion("opentofu", "github.com/opentofu/opentofu"),
    "Mastercard/restapi": moduleVersion("restapi", "github.com/Mastercard/terraform-provider-restapi"),
  };
}

function packageVersion(file: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

/** The version that a folder's go.mod requires. */
function moduleVersion(folder: string, path: string): string {
  const text = readFileSync(join(__dirname, folder, "go.mod"), "utf8");
  return new RegExp(`\\b${path} (v\\S+)`).exec(text)?.[1] ?? "unknown";
}

/** The last commit of what is measured, and whether it has changed since. */
function commit(): string {
  const measured = ["--", "provider/src", "bench/programs"];
  const git = (...args: string[]) =>
    execFileSync("git", [...args, ...measured], { cwd: dirname(__dirname), encoding: "utf8" }).trim();
  return git("log", "-1", "--format=%h") + (git("status", "--porcelain") && ", changed");
}
