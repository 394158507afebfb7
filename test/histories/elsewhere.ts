import assert from "node:assert/strict";
import type { Emulator } from "../../provider/src/testing";
import type { ResourceState } from "../model/resources";
import type { Settings } from "./driver";
import type { Scope } from "./invariants";
import { problemsIn } from "./expectedErrors";
import type { EngineStep, Step } from "./steps";

type ElsewhereStep = Extract<Step, { do: `${string} elsewhere` }>;

/** Runs the engine while the settings name another service by mistake: nothing happens, there or here, but for errors. */
export async function runElsewhere(
  { driver, emulator, program }: Scope,
  other: Emulator,
  settings: Settings,
  step: ElsewhereStep,
): Promise<void> {
  const before = await driver.resources();
  if (before.length === 0 || !before.every(isOrdinary)) return;
  const connections = new Map(before.map(({ name, inputs }) => [name, connectionIn(inputs)]));
  const declared = program.resources.filter(({ name }) => connections.has(name));
  // With another connection, too, the program would say that another service is meant.
  if (declared.some(({ name, args }) => connectionIn(args) !== connections.get(name))) return;
  emulator.clearRequests();
  const { errors } = await driver.run(engineStep(step), declared, settings);
  assert.deepEqual(other.requests.map(String), [], `${step.do}: the other service was requested`);
  assert.deepEqual(emulator.requests.map(String), []);
  assert.deepEqual(await driver.resources(), before, `${step.do}: the state is another`);
  const codes = new Set(problemsIn(errors).map(({ code }) => code));
  assert(codes.has("service-changed") || codes.has("setting-conflict"), `${step.do}: no error says so`);
}

/** Whether the engine does nothing with it without the provider. */
function isOrdinary({ status, retainOnDelete, isExternal, isTainted }: ResourceState): boolean {
  return status === "live" && !retainOnDelete && !isExternal && !isTainted;
}

function connectionIn(args: object): unknown {
  return "connection" in args ? args.connection : undefined;
}

function engineStep(step: ElsewhereStep): EngineStep {
  const disturbance = { kind: "none" } as const;
  switch (step.do) {
    case "refresh elsewhere":
      return { do: "refresh", disturbance };
    case "destroy elsewhere":
      return { do: "destroy", disturbance, isRefreshing: false };
    case "up elsewhere": {
      const { continuesOnError } = step;
      return { do: "up", disturbance, continuesOnError, isParallel: false, replaces: "none" };
    }
  }
}
