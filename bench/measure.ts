// One run of one contestant: up, preview, refresh and destroy of so many groups, each measured and verified.
import { run, type Command } from "./command";
import type { Contestant } from "./contestants";
import { cpuSecondsOf, endedCpuSeconds, machineCpuSeconds } from "./processTree";
import { operations, type MeasuredOperation, type MeasuredRun, type Operation } from "./results";
import { startService, type Service } from "./service";
import { newWorkspace } from "./workspace";

export interface Task {
  readonly contestant: Contestant;
  readonly groups: number;
  /** Milliseconds before each answer of the service. */
  readonly latency: number;
}

/** Throws where an operation fails or doesn't do its work. */
export async function measureRun(
  task: Task,
  signal: AbortSignal,
): Promise<Pick<MeasuredRun, "stateBytes" | "operations">> {
  const service = await startService(task.latency);
  try {
    return await measureOn(service, task, signal);
  } finally {
    await service.stop();
  }
}

async function measureOn(service: Service, { contestant, groups }: Task, signal: AbortSignal) {
  const workspace = await newWorkspace(contestant, groups, service);
  try {
    for (const command of workspace.preparation) await succeeded(command, signal);
    const measured: MeasuredOperation[] = [];
    let stateBytes = 0;
    for (const operation of operations) {
      const { groups: held, ...result } = await measureOperation(
        operation,
        workspace.commands[operation],
        service,
        signal,
      );
      const expected = operation === "destroy" || contestant.isIdle ? 0 : groups;
      if (held !== expected)
        throw new Error(`${operation} left ${held} groups in the service, not ${expected}`);
      measured.push(result);
      if (operation === "up") stateBytes = await workspace.stateBytes();
    }
    return { stateBytes, operations: measured };
  } finally {
    await workspace.remove();
  }
}

async function measureOperation(
  operation: Operation,
  command: Command,
  service: Service,
  signal: AbortSignal,
): Promise<MeasuredOperation & { groups: number }> {
  const before = busySeconds(service);
  const { seconds, peakMemoryMiB, cpuSeconds } = await succeeded(command, signal);
  const after = busySeconds(service);
  const own = after.own - before.own;
  const tree = Math.max(after.ended - before.ended, sum(cpuSeconds));
  const serviceSeconds = after.service - before.service;
  const elsewhere = after.machine - before.machine - own - tree - serviceSeconds;
  return {
    operation,
    seconds,
    peakMemoryMiB,
    cpuSeconds: { ...cpuSeconds, service: serviceSeconds },
    busyElsewhere: Math.max(0, elsewhere) / seconds,
    ...(await service.traffic()),
  };
}

async function succeeded(command: Command, signal: AbortSignal) {
  const ran = await run(command, signal);
  if (ran.code === 0) return ran;
  throw new Error(`${command.args.join(" ")} ended with ${String(ran.code)}:\n${ran.output.slice(-3000)}`);
}

function busySeconds(service: Service) {
  return {
    machine: machineCpuSeconds(),
    service: service.cpuSeconds(),
    own: cpuSecondsOf(process.pid),
    ended: endedCpuSeconds(),
  };
}

function sum(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((total, each) => total + each, 0);
}
