/** What `UserGroups` does with each of its groups, with their failures and with their size. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { outputsOf, PartialFailureError } from "../../../provider/adapters/results";
import { eachGroup, partialFailure } from "../../../provider/core/resource/eachGroup";
import type { PlannedChange } from "../../../provider/core/change/plan";
import * as sizeLimit from "../../../provider/core/resource/sizeLimit";
import { userGroupsShape } from "../../../provider/core/state/shapes";
import { UserGroupError } from "../../../provider/errors";
import { propertiesOf, withoutSecretMarks } from "../../../provider/values";
import { jumpingClock, TestClock } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { contextOf, effectsOf, failureOf, plain } from "../../support/harness/providers";
import { newTestDeployment, startProviders } from "../../support/harness/product";

const { assertStateSize, estimatedBytes, maxFailureBytes, structBytes } = sizeLimit;

describe("work on each of many groups", () => {
  const timesOut = () => {
    throw new UserGroupError("timed-out", "It failed.");
  };
  const isRefused = () => {
    throw new UserGroupError("service-refused", "It failed.");
  };

  /** Works on groups `0`, `1`, … in this order, unless `random` draws another one. */
  async function run(
    count: number,
    work: (n: number, clock: TestClock) => unknown,
    { maxConnections = 1, random = (): number => 0.5, signal = new AbortController().signal } = {},
  ) {
    const clock = jumpingClock(random);
    const start = clock.date();
    const seconds: number[] = [];
    const onLine = () => seconds.push((clock.date() - start) / 1000);
    const deployment = newTestDeployment({ clock, onLine, signal });
    const items = Array.from({ length: count }, (_, n) => ({ userGroupId: String(n), n }));
    const context = { ...deployment, settings: { maxConnections } };
    const failures = await eachGroup(items, context, async ({ n }) => {
      await work(n, clock);
    });
    return { ...failures, lines: deployment.lines, seconds };
  }

  for (const [maxConnections, most] of [
    [1, 1],
    [16, 16],
    [50, 69],
  ] as const)
    it(`ends after a first round of ${maxConnections} connections without a success`, async () => {
      const { failed, untried } = await run(100, timesOut, { maxConnections });
      assert(failed.length <= most, `${failed.length} failed`);
      assert.equal(failed.length + untried.length, 100);
    });

  it("ends after 20 failures of the service in a row", async () => {
    const { failed } = await run(100, (n) => n > 0 && timesOut());
    assert.equal(failed.length, 20);
  });

  for (const [what, interrupt] of [
    ["success", () => undefined],
    ["refusal", isRefused],
  ] as const)
    it(`goes on if each 20th group is a ${what}`, async () => {
      const { untried } = await run(100, (n) => {
        if (n % 20 === 0) interrupt();
        else timesOut();
      });
      assert.deepEqual(untried, []);
    });

  it("goes on although each group's own request is refused as too large", async () => {
    const isTooLarge = () => {
      const facts = { isOfOneRequest: true };
      throw new UserGroupError("unexpected-status", "It failed.", facts);
    };
    const { failed, untried } = await run(100, isTooLarge, { maxConnections: 16 });
    assert.deepEqual([failed.length, untried], [100, []]);
  });

  it("is reported within three seconds, then steadily, and at its end", async () => {
    const { signal } = new AbortController();
    // 50 ms for each request, with 16 connections.
    const { lines, seconds } = await run(10_000, (n, clock) => {
      if (n === 0) isRefused();
      return clock.sleep(50 / 16, signal);
    });
    assert.match(lines[0] ?? "", /^\d+ of 10000 user groups done, 1 failed\.$/);
    assert((seconds[0] ?? Infinity) < 3, `the first one after ${seconds[0]} seconds`);
    for (const [index, each] of seconds.entries()) {
      const pause = each - (seconds[index - 1] ?? 0);
      assert(pause < 6, `${pause} seconds without a report`);
    }
    assert.equal(lines.at(-1), "9999 of 10000 user groups done, 1 failed.");
    assert(lines.length < 15, `${lines.length} reports`);
    assert.deepEqual((await run(100, () => undefined)).lines, []);
    assert.deepEqual((await run(1, (_, clock) => clock.sleep(9_000, signal))).lines, []);
  });

  for (const [what, work, code, sentence] of [
    ["a cancelled run", () => undefined, "cancelled", "the run was cancelled, and 28 were not tried"],
    [
      "a cancelled run in which a group failed",
      isRefused,
      "partial-failure",
      "1 user group failed, and the run was cancelled, and 28 were not tried",
    ],
  ] as const)
    it(`says of ${what} that it was cancelled`, async () => {
      const cancellation = new AbortController();
      const { signal } = cancellation;
      const cancelled = (n: number) => {
        if (n < 11) return;
        cancellation.abort();
        work();
      };
      const failures = await run(40, cancelled, { signal });
      const { error } = partialFailure(failures, "create", false, newTestDeployment().logger);
      const rest = "The state has every completed change. Run pulumi up again to do the rest.";
      assert.equal(error.message, `Cannot create all user groups: ${sentence}. ${rest} [${code}]`);
    });

  it("draws the order, so that groups which always fail can't keep the others from their turn", async () => {
    const order: number[] = [];
    const draws = [0.9, 0.1, 0.5];
    await run(3, (n) => order.push(n), { random: () => draws.shift() ?? 0 });
    assert.deepEqual(order, [1, 2, 0]);
  });
});

