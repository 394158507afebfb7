// One run of one contestant: up, preview, refresh and destroy of its groups, each measured and verified.
import { startEmulator, type Emulator } from "pulumi-user-groups/testing";
import { run, type Command } from "./command";
import type { Contestant } from "./contestants";
import type { Measured, Operation, Run } from "./results";
import { machineCpuSeconds } from "./usage";
import { newWorkspace } from "./workspace";

export interface PlannedRun {
  readonly contestant: Contestant;
  readonly groups: number;
  /** Milliseconds before each response of the service. */
  readonly latency: number;
}

/** Throws if an operation fails, or if the service doesn't hold the expected groups afterwards. */
export async function measureRun(
  { contestant, groups, latency }: PlannedRun,
  signal: AbortSignal,
): Promise<Omit<Run, "round">> {
  let requests = 0;
  const emulator = await startService(latency, () => (requests += 1));
  const workspace = await newWorkspace(contestant, groups, emulator);
  const measure = async (operation: Operation): Promise<Measured> => {
    requests = 0;
    const usage = await measureCommand(workspace.commands[operation], signal);
    const expected = operation === "destroy" || contestant.isIdle ? 0 : groups;
    if (emulator.groups.size !== expected)
      throw new Error(`${operation} left ${emulator.groups.size} groups in the service, not ${expected}`);
    return { ...usage, requests };
  };
  try {
    for (const command of workspace.preparation) await run(command, signal);
    const up = await measure("up");
    const stateBytes = await workspace.stateBytes();
    const rest = { preview: await measure("preview"), refresh: await measure("refresh") };
    const destroy = await measure("destroy");
    const connections = emulator.peakConnections;
    return { contestant: contestant.id, groups, latency, stateBytes, connections, up, ...rest, destroy };
  } finally {
    await workspace.remove();
    await emulator.stop();
  }
}

/** It runs in this process, which otherwise waits. OpenTofu can't send the token of a group that it deletes. */
export function startService(latency: number, onRequest: () => void): Promise<Emulator> {
  return startEmulator({ keepRequests: false, latency, deleteNeeds: ["user_group_id"], log: onRequest });
}

async function measureCommand(command: Command, signal: AbortSignal): Promise<Omit<Measured, "requests">> {
  const [machine, own] = [machineCpuSeconds(), process.cpuUsage()];
  const { seconds, cpuSeconds, peakMemoryMiB } = await run(command, signal);
  const { user, system } = process.cpuUsage(own);
  const elsewhere = machineCpuSeconds() - machine - (user + system) / 1e6 - cpuSeconds;
  return { seconds, peakMemoryMiB, cpuSeconds, busyElsewhere: Math.max(0, elsewhere) / seconds };
}
