/** One run of one contestant: up, preview, refresh and destroy of its groups, each measured and verified. */
import assert from "node:assert/strict";
import { startEmulator } from "pulumi-user-groups/testing";
import { inherited, run, succeeds } from "../../test/support/harness/run";
import type { Contestant } from "./contestants";
import type { Installed } from "./installed";
import type { Measured, Operation, Run } from "./results";
import { newWorkspace, type Command } from "./workspace";

export interface PlannedRun {
  readonly contestant: Contestant;
  readonly groups: number;
  readonly latency: number;
  /** From 1. */
  readonly round: number;
}

/** Throws if an operation fails, or if the service doesn't have the expected groups afterwards. */
export async function measureRun(planned: PlannedRun, installed: Installed): Promise<Run> {
  const { contestant, groups, latency, round } = planned;
  let requests = 0;
  const log = () => (requests += 1);
  // It runs in this process, which otherwise waits. OpenTofu can't send the token of a group that it deletes.
  const behavior = { latency, deleteNeeds: ["user_group_id"] as const, keepRequests: false };
  const emulator = await startEmulator({ ...behavior, log });
  const workspace = await newWorkspace(contestant, groups, emulator, installed);
  const measure = async (operation: Operation, expected = groups): Promise<Measured> => {
    requests = 0;
    const seconds = await timed(workspace.commands[operation]);
    assert.equal(emulator.groups.size, expected, `the groups in the service after ${operation}`);
    return { seconds, requests };
  };
  try {
    if (workspace.preparation) await timed(workspace.preparation);
    const up = await measure("up");
    const stateBytes = await workspace.stateBytes();
    const preview = await measure("preview");
    const refresh = await measure("refresh");
    const destroy = await measure("destroy", 0);
    return { contestant: contestant.id, groups, latency, round, stateBytes, up, preview, refresh, destroy };
  } finally {
    await workspace.remove();
    await emulator.stop();
  }
}

/** The seconds from the start of the command to the end of its output. Throws if it fails. */
async function timed({ file, args, cwd, env }: Command): Promise<number> {
  const started = performance.now();
  succeeds(await run(file, args, { cwd, env: { ...inherited(), ...env } }));
  return (performance.now() - started) / 1000;
}
