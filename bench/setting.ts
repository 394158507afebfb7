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
  const { version } = npmRelease("pulumi-user-groups");
  const ours = { "pulumi-user-groups": `${version} (${commit()})` };
  return { ...ours, ...mapped(({ version: each }) => each) };
}

/** The days on which these versions were published in npm's registry or as Go modules. */
export function published(): Results["published"] {
  return mapped(({ time }) => time().slice(0, 10));
}

interface Release {
  readonly version: string;
  readonly time: () => string;
}

function mapped(value: (release: Release) => string): Record<string, string> {
  const releases = {
    "Pulumi engine": npmRelease("pulumi"),
    "@pulumi/pulumi": npmRelease("@pulumi/pulumi"),
    "Node.js": npmRelease("node", process.versions.node),
    OpenTofu: goRelease("opentofu", "github.com/opentofu/opentofu"),
    "Mastercard/restapi": goRelease("restapi", "github.com/Mastercard/terraform-provider-restapi"),
  };
  return Object.fromEntries(Object.entries(releases).map(([name, release]) => [name, value(release)]));
}

function npmRelease(name: string, version = installedVersion(name)): Release {
  const time = () => texts.parse(JSON.parse(printedBy("npm", ["view", name, "time", "--json"])))[version];
  return { version, time: () => time() ?? "unknown" };
}

const texts = z.record(z.string(), z.string());

function installedVersion(name: string): string {
  const text = readFileSync(require.resolve(`${name}/package.json`), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function goRelease(folder: string, path: string): Release {
  const args = [
    "-C",
    join(__dirname, folder),
    "list",
    "-m",
    "-f",
    '{"v":"{{.Version}}","t":"{{.Time}}"}',
    path,
  ];
  const { v: version = "unknown", t: time = "unknown" } = texts.parse(JSON.parse(printedBy("go", args)));
  return { version, time: () => time };
}

/** The last commit of what is measured, and whether it has changed since. */
function commit(): string {
  const measured = ["--", "provider/src", "bench/programs"];
  const changes = printedBy("git", ["status", "--porcelain", ...measured]);
  return `${printedBy("git", ["log", "-1", "--format=%h", ...measured])}${changes === "{}" ? "" : ", changed"}`;
}

/** Returns the text of an empty object if the command prints nothing or fails. */
function printedBy(file: string, args: readonly string[]): string {
  try {
    const options = { cwd: dirname(__dirname), encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync(file, args, options).trim() || "{}";
  } catch {
    return "{}";
  }
}