it("a partial failure is a warning if the state is too large to be recorded with an error", () => {
  const { lines, logger } = newTestDeployment();
  const failed = [{ userGroupId: "a", error: new UserGroupError("service-refused", "Cannot create it.") }];
  const failure = partialFailure({ failed, untried: [] }, "update", false, logger);
  const record = (state: object, inputs: object) =>
    outputsOf({ id: "id", state: { ...state }, failure }, { ...inputs });
  const overhead = structBytes({ name: "x".repeat(maxFailureBytes) }) - maxFailureBytes;
  const largest = { name: "x".repeat(maxFailureBytes - overhead) };
  assert.throws(() => record(largest, largest), { code: "partial-failure" });
  const larger = { name: `${largest.name}x` };
  assert.deepEqual(record(larger, larger), larger);
  const because = /^.*\[service-refused\] This is a warning because an error can't.* \[partial-failure\]$/;
  assert.match(lines.join("\n"), because);
  const mapping = Object.fromEntries(Array.from({ length: 130_000 }, (_, n) => [n, 0]));
  assert.throws(() => record({ mapping }, { mapping }), { code: "partial-failure" });
  assert.notDeepEqual(record({ mapping }, {}), { mapping });
});

describe("the size of groups", () => {
  it("is at least that of the state, with overlap and without", () => {
    for (const count of [1, 1000])
      for (const overlap of [false, true]) {
        const ids = Array.from({ length: count }, (_, n) => `customer-${n}`);
        const group = (userGroupId: string) => ({
          ...{ userGroupId, name: "Customer", token: "t".repeat(36), adopted: true },
          providedId: overlap ? `${userGroupId}~12345678` : userGroupId,
        });
        const state = userGroupsShape.serializeState({
          groups: new Map(ids.map((id) => [id, group(id)])),
          overlap,
        });
        const estimate = estimatedBytes(propertiesOf(state["groups"]), overlap);
        assert(estimate > structBytes(state) - 100, `${estimate} for ${structBytes(state)} bytes`);
      }
  });

  it("counts former groups that stay, and that a change adds", () => {
    const group = { name: "A", properties: { text: "x".repeat(4.5 * 1024 * 1024) } };
    const from = { ...group, userGroupId: "a", providedId: "a", token: "t", adopted: false };
    const change = { userGroupId: "a", from, to: group, expired: [], isUncertain: false };
    const kept: PlannedChange<object> = { ...change, is: "record" };
    const renewed: PlannedChange<object> = { ...change, is: "request", how: "renew", because: ["name"] };
    const former = [{ ...from, until: "2026-01-01T00:00:00Z" }];
    const assertSize = (planned: PlannedChange<object>) => {
      assertStateSize({ a: group }, [planned]);
    };
    assertSize(kept);
    for (const larger of [renewed, { ...kept, from: { ...from, former } }])
      assert.throws(
        () => {
          assertSize(larger);
        },
        { code: "groups-too-large" },
      );
  });

  it("is that of their protobuf", () => {
    // google-protobuf drops a key "__proto__", so it can't tell that size.
    const anyStruct = fc
      .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
      .filter((json) => !JSON.stringify(json).includes('"__proto__"'));
    fc.assert(
      fc.property(anyStruct, (json) => {
        const plain: unknown = JSON.parse(JSON.stringify(json));
        const encoded = Struct.fromJavaScript(Object(plain) as Record<string, never>).serializeBinary()
          .length;
        const size = structBytes(plain);
        assert(size >= encoded && size - encoded <= 8 + encoded / 20, `${size} and ${encoded} bytes`);
      }),
    );
  });
});

