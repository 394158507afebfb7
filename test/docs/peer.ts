/** The peer of docs/comparison.md: OpenTofu with the restapi provider, and the program of `bench/programs/opentofu`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { peerFiles } from "../../bench/peer";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { repository } from "./pages";

export interface Peer {
  readonly emulator: Emulator;
  /** The folder of the program. */
  readonly folder: string;
  /** Writes the list of tenants: userGroupId → values. */
  declare(tenants: object): Promise<void>;
  /** Runs a command of the engine; the emulator's log has its requests only. */
  tofu(...args: string[]): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Makes a service and a program before the tests of the `describe` that calls it, and removes them after the tests. */
export function newPeer(): Peer {
  const { engine, provider } = peerFiles();
  let emulator: Emulator | undefined;
  let folder = "";
  before("a service and a program", async () => {
    emulator = await startEmulator();
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-peer-"));
    await fs.cp(join(repository, "bench/programs/opentofu"), folder, { recursive: true });
    await fs.writeFile(join(folder, "tofu.rc"), settingsFor(provider));
  });
  after("their end", async () => {
    await fs.rm(folder, { recursive: true });
    await emulator?.stop();
  });
  const service = () => {
    if (!emulator) throw new Error("The service is there in hooks and tests only");
    return emulator;
  };
  return {
    get emulator() {
      return service();
    },
    get folder() {
      return folder;
    },
    declare: (tenants) => fs.writeFile(join(folder, "tenants.json"), JSON.stringify(tenants)),
    async tofu(...args) {
      service().clearRequests();
      const env = {
        ...process.env,
        TF_CLI_CONFIG_FILE: join(folder, "tofu.rc"),
        TF_VAR_base_url: service().baseUrl,
        TF_VAR_api_token: service().apiToken,
      };
      const child = spawn(engine, [...args, "-no-color", "-input=false"], { cwd: folder, env });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      await once(child, "close");
      return { code: child.exitCode, output };
    },
  };
}

function settingsFor(provider: string): string {
  return `provider_installation {
  dev_overrides {
    "Mastercard/restapi" = ${JSON.stringify(dirname(provider))}
  }
  direct {}
}
`;
}
