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

/**
 * One resource after the other, and no fault whose end depends on time or on the order of the groups of a UserGroups, which is random.
 */
function isComparable({ shape, isChained, fault }: History): boolean {
  const hasMany = /many|all|key/.test(shape);
  const hasTwo = /two|swap|move|dependent|become|rename many|and change many/.test(shape);
  const isOrdered = fault === undefined || !hasMany || (fault.kind === "all refused" && fault.request === 1);
  return (isChained || !hasTwo) && isOrdered && fault?.kind !== "all lost after";
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
      const { failures, wasKilled } = model.outcome;
      // Which of two deletions comes first is random, and so is what a failure leaves undone.
      if (model.command === "destroy" && failures.length > 0) return;
      const actual = { requests: effectsOf(requests), states: statesOf(after), hasSucceeded };
      const expected = {
        // The provider of the model goes on after a kill, and reaches nothing.
        requests: effectsOf(model.requests.filter(({ entry }) => entry.status !== 401)),
        states: statesOf(model.after),
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

function effectsOf(requests: readonly SeenRequest[]): string[] {
  return requests.map(({ entry }) => `${entry.method} ${entry.userGroupId} ${entry.effect}`).sort();
}

function statesOf(resources: readonly ResourceState[]): object[] {
  const key = ({ name, status }: ResourceState) => `${name} ${status}`;
  return [...resources].sort((one, other) => key(one).localeCompare(key(other))).map(comparableState);
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
  return {
    ...{ name, status, id, provider, retainOnDelete, isTainted },
    propertyDependencies,
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
