/** What `UserGroups` does with each of its groups, with their failures and with their size. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { eachGroup, type Failures } from "../../../provider/src/core/set/eachGroup";
import { withFailures } from "../../../provider/src/core/set/partialFailure";
import { userGroupsShape } from "../../../provider/src/core/state/shapes";
import { planned, type PlannedChange } from "../../../provider/src/core/set/plan";
import {
  assertStateSize,
  estimatedBytes,
  maxFailureBytes,
  structBytes,
} from "../../../provider/src/core/set/sizeLimit";
import { UserGroupError, type ErrorCode } from "../../../provider/src/errors";
import { propertiesOf } from "../../../provider/src/values";
import { jumpingClock } from "../../harness/clock";
import { contextOf, deploymentTest, effectsOf, type State } from "../../harness/providers";

/** Works on `t0`, `t1`, … in this order. */
async function run(
  count: number,
  work: (userGroupId: string, n: number) => Promise<void> | void,
  { maxConnections = 1, random = (): number => 0.5 } = {},
): Promise<Failures & { lines: string[] }> {
  const items = Array.from({ length: count }, (_, n) => ({ userGroupId: `t${n}`, n }));
  const lines: string[] = [];
  const logger = { info: (line: string) => void lines.push(line), warn: () => assert.fail("a warning") };
  const { signal } = new AbortController();
  const context = { logger, clock: jumpingClock(random), signal, settings: { maxConnections } };
  const each = async ({ userGroupId, n }: { userGroupId: string; n: number }) => work(userGroupId, n);
  return { ...(await eachGroup(items, context, each)), lines };
}

function fail(code: ErrorCode): never {
  throw new UserGroupError(code, "It failed.");
}

describe("work on each of many groups", () => {
  const systematic = [
    "certificate-untrusted",
    "connection-failed",
    "host-not-found",
    "not-found",
    "redirected",
    "response-invalid",
    "response-too-large",
    "timed-out",
    "unauthorized",
    "unexpected-status",
  ] as const;
  for (const maxConnections of [1, 50])
    it(`ends after 20 failures in a row that all groups would have, with ${maxConnections} connections`, async () => {
      for (const code of systematic) {
        const { failed, untried } = await run(100, () => fail(code), { maxConnections });
        assert(failed.length >= 20 && failed.length < 20 + maxConnections, `${code}: ${failed.length}`);
        assert.equal(failed.length + untried.length, 100);
      }
    });

  for (const [what, interruption] of [
    ["success", undefined],
    ["refusal", new UserGroupError("service-refused", "It refused.")],
    ["defect", new TypeError("a defect")],
  ] as const)
    it(`goes on if each 20th group is a ${what}`, async () => {
      const { untried } = await run(100, (_, n) => {
        if (n % 20 !== 19) fail("timed-out");
        if (interruption) throw interruption;
      });
      assert.deepEqual(untried, []);
    });

  it("draws the order, so that groups which always fail can't keep the others from their turn", async () => {
    const order: string[] = [];
    const draws = [0.9, 0.1, 0.5];
    await run(3, (userGroupId) => void order.push(userGroupId), { random: () => draws.shift() ?? 0 });
    assert.deepEqual(order, ["t1", "t2", "t0"]);
  });

  it("reports its progress every ten seconds, and nothing after its end", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const { lines } = await run(4, (_, n) => {
        mock.timers.tick(9_000);
        if (n === 1) fail("service-refused");
      });
      mock.timers.tick(60_000);
      assert.deepEqual(lines, [
        "1 of 4 user groups are done.",
        "2 of 4 user groups are done, 1 failed.",
        "3 of 4 user groups are done, 1 failed.",
      ]);
    } finally {
      mock.timers.reset();
    }
  });
});

