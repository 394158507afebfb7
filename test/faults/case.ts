/** One cell of the matrix: an operation meets a fault, the fault ends, and all is well again. */
import assert from "node:assert/strict";
import { inContext, type Context, type Elsewhere, type Persistence } from "../harness/context";
import { normalizations, type Normalization } from "../harness/normalizations";
import { groupsIn } from "../model/groups";
import type { Failure, Outcome } from "../model/run";
import {
  assertAnnounced,
  assertClear,
  assertConfirmed,
  assertEqualToService,
  assertKnown,
  codesOf,
} from "./assertions";
import type { FaultCase } from "./faults";
import type { OperationCase } from "./operations";

export interface Case {
  readonly operation: OperationCase;
  readonly fault: FaultCase;
  readonly persistence: Persistence;
  /** What the service stores for what it receives. */
  readonly normalization: Normalization;
}

/** The outcome in a word or two: "done", "retried", or the code of the error. */
export async function outcomeOf(tested: Case, elsewhere: Elsewhere): Promise<string> {
  const outcome = await throughFault(tested, elsewhere, nextUp);
  const again = await throughFault(tested, elsewhere, destroyAtOnce);
  assert.equal(again, outcome, "The same fault ended otherwise the second time");
  return outcome;
}

type Recovery = (context: Context, tested: Case, failures: readonly Failure[]) => Promise<void>;

async function throughFault(tested: Case, elsewhere: Elsewhere, recover: Recovery): Promise<string> {
  const { settings, service, before, foreign } = tested.operation;
  const normalize = normalizations[tested.normalization];
  return inContext({ ...service, normalize, settings, elsewhere }, async (context) => {
    succeeded(await context.engine.up(before));
    const teamId = foreign && context.emulator.putGroup(normalize(foreign)).teamId;
    const { failures } = await meetFault(context, tested);
    for (const failure of failures) assertClear(failure, context);
    assertConfirmed(context);
    assertKnown(context, failures, foreign?.userGroupId);
    const outcome = explained(context, failures, () => wordFor(context, tested, failures));
    await context.heal();
    await recover(context, tested, failures);
    if (foreign) assert.equal(context.emulator.groups.get(foreign.userGroupId)?.teamId, teamId);
    return outcome;
  });
}

/** What fails says what the user saw, and which requests arrived. */
function explained<Result>(context: Context, failures: readonly Failure[], assess: () => Result): Result {
  try {
    return assess();
  } catch (error) {
    const said = [...failures.map(({ message }) => message), ...context.printed];
    const lines = [error instanceof Error ? error.message : "", ...said, ...context.emulator.requests];
    throw new Error(lines.join("\n"), { cause: error });
  }
}

/** For faults that take time. One hit costs a third; what follows must do even on a machine that is busy. */
const seconds: Record<Persistence, number> = { once: 15, lasting: 3 };

async function meetFault(context: Context, { operation, fault, persistence }: Case): Promise<Outcome> {
  let isStruck = false;
  context.aim = operation.aim;
  const outcome = await operation.act(context.engine, {
    before: async (called) => {
      if (isStruck || called !== operation.hits) return;
      isStruck = true;
      context.clock.pauses.length = 0;
      context.limit(persistence === "lasting" ? 6 : Infinity, fault.takesTime ? seconds[persistence] : 60);
      await fault.strike(context, persistence, operation.userGroupId);
    },
  });
  assert(isStruck, "The operation wasn't called");
  return outcome;
}

function wordFor(context: Context, tested: Case, failures: readonly Failure[]): string {
  const { operation, fault, persistence } = tested;
  const { length: pauses } = context.clock.pauses;
  const isHit =
    pauses > 0 || (context.defect?.hits ?? 0) > 0 || context.emulator.requests.some((each) => each.fault);
  const [codes, word] = [codesOf(failures).join(", "), pauses > 0 ? "retried" : "done"];
  if (failures.length === 0) assert(isHit, "The fault hit nothing");
  const outcome = failures.length > 0 ? codes : word;
  if (fault.isFinal) assert.equal(pauses, 0, "The request was sent again, though that can't help");
  if (fault.isDefect) assertUnexpected(context, tested, outcome);
  if (fault.isHarmless && !operation.foreign) assert.equal(outcome, "done");
  if (!operation.refusesAdoption) return outcome;
  assertRefused(context, tested, outcome);
  return fault.applied === "perhaps" && persistence === "once" ? "not recorded unless certain" : outcome;
}

/** A defect isn't retried, and is reported as what it is. `assertKnown` has seen to the other groups' results. */
function assertUnexpected({ clock }: Context, { operation }: Case, outcome: string): void {
  assert.equal(outcome, operation.foreign ? "`adoption-refused`" : "`unexpected`");
  assert.equal(clock.pauses.length, 0, "A defect was retried");
}

/** With `adopt: false`, only a group that the product surely created is recorded. */
function assertRefused({ engine }: Context, { operation, fault, persistence }: Case, outcome: string): void {
  const { foreign, userGroupId } = operation;
  const isRecorded = groupsIn(engine.resources).some((group) => group.userGroupId === userGroupId);
  if (foreign) assert(!isRecorded, "Somebody else's group is recorded, though adopt is false");
  const isAmbiguous = fault.applied === "yes" || (fault.applied === "no" && foreign !== undefined);
  if (isAmbiguous && persistence === "once") assert.equal(outcome, "`adoption-refused`");
  if (foreign && fault.isHarmless) assert.equal(outcome, "`adoption-refused`");
}

/**
 * The next `up` leaves service and state equal, one more finds nothing to do, and `destroy` leaves nothing. On a service
 * that normalizes, an `up` that adopts a lost creation can't tell it from somebody else's group, and one more replaces it.
 */
async function nextUp(context: Context, { operation, normalization }: Case): Promise<void> {
  const { engine } = context;
  const comparison = { normalization, foreign: operation.foreign?.userGroupId };
  await upWithRemedy(context, operation.after);
  if (normalization !== "none") succeeded(await engine.up(operation.after));
  assertEqualToService(context, comparison);
  assert.deepEqual(succeeded(await engine.up(operation.after)).steps, []);
  succeeded(await engine.destroy());
  assertEqualToService(context, comparison);
  assert.equal(engine.resources.length, 0);
}

/** Where a token may be out of date, the message says that a refresh comes first. */
async function upWithRemedy({ engine }: Context, program: OperationCase["after"]): Promise<void> {
  const { failures } = await engine.up(program);
  if (failures.length === 0) return;
  for (const { message } of failures)
    assert.match(message, /[Rr]un pulumi refresh, then run the same command again/);
  succeeded(await engine.refresh());
  succeeded(await engine.up(program));
}

/** `destroy --refresh` leaves nothing but what a creation may have left, as its error said. */
async function destroyAtOnce(
  context: Context,
  { operation }: Case,
  failures: readonly Failure[],
): Promise<void> {
  succeeded(await context.engine.destroy({ isRefreshing: true }));
  assert.equal(context.engine.resources.length, 0);
  for (const userGroupId of context.emulator.groups.keys())
    if (userGroupId !== operation.foreign?.userGroupId) assertAnnounced(userGroupId, failures);
}

function succeeded(outcome: Outcome): Outcome {
  assert.deepEqual(outcome.failures, []);
  return outcome;
}
