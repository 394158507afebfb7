// A contestant made ready: its program with its tenants in a temporary folder, and the command of each operation.
import * as fs from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "./command";
import type { Contestant } from "./contestants";
import { openTofuWorkspace } from "./openTofu";
import { pulumiWorkspace } from "./pulumi";
import type { Operation } from "./results";
import type { Service } from "./service";

export interface Workspace {
  /** Commands to run before, which aren't measured. */
  readonly preparation: readonly Command[];
  /** Where nothing has changed, all succeed; a preview that finds a change fails. */
  readonly commands: Readonly<Record<Operation, Command>>;
  /** The size of the state file. */
  stateBytes(): Promise<number>;
  remove(): Promise<void>;
}

export async function newWorkspace(
  contestant: Contestant,
  groups: number,
  service: Service,
): Promise<Workspace> {
  const files = {
    ...(contestant.alsoFrom && (await programFiles(contestant.alsoFrom))),
    ...(await programFiles(contestant.program)),
    "tenants.json": JSON.stringify(tenants(groups)),
  };
  return contestant.engine === "pulumi"
    ? pulumiWorkspace(contestant, files, service)
    : openTofuWorkspace(contestant, files, service);
}

async function programFiles(program: string): Promise<Record<string, string>> {
  const folder = join(__dirname, "programs", program);
  const names = await fs.readdir(folder);
  const texts = names.map(async (name) => [name, await fs.readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}

function tenants(count: number): Record<string, { name: string }> {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1).padStart(5, "0"));
  return Object.fromEntries(ids.map((id) => [`tenant-${id}`, { name: `Tenant ${id}` }]));
}
