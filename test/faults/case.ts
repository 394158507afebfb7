/** One cell of the matrix: an operation meets a fault, the fault passes, and all is well again. */
import assert from "node:assert/strict";
import type { FaultCase, Persistence } from "./faults";
import { assertClear, assertConfirmed, assertEqualToService, codesOf } from "./judgement";
import type { Failure, Outcome } from "./model/run";
import type { OperationCase } from "./operations";
import { inPlace, type Elsewhere, type Place } from "./place";

export interface Case {
  readonly operation: OperationCase;
  readonly fault: FaultCase;
  readonly persistence: Persistence;
}

/** The outcome in a word or two: "done", "retried", or the code of the error. */
export async function outcomeOf(tested: Case, elsewhere: Elsewhere): Promise<string> {
  const outcome = await throughFault(tested, elsewhere, nextUp);
  const again = await throughFault(tested, elsewhere, destroyAtOnce);
  assert.equal(again, outcome, "The same fault ended otherwise the second time");
  return outcome;
}

type Recovery = (place: Place, tested: Case, failures: readonly Failure[]) => Promise<void>;

async function throughFault(tested: Case, elsewhere: Elsewhere, recover: Recovery): Promise<string> {
  const { settings, service, before } = tested.operation;
  return inPlace({ ...service, settings, elsewhere }, async (place) => {
    succeeded(await place.engine.up(before));
    const { failures } = await meetFault(place, tested);
    for (const failure of failures) assertClear(failure, place);
    assertConfirmed(place);
    const { failedAttempts } = place.scene;
    await place.heal();
    await recover(place, tested, failures);
    return failures.length > 0 ? codesOf(failures).join(", ") : wordFor(place, failedAttempts);
  });
}

/** For faults that take time. One hit costs a third; what follows must do even on a machine that is busy. */
const seconds: Record<Persistence, number> = { once: 15, lasting: 3 };

async function meetFault(place: Place, { operation, fault, persistence }: Case): Promise<Outcome> {
  let isStruck = false;
  place.aim = operation.aim;
  const outcome = await operation.act(place.engine, {
    before: async (called) => {
      if (isStruck || called !== operation.hits) return;
      isStruck = true;
      place.limit(persistence === "lasting" ? 3 : Infinity, fault.takesTime ? seconds[persistence] : 60);
      await fault.strike(place, persistence);
    },
  });
  assert(isStruck, "The operation wasn't called");
  return outcome;
}

function wordFor({ emulator }: Place, failedAttempts: number): string {
  assert(failedAttempts > 0 || emulator.requests.some(({ fault }) => fault), "The fault hit nothing");
  return failedAttempts > 0 ? "retried" : "done";
}

/** The next `up` leaves service and state equal, one more finds nothing to do, and `destroy` leaves nothing. */
async function nextUp(place: Place, { operation }: Case): Promise<void> {
  const { engine } = place;
  succeeded(await engine.up(operation.after));
  assertEqualToService(place);
  assert.deepEqual(succeeded(await engine.up(operation.after)).steps, []);
  succeeded(await engine.destroy());
  assertEqualToService(place);
  assert.equal(engine.records.length, 0);
}

/** `destroy --refresh` leaves nothing but what a creation, whose error says so, may have left without a record. */
async function destroyAtOnce(place: Place, _: Case, failures: readonly Failure[]): Promise<void> {
  succeeded(await place.engine.destroy({ isRefreshing: true }));
  assert.equal(place.engine.records.length, 0);
  for (const userGroupId of place.emulator.groups.keys()) {
    const announcement = new RegExp(`Cannot create user group "${userGroupId}": .*may exist by now`);
    assert.match(failures.map(({ message }) => message).join("\n"), announcement);
  }
}

function succeeded(outcome: Outcome): Outcome {
  assert.deepEqual(outcome.failures, []);
  return outcome;
}
