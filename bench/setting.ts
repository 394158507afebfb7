// The machine and the versions that a results file records.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Results } from "./results";

export function machine(): Results["machine"] {
  return {
    processor: `${os.cpus()[0]?.model ?? "unknown"}, ${os.availableParallelism()} cores`,
    memory: `${Math.round(os.totalmem() / 1024 ** 3)} GiB`,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    backend: "self-managed, local files",
  };
}

export function versions(): Results["versions"] {
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
