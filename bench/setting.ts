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
    "pulumi-user-groups": `${manifestOf("pulumi-user-groups").version} (${commit()})`,
    "Pulumi engine": manifestOf("pulumi").version,
    "@pulumi/pulumi": manifestOf("@pulumi/pulumi").version,
    "Node.js": process.versions.node,
    OpenTofu: moduleOf(...openTofu).Version,
    "Mastercard/restapi": moduleOf(...restapi).Version,
  };
}

/** The days on which these versions were published in npm's registry or as Go modules. */
export function published(): Results["published"] {
  const { "Node.js": node = "", "@pulumi/pulumi": sdk = "", "Pulumi engine": engine = "" } = versions();
  const times = {
    "Pulumi engine": npmTime("pulumi", engine),
    "@pulumi/pulumi": npmTime("@pulumi/pulumi", sdk),
    "Node.js": npmTime("node", node),
    OpenTofu: moduleOf(...openTofu).Time,
    "Mastercard/restapi": moduleOf(...restapi).Time,
  };
  return Object.fromEntries(Object.entries(times).map(([name, time = "?"]) => [name, time.slice(0, 10)]));
}

const openTofu = ["opentofu", "github.com/opentofu/opentofu"] as const;
const restapi = ["restapi", "github.com/Mastercard/terraform-provider-restapi"] as const;
const goModule = z.object({ Version: z.string().default("unknown"), Time: z.string().optional() });

function manifestOf(name: string): { version: string } {
  const text = readFileSync(require.resolve(`${name}/package.json`), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text));
}

function moduleOf(folder: string, path: string): z.infer<typeof goModule> {
  return goModule.parse(
    JSON.parse(printedBy("go", ["-C", join(__dirname, folder), "list", "-m", "-json", path])),
  );
}

function npmTime(name: string, version: string): string | undefined {
  const times = JSON.parse(printedBy("npm", ["view", name, "time", "--json"])) as unknown;
  return z.record(z.string(), z.string()).parse(times)[version];
}

/** The last commit of what is measured, and whether it has changed since. */
function commit(): string {
  const measured = ["--", "provider/src", "bench/programs"];
  const changes = printedBy("git", ["status", "--porcelain", ...measured]);
  return `${printedBy("git", ["log", "-1", "--format=%h", ...measured])}${changes === "{}" ? "" : ", changed"}`;
}

/** Returns the text of an empty object if the command prints nothing or fails. */
function printedBy(file: string, args: readonly string[]): string {
  const options = { cwd: dirname(__dirname), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] } as const;
  try {
    return execFileSync(file, args, { ...options, stdio: [...options.stdio] }).trim() || "{}";
  } catch {
    return "{}";
  }
}
