/** The peer: OpenTofu and the provider Mastercard/restapi, built from their Go modules into tools/bench/.cache. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = join(__dirname, ".cache/peer");

export const peerFiles = {
  engine: join(folder, "tofu"),
  provider: join(folder, "terraform-provider-restapi"),
};

/** The flags of OpenTofu's own releases. The provider needs only the first two. */
const asReleased = "-s -w -X github.com/opentofu/opentofu/version.dev=no";

/** Takes some minutes, and seconds if nothing has changed. Throws if Go is missing or the build fails. */
export function buildPeer(): void {
  mkdirSync(folder, { recursive: true });
  console.log("Building OpenTofu and its provider with Go");
  for (const [module, file] of [
    ["opentofu", peerFiles.engine],
    ["restapi", peerFiles.provider],
  ] as const) {
    const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", asReleased, "-o", file, "tool"];
    const env = { ...process.env, GOWORK: "off", GOFLAGS: "" };
    execFileSync("go", args, { cwd: join(__dirname, module), env, stdio: "inherit" });
  }
}

/** OpenTofu takes the provider from its folder, and needs no `tofu init`. `project`: the folder of its program. */
export async function peerEnvironment(
  project: string,
  service: { readonly baseUrl: string; readonly apiToken: string },
) {
  const settings = join(project, "tofu.rc");
  const override = `dev_overrides {\n    "Mastercard/restapi" = ${JSON.stringify(folder)}\n  }`;
  await writeFile(settings, `provider_installation {\n  ${override}\n  direct {}\n}\n`);
  return {
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: "true",
    TF_VAR_base_url: service.baseUrl,
    TF_VAR_api_token: service.apiToken,
  };
}
