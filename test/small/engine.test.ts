/** The model of the engine against the real one, on small histories: the same requests, and the same states, after each command. */
import assert from "node:assert/strict";
import { canKill } from "../engine/harness";
import { testInLanes } from "../lanes";
import type { ResourceState } from "../model/resources";
import { isSecret, markedOf } from "../model/secrets";
import { allHistories, type History } from "./history";
import { isSuccess, type Step } from "./oracle/step";
import { traitsOf } from "./program";
import { RealEngine } from "./realEngine";
import { runHistory } from "./runner";
import { Service } from "./service";

const { HISTORY: only, ENGINE_HISTORIES: wanted = "200" } = process.env;

/** The first `up`, the step, and what the user does next. */
const mostCommands = 3;

describe("the model of the engine", () => {
  const comparable = allHistories().flatMap((history, number) =>
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
 * Dynamic resources don't know `replaceOnChanges`.
 */
function isComparable({ shape, order, fault, overlapHours, flag, lookup }: History): boolean {
  const { hasMany, hasTwo } = traitsOf(shape);
  const isOrdered = fault === undefined || !hasMany || (fault.kind === "all refused" && fault.request === 1);
  const isTimed = fault?.kind === "all lost after" || overlapHours > 0 || order === "pausing";
  return (
    (order === "chained" || !hasTwo) &&
    isOrdered &&
    !isTimed &&
    flag !== "replaceOnChanges" &&
    lookup === "none"
  );
}

async function compare(history: History): Promise<void> {
  const [modelService, realService] = [await Service.start(), await Service.start()];
  let engine: RealEngine | undefined;
  try {
    const { steps } = await runHistory(history, modelService, { mostCommands });
    const real = await runHistory(history, realService, {
      mostCommands,
      isChecked: false,
      start: async (settings) => (engine = await RealEngine.start(settings)),
    });
    // A history that broke an invariant ends.
    for (const [index, expected] of steps.entries()) {
      // Which of two deletions comes first is random, and so is what a failure leaves undone.
      if (expected.command === "destroy" && expected.outcome.failures.length > 0) return;
      const actual = real.steps[index] ?? assert.fail(`The real engine doesn't run command ${index + 1}`);
      assert.deepEqual(
        comparableStep(actual),
        comparableStep(expected),
        `command ${index + 1}\n${engine?.output}`,
      );
    }
  } finally {
    await Promise.all([modelService.emulator.stop(), realService.emulator.stop(), engine?.remove()]);
  }
}

function comparableStep(step: Step): object {
  const key = ({ name, status }: ResourceState) => `${name} ${status}`;
  return {
    command: step.command,
    isSuccess: isSuccess(step),
    // The provider of the model goes on after a kill, and reaches nothing.
    requests: step.requests
      .filter(({ entry }) => entry.status !== 401)
      .map(({ entry }) => `${entry.method} ${entry.userGroupId} ${entry.effect}`)
      .sort(),
    states: [...step.after].sort((one, other) => key(one).localeCompare(key(other))).map(comparableState),
  };
}

/** A state with nothing that differs between two services. */
function comparableState({ dependencies, initErrors, inputs, outputs, ...others }: ResourceState): object {
  return {
    ...others,
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
