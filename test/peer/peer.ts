/** The peer of docs/comparison.md: OpenTofu with the restapi provider, and the program of `bench/programs/opentofu`. */
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { inherited, type Environment } from "../../bench/command";
import { peerEnvironment, peerFiles } from "../../bench/peer";
import type { Emulator } from "../../provider/src/testing";
import { repository } from "../docs/pages";
import { ended } from "../harness/run";

export interface Peer {
  /** The folder of the program. */
  readonly folder: string;
  /** Leads OpenTofu to the provider and the service. */
  readonly env: Environment;
  /** Writes the list of tenants: userGroupId → values. */
  declare(tenants: object): Promise<void>;
  /** Runs a command of the engine; the emulator's log has its requests only. */
  tofu(...args: string[]): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  /** Standard output and error, as they came, without colors. */
  readonly output: string;
}

/** Makes a program for a service before the tests of the `describe` that calls it, and removes it after the tests. */
export function newPeer(service: () => Emulator): Peer {
  let folder = "";
  let env: Environment = {};
  before("a program", async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-peer-"));
    await fs.cp(join(repository, "bench/programs/opentofu"), folder, { recursive: true });
    env = await peerEnvironment(folder, service());
  });
  after("its end", async () => {
    await fs.rm(folder, { recursive: true });
  });
  return {
    get folder() {
      return folder;
    },
    get env() {
      return env;
    },
    declare: (tenants) => fs.writeFile(join(folder, "tenants.json"), JSON.stringify(tenants)),
    tofu(...args) {
      service().clearRequests();
      return run(peerFiles().engine, args, { cwd: folder, env: { ...env, TF_INPUT: "false" } });
    },
  };
}

/** Runs a program in a folder, without settings of the developer's shell. */
export async function run(
  file: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<Ended> {
  const child = spawn(file, args, { cwd, env: { ...inherited(), ...env } });
  const { code, output } = await ended(child);
  return { code, output: stripVTControlCharacters(output) };
}
