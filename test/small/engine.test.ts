/** The model of the engine against the real one, on small histories: the same requests, and the same states, after each command. */
import assert from "node:assert/strict";
import { canKill } from "../engine/harness";
import { testInLanes } from "../lanes";
import type { ResourceState } from "../model/resources";
import { isSecret, markedOf } from "../model/secrets";
import { allHistories, type History } from "./history";
import { runOnEngine } from "./realEngine";
import { runHistory } from "./runner";
import { Service, type SeenRequest } from "./service";

const { HISTORY: only, ENGINE_HISTORIES: wanted = "200" } = process.env;

describe("the model of the engine", () => {
  const comparable = allHistories({ withOverlap: false }).flatMap((history, number) =>
    isComparable(history) ? [{ history, number }] : [],
  );
  const count = Number(wanted);
  const chosen = Array.from({ length: count }, (_, index) => {
    return comparable[Math.floor((index * comparable.length) / count)];
  }).filter((each) => each !== undefined);
  testInLanes(only === undefined ? chosen : comparable.filter(({ number }) => number === Number(only)), {
    lanes: 2,
    title: ({ history: { shape }, number }) => `does what the real one does: history ${number}, ${shape}`,
    test: ({ history }) => compare(history),
    isSkipped: !canKill,
  });
});

/** One resource after the other, so that the order is the same; and no fault whose end depends on time. */
function isComparable({ shape, isChained, fault }: History): boolean {
  const isOrdered =
    isChained || !/two|swap|move|many|dependent|become/.test(shape) || /^(create|change)/.test(shape);
  return isOrdered && fault?.kind !== "all lost after";
}

async function compare(history: History): Promise<void> {
  const [modelService, realService] = [await Service.start(), await Service.start()];
  try {
    const { steps } = await runHistory(history, modelService);
    const real = await runOnEngine(history, realService);
    for (const [index, { requests, after, hasSucceeded, output }] of real.entries()) {
      const model = steps[index];
      // A history that broke an invariant ends.
      if (!model) return;
      const actual = { requests: effectsOf(requests), states: after.map(comparableState), hasSucceeded };
      const { failures, wasKilled } = model.outcome;
      const expected = {
        requests: effectsOf(model.requests),
        states: model.after.map(comparableState),
        hasSucceeded: failures.length === 0 && !wasKilled,
      };
      assert.deepEqual(
        actual,
        expected,
        `command ${index + 1}: ${model.command}\n${output}\n${printed(failures)}`,
      );
    }
  } finally {
    await Promise.all([modelService.emulator.stop(), realService.emulator.stop()]);
  }
}

function printed(failures: readonly { readonly name: string; readonly message: string }[]): string {
  return failures.map(({ name, message }) => `model: ${name}: ${message}`).join("\n");
}

/** A request that was sent again counts once. */
function effectsOf(requests: readonly SeenRequest[]): string[] {
  return requests.map(({ entry }) => `${entry.method} ${entry.userGroupId} ${entry.effect}`);
}

/** A state with nothing that differs between two services. */
function comparableState({
  name,
  status,
  id,
  inputs,
  outputs,
  initErrors,
  ...others
}: ResourceState): object {
  const { provider, retainOnDelete, isTainted, dependencies, propertyDependencies } = others;
  const ofProperties = Object.entries(propertyDependencies).filter(([, names]) => names.length > 0);
  return {
    ...{ name, status, id, provider, retainOnDelete, isTainted },
    propertyDependencies: Object.fromEntries(ofProperties),
    dependencies: [...dependencies].sort(),
    isComplete: initErrors.length === 0,
    inputs: visible(markedOf(inputs)),
    outputs: visible(markedOf(outputs)),
  };
}

function visible(value: unknown): unknown {
  if (isSecret(value)) return "[secret]";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !name.startsWith("__") && name !== "baseUrl");
  return Object.fromEntries(shown.map(([name, each]): [string, unknown] => [name, visible(each)]));
}
