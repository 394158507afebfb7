// Builds the peer from its Go modules into bench/.cache, once for each version.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "./command";

export interface PeerFiles {
  readonly engine: string;
  readonly provider: string;
}

export function peerFiles(): PeerFiles {
  return { engine: built("opentofu", "tofu"), provider: built("restapi", "terraform-provider-restapi") };
}

/** Throws where Go is missing or the build fails. */
export async function buildPeer(signal: AbortSignal): Promise<void> {
  const { engine, provider } = peerFiles();
  await build("restapi", provider, signal);
  await build("opentofu", engine, signal);
}

/** The module's checksums stand for its versions. */
function built(module: string, executable: string): string {
  const sums = readFileSync(join(__dirname, module, "go.sum"));
  const version = createHash("sha256").update(sums).digest("hex").slice(0, 12);
  return join(__dirname, ".cache", `${module}-${version}`, executable + suffix);
}

const suffix = process.platform === "win32" ? ".exe" : "";

/** The flags of OpenTofu's own releases; those of the provider need no more than the first two. */
const asReleased = "-s -w -X github.com/opentofu/opentofu/version.dev=no";

async function build(module: string, file: string, signal: AbortSignal): Promise<void> {
  if (existsSync(file)) return;
  console.log(`Building ${module} with Go; this takes some minutes`);
  const part = `${file}.part`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", asReleased, "-o", part, "tool"];
    const command = { file: "go", args, cwd: join(__dirname, module), env: { GOWORK: "off", GOFLAGS: "" } };
    const { code, output } = await run(command, signal).catch(explainMissingGo);
    if (code !== 0) throw new Error(`go build failed in bench/${module}:\n${output.trim()}`);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

function explainMissingGo(error: unknown): never {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  throw new Error(
    'The peer is built with Go, and there is no "go" on the PATH: install it, or leave the peer out',
  );
}
