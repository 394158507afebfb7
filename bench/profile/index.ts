// Profiles up, preview and refresh of contestants: runs of their own, since profiling takes time itself.
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../command";
import type { Contestant } from "../contestants";
import type { Operation, Profile } from "../results";
import { startService } from "../service";
import { newWorkspace } from "../workspace";
import { summaryOf } from "./summary";

/** Throws where an operation fails. */
export async function profileRun(
  contestant: Contestant,
  groups: number,
  signal: AbortSignal,
): Promise<Profile[]> {
  const service = await startService(0);
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-profile-"));
  const env = {
    ...contestant.env,
    NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "recorder.cjs"))}`,
    BENCH_PROFILES: folder,
  };
  const workspace = await newWorkspace({ ...contestant, env }, groups, service);
  try {
    for (const command of workspace.preparation) await run(command, signal);
    const profiles: Profile[] = [];
    for (const operation of ["up", "preview", "refresh"] as const) {
      const { code, output } = await run(workspace.commands[operation], signal);
      if (code !== 0) throw new Error(`${operation} failed while it was profiled:\n${output.slice(-3000)}`);
      profiles.push(...(await collect(folder, { contestant: contestant.id, groups, operation })));
    }
    return profiles;
  } finally {
    await workspace.remove();
    await fs.rm(folder, { recursive: true, force: true });
    await service.stop();
  }
}

async function collect(
  folder: string,
  what: { contestant: string; groups: number; operation: Operation },
): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const part of processesOf(what.operation)) {
    const file = join(folder, `${part}.json`);
    const { parts, functions } = summaryOf(JSON.parse(await fs.readFile(file, "utf8")));
    await fs.rm(file);
    console.log(`\n${what.contestant}, ${what.groups} groups, ${what.operation}: the ${part}'s own time`);
    for (const [name, seconds] of functions) console.log(`${seconds.toFixed(2).padStart(8)} s  ${name}`);
    profiles.push({ ...what, process: part, seconds: parts });
  }
  return profiles;
}

/** A refresh runs no program. */
function processesOf(operation: Operation): Profile["process"][] {
  return operation === "refresh" ? ["provider"] : ["program", "provider"];
}