it("a partial failure is a warning if the state is too large to be recorded with an error", () => {
  const warnings: string[] = [];
  const logger = {
    info: () => assert.fail("an information"),
    warn: (line: string) => void warnings.push(line),
  };
  const error = new UserGroupError("service-refused", "Cannot create it.");
  const failures = { failed: [{ userGroupId: "a", error }], untried: [] };
  const outcomeOf = (state: Record<string, unknown>) =>
    withFailures({ id: "id", state }, failures, { operation: "update", isOne: false, logger });
  const overhead = structBytes({ name: "x".repeat(maxFailureBytes) }) - maxFailureBytes;
  const largest = { name: "x".repeat(maxFailureBytes - overhead) };
  assert(outcomeOf(largest).failure);
  const { state, failure } = outcomeOf({ name: `${largest.name}x` });
  assert.deepEqual([state, failure], [{ name: `${largest.name}x` }, undefined]);
  const because = /^.*\[service-refused\] This is a warning because an error can't.* \[partial-failure\]$/;
  assert.match(warnings.join("\n"), because);
});

describe("the size of groups", () => {
  it("is at least that of the state, with overlap and without", () => {
    const token = "t".repeat(36);
    for (const count of [1, 1000])
      for (const overlap of [false, true]) {
        const ids = Array.from({ length: count }, (_, n) => `customer-${n}`);
        const group = (userGroupId: string) => ({
          ...{ userGroupId, name: "Customer", token, adopted: true },
          providedId: overlap ? `${userGroupId}~12345678` : userGroupId,
        });
        const groups = new Map(ids.map((id) => [id, group(id)]));
        const state = userGroupsShape.stateOf({ groups, overlap });
        const estimate = estimatedBytes(propertiesOf(state["groups"]), overlap);
        const bytes = structBytes(state);
        assert(estimate > bytes - 100, `${estimate} for ${bytes} bytes`);
      }
  });

  it("counts former groups that stay, and that a change adds", () => {
    const group = { name: "A", properties: { text: "x".repeat(4.5 * 1024 * 1024) } };
    const stored = { ...group, userGroupId: "a", providedId: "a", token: "t", adopted: false };
    const size = (change: PlannedChange) => () => {
      assertStateSize({ a: group }, [change], new Map([["a", stored]]));
    };
    assert.doesNotThrow(size(planned("a", "keep")));
    for (const change of [planned("a", "renew"), { ...planned("a", "keep"), waiting: [stored] }])
      assert.throws(size(change), { code: "groups-too-large" });
  });

  it("is that of their protobuf", () => {
    fc.assert(
      fc.property(anyStruct, (json) => {
        const plain: unknown = JSON.parse(JSON.stringify(json));
        const struct = Struct.fromJavaScript(Object(plain) as Record<string, never>);
        const size = structBytes(plain);
        const encoded = struct.serializeBinary().length;
        assert(size >= encoded && size - encoded <= 8 + encoded / 20, `${size} and ${encoded} bytes`);
      }),
    );
  });
});

/** google-protobuf drops a key "__proto__", so it can't tell that size. */
const anyStruct = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .filter((json) => !JSON.stringify(json).includes('"__proto__"'));

deploymentTest(
  "a group is created when its deletion by another resource has ended",
  {},
  async ({ emulator }) => {
    const clock = jumpingClock();
    const { userGroups, deploy } = contextOf(emulator, { clock });
    const state = await userGroups.create({ groups: { acme: { name: "Acme" } } });
    const next = deploy();
    let created: Promise<State> | undefined;
    emulator.clearRequests();
    // The deletion is tried again after a creation that began later than that of acme.
    clock.atNextPause(async () => {
      created = next.userGroup.create({ userGroupId: "acme", name: "Acme" });
      await next.userGroup.create({ userGroupId: "other", name: "Other" });
    });
    emulator.fault({ kind: "status", status: 503, method: "DELETE" });
    await next.userGroups.update(state, { groups: {} });
    assert.equal((await created)?.["token"], emulator.groups.get("acme")?.token);
    const effects = effectsOf(emulator).filter((line) => line.includes("acme"));
    assert.deepEqual(effects.slice(-2), ["DELETE acme deleted", "GET acme created"]);
  },
);
