import assert from "node:assert/strict";
import { mock } from "node:test";
import { eachGroup, type Failures } from "../../../provider/src/core/userGroups/eachGroup";
import { UserGroupError, type ErrorCode } from "../../../provider/src/errors";
import { instantClock } from "../../harness/clock";

const never = new AbortController().signal;
const middle = (): number => 0.5;

/** Works on `t0`, `t1`, … in this order. */
async function run(
  count: number,
  work: (userGroupId: string, n: number) => Promise<void> | void,
  { maxConnections = 1, signal = never, random = middle } = {},
): Promise<Failures & { lines: string[] }> {
  const items = Array.from({ length: count }, (_, n) => ({ userGroupId: `t${n}`, n }));
  const lines: string[] = [];
  const logger = { info: (line: string) => void lines.push(line), warn: () => assert.fail("a warning") };
  const context = { logger, clock: { ...instantClock(), random }, signal, settings: { maxConnections } };
  const each = async ({ userGroupId, n }: { userGroupId: string; n: number }) => work(userGroupId, n);
  return { ...(await eachGroup(items, context, each)), lines };
}

function fail(code: ErrorCode): never {
  throw new UserGroupError(code, "It failed.");
}

describe("work on each of many groups", () => {
  it("runs at most maxConnections at a time", async () => {
    let [running, most] = [0, 0];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await run(50, work, { maxConnections: 7 });
    assert.equal(most, 7);
  });

  it("goes on with the others if some fail, and says which, exceptions of ours included", async () => {
    const done: string[] = [];
    const { failed, untried } = await run(20, (userGroupId, n) => {
      if (n === 7) throw new TypeError("s3cret");
      if (n === 17) fail("service-refused");
      done.push(userGroupId);
    });
    assert.deepEqual([done.length, untried], [18, []]);
    const codes = failed.map(({ userGroupId, error }) => `${userGroupId} ${error.code}`);
    assert.deepEqual(codes, ["t7 unexpected", "t17 service-refused"]);
    assert.doesNotMatch(failed[0]?.error.message ?? "", /s3cret/);
  });

  for (const code of [
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
  ] as const)
    it(`ends after 20 groups in a row with ${code}, whatever maxConnections is`, async () => {
      for (const maxConnections of [1, 50]) {
        const { failed, untried } = await run(100, () => fail(code), { maxConnections });
        const most = 20 + maxConnections - 1;
        assert(failed.length >= 20 && failed.length <= most, `${failed.length} were tried`);
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

  it("doesn't try the rest once it is cancelled, and counts a cancelled group as not tried", async () => {
    const controller = new AbortController();
    const work = (_: string, n: number) => {
      if (n === 1) controller.abort();
      if (n === 2) assert.fail("it was tried");
      if (n === 1) fail("cancelled");
    };
    const { failed, untried } = await run(4, work, { signal: controller.signal });
    assert.deepEqual([failed, untried.map(({ userGroupId }) => userGroupId)], [[], ["t1", "t2", "t3"]]);
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
