// Builds the peer from its Go modules into bench/.cache, once for each version.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run, type Environment } from "./command";

export function peerFiles() {
  return { engine: built("opentofu", "tofu"), provider: built("restapi", "terraform-provider-restapi") };
}

/** Throws if Go is missing or the build fails. */
export async function buildPeer(signal: AbortSignal): Promise<void> {
  const { engine, provider } = peerFiles();
  await build("restapi", provider, signal);
  await build("opentofu", engine, signal);
}

/** OpenTofu takes the provider from its folder, and needs no `tofu init`. */
export async function peerEnvironment(
  folder: string,
  service: { readonly baseUrl: string; readonly apiToken: string },
): Promise<Environment> {
  const settings = join(folder, "tofu.rc");
  const override = `"Mastercard/restapi" = ${JSON.stringify(dirname(peerFiles().provider))}`;
  await writeFile(
    settings,
    `provider_installation {\n  dev_overrides {\n    ${override}\n  }\n  direct {}\n}\n`,
  );
  return {
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: "true",
    TF_VAR_base_url: service.baseUrl,
    TF_VAR_api_token: service.apiToken,
  };
}

/** The module's checksums identify its versions. */
function built(module: string, executable: string): string {
  const sums = readFileSync(join(__dirname, module, "go.sum"));
  const version = createHash("sha256").update(sums).digest("hex").slice(0, 12);
  const suffix = process.platform === "win32" ? ".exe" : "";
  return join(__dirname, ".cache", `${module}-${version}`, executable + suffix);
}

/** The flags of OpenTofu's own releases. The provider needs only the first two. */
const asReleased = "-s -w -X github.com/opentofu/opentofu/version.dev=no";

async function build(module: string, file: string, signal: AbortSignal): Promise<void> {
  if (existsSync(file)) return;
  console.log(`Building ${module} with Go; this takes some minutes`);
  mkdirSync(dirname(file), { recursive: true });
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", asReleased, "-o", `${file}.part`, "tool"];
  const env = { GOWORK: "off", GOFLAGS: "" };
  await run({ file: "go", args, cwd: join(__dirname, module), env }, signal).catch(explainMissingGo);
  renameSync(`${file}.part`, file);
}

function explainMissingGo(error: unknown): never {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  throw new Error(
    'OpenTofu is built with Go, and there is no "go" on the PATH. Install Go, or let --only name other programs of the benchmark',
  );
}
