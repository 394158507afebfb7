// One run of one contestant: up, preview, refresh and destroy of its groups, each measured and verified.
import { startEmulator } from "pulumi-user-groups/testing";
import { run } from "./command";
import type { Contestant } from "./contestants";
import type { Measured, Operation, Run } from "./results";
import { newWorkspace } from "./workspace";

export interface PlannedRun {
  readonly contestant: Contestant;
  readonly groups: number;
  /** Milliseconds before each response of the service. */
  readonly latency: number;
  /** From 1. */
  readonly round: number;
}

/** Throws if an operation fails, or if the service doesn't hold the expected groups afterwards. */
export async function measureRun(planned: PlannedRun, signal: AbortSignal): Promise<Run> {
  const { contestant, groups, latency, round } = planned;
  const isOverlapping = contestant.env?.["BENCH_OVERLAP"] !== undefined;
  let requests = 0;
  // It runs in this process, which otherwise waits. OpenTofu can't send the token of a group that it deletes.
  const behavior = { latency, deleteNeeds: ["user_group_id"] as const };
  const emulator = await startEmulator({ ...behavior, keepRequests: false, log: () => (requests += 1) });
  const workspace = await newWorkspace(contestant, groups, emulator);
  const measure = async (operation: Operation, groupsOfOne = 1): Promise<Measured> => {
    requests = 0;
    const { seconds, cpuSeconds, peakMemoryMiB } = await run(workspace.commands[operation], signal);
    const expected = operation === "destroy" || contestant.isIdle ? 0 : groupsOfOne * groups;
    if (emulator.groups.size !== expected)
      throw new Error(`${operation} left ${emulator.groups.size} groups in the service, not ${expected}`);
    return { seconds, cpuSeconds, peakMemoryMiB, requests };
  };
  const measureRenames = async () => {
    await workspace.rename();
    const change = await measure("up", isOverlapping ? 2 : 1);
    const changed = { ...change, stateBytes: await workspace.stateBytes() };
    const next = await measure("up");
    return [changed, { ...next, stateBytes: await workspace.stateBytes() }];
  };
  try {
    for (const command of workspace.preparation) await run(command, signal);
    const up = await measure("up");
    const stateBytes = await workspace.stateBytes();
    const renames = contestant.isRenamed ? await measureRenames() : undefined;
    const rest = { preview: await measure("preview"), refresh: await measure("refresh") };
    const destroy = await measure("destroy");
    return {
      contestant: contestant.id,
      groups,
      latency,
      round,
      stateBytes,
      up,
      ...rest,
      destroy,
      ...(renames && { renames }),
    };
  } finally {
    await workspace.remove();
    await emulator.stop();
  }
}