emulatorTest("a group is created when its deletion by another resource has ended", {}, async (emulator) => {
  const clock = jumpingClock();
  const { userGroups, deploy } = contextOf(emulator, { clock });
  const { id, outs } = await userGroups.create({ groups: { acme: { name: "Acme" } } });
  const next = deploy();
  let created: Promise<unknown> | undefined;
  emulator.clearRequests();
  // The deletion is tried again after a creation that began later than that of acme.
  clock.atNextPause(async () => {
    created = next.userGroup.create({ userGroupId: "acme", name: "Acme" });
    await next.userGroup.create({ userGroupId: "other", name: "Other" });
  });
  emulator.fault({ kind: "status", status: 503, method: "DELETE" });
  await next.userGroups.update(id, plain(outs), { groups: {} });
  await created;
  const effects = effectsOf(emulator).filter((line) => line.includes("acme"));
  assert.deepEqual(effects.slice(-2), ["DELETE acme deleted", "GET acme created"]);
});

emulatorTest("groups are named if a later state shows another account", {}, async (emulator) => {
  const acme = { userGroupId: "acme", name: "Acme" };
  const { outs } = await contextOf(emulator).userGroup.create(acme);
  const lines: string[] = [];
  const settings = { baseUrl: emulator.baseUrl, apiToken: emulator.addAccount().apiToken };
  const clock = jumpingClock();
  const { userGroup } = startProviders({ settings, clock, onLine: (line) => lines.push(line) });
  await userGroup.check(acme, acme);
  await userGroup.create({ userGroupId: "before", name: "B" });
  clock.atNextPause(async () => {
    await userGroup.diff("acme", withoutSecretMarks(outs), acme);
  });
  emulator.fault({ kind: "status", status: 503 });
  await userGroup.create({ userGroupId: "meanwhile", name: "M" });
  assert.match(lines.join("\n"), /"before", "meanwhile": .*\[created-unchecked\]$/);
});

emulatorTest("a request that ended by an unexpected exception leaves a doubt", {}, async (emulator) => {
  // The clock draws the length of the pause after an attempt.
  const clock = jumpingClock(() => {
    if (emulator.requests.some(({ status }) => status === 503)) throw new TypeError("s3cret");
    return 0.5;
  });
  const { userGroups, deploy } = contextOf(emulator, { clock, settings: { changes: "update" } });
  const { id, outs } = await userGroups.create({ groups: { acme: { name: "Acme" } } });
  const next = deploy().userGroups;
  emulator.fault({ kind: "status", status: 503 });
  const news = { groups: { acme: { name: "Corp" } } };
  const failure = await failureOf(next.update(id, plain(outs), news));
  assert(failure instanceof PartialFailureError);
  assert.match(failure.reasons.join(), /an unexpected TypeError was thrown/);
  const { internal } = plain(failure.properties);
  assert.deepEqual(propertiesOf(internal)["groups"], { acme: { doubt: true } });
  // The next up ends the doubt by a request, although the program has the state's values again.
  const again = await deploy().userGroups.diff(id, withoutSecretMarks(failure.properties), {
    groups: { acme: { name: "Acme" } },
  });
  assert.equal(again.changes, true);
});

emulatorTest("a group with overlap isn't deleted before its replacement is created", {}, async (emulator) => {
  const { userGroup, deploy } = contextOf(emulator);
  const acme = { userGroupId: "acme", name: "Acme", overlap: true, __resource: "one" };
  const { outs } = await userGroup.create(acme);
  const next = deploy().userGroup;
  await next.check({}, acme);
  const deleted = next.delete("acme", withoutSecretMarks(outs));
  await assert.rejects(deleted, { code: "move-unconfirmed" });
});

emulatorTest("a group that a program declares a moment later isn't deleted", {}, async (emulator) => {
  const { userGroup, userGroups } = contextOf(emulator, { clock: new TestClock() });
  const { id, outs } = await userGroups.create({ groups: { acme: { name: "Acme" } } });
  const updated = failureOf(userGroups.update(id, plain(outs), { groups: {} }));
  await setImmediate();
  await userGroup.check({}, { userGroupId: "acme", name: "Acme", __resource: "one" });
  const failure = await updated;
  assert(failure instanceof PartialFailureError);
  assert.match(failure.reasons.join(), /\[removed-elsewhere\]/);
  assert(emulator.groups.has("acme"));
});
