// How the peer is made ready.
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "./command";
import type { Contestant } from "./contestants";
import { peerFiles } from "./peer";
import type { Service } from "./service";
import type { Workspace } from "./workspace";

export async function openTofuWorkspace(
  { isTuned = false }: Contestant,
  files: Readonly<Record<string, string>>,
  service: Service,
): Promise<Workspace> {
  const folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-bench-")));
  const settings = join(folder, "tofu.rc");
  for (const [name, text] of Object.entries(files)) await fs.writeFile(join(folder, name), text);
  await fs.writeFile(settings, settingsText(peerFiles().provider));
  const env = {
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: "true",
    TF_VAR_base_url: service.baseUrl,
    TF_VAR_api_token: service.apiToken,
  };
  const tofu = (...args: string[]): Command => {
    const shared = ["-no-color", "-input=false", ...(isTuned ? ["-parallelism=16"] : [])];
    return { file: peerFiles().engine, args: [...args, ...shared], cwd: folder, env };
  };
  const unasked = isTuned ? ["-refresh=false"] : [];
  return {
    preparation: [],
    commands: {
      up: tofu("apply", "-auto-approve"),
      preview: tofu("plan", "-detailed-exitcode", ...unasked),
      refresh: tofu("apply", "-refresh-only", "-auto-approve"),
      destroy: tofu("destroy", "-auto-approve", ...unasked),
    },
    stateBytes: async () => (await fs.stat(join(folder, "terraform.tfstate"))).size,
    remove: () => fs.rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** With this, OpenTofu takes the provider from its folder and needs no `tofu init`. */
function settingsText(provider: string): string {
  const folder = JSON.stringify(dirname(provider));
  return `provider_installation {
  dev_overrides {
    "Mastercard/restapi" = ${folder}
  }
  direct {}
}
`;
}
