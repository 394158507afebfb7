// What the measurements were taken on.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Results } from "./results";

export function machine(): Results["machine"] {
  return {
    processor: os.cpus()[0]?.model ?? "unknown",
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 1024 ** 3),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
  };
}

export function versions(): Results["versions"] {
  return {
    "pulumi-user-groups": `${packageVersion("pulumi-user-groups")} (${commit()})`,
    "Pulumi engine": packageVersion("pulumi"),
    "@pulumi/pulumi": packageVersion("@pulumi/pulumi"),
    "Node.js": process.versions.node,
    OpenTofu: moduleVersion("opentofu", "github.com/opentofu/opentofu"),
    "Mastercard/restapi": moduleVersion("restapi", "github.com/Mastercard/terraform-provider-restapi"),
  };
}

const manifest = z.object({ version: z.string() });

function packageVersion(name: string): string {
  return manifest.parse(JSON.parse(readFileSync(require.resolve(`${name}/package.json`), "utf8"))).version;
}

function moduleVersion(folder: string, module: string): string {
  const requirement = readFileSync(join(__dirname, folder, "go.mod"), "utf8")
    .split("\n")
    .map((line) => line.replace(/^require\b/, "").trim())
    .find((line) => line.startsWith(`${module} v`));
  return requirement?.split(" ")[1] ?? "unknown";
}

/** The last commit of what is measured, and whether it was changed since. */
function commit(): string {
  const measured = ["--", "provider/src", "bench/programs"];
  const last = git("log", "-1", "--format=%h", ...measured);
  return git("status", "--porcelain", ...measured) === "" ? last : `${last}, changed`;
}

function git(...args: string[]): string {
  const { status, stdout } = spawnSync("git", args, { cwd: dirname(__dirname), encoding: "utf8" });
  return status === 0 ? stdout.trim() : "unknown";
}
