import assert from "node:assert/strict";
import { mock } from "node:test";
import { UserGroupError, type ProblemCode } from "../../../provider/src/errors";
import { eachGroup } from "../../../provider/src/provider/eachGroup";
import { withWarnings } from "../world";

describe("work on each of many groups", () => {
  it("goes on at most maxConnections at a time", async () => {
    let [running, most] = [0, 0];
    await eachGroup(items(50), 7, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    });
    assert.equal(most, 7);
  });

  it("goes on with the others where some fail, and says which", async () => {
    const done: string[] = [];
    const { failed, untried } = await eachGroup(items(100), 4, ({ userGroupId }) => {
      if (userGroupId.endsWith("7")) return failing("service-refused");
      done.push(userGroupId);
      return Promise.resolve();
    });
    assert.equal(done.length, 90);
    assert.deepEqual(untried, []);
    assert.deepEqual(
      failed.map(({ userGroupId }) => userGroupId).sort(),
      items(100)
        .map(({ userGroupId }) => userGroupId)
        .filter((id) => id.endsWith("7"))
        .sort(),
    );
    assert(failed.every(({ error }) => error.code === "service-refused"));
  });

  for (const code of [
    "connection-failed",
    "timed-out",
    "unexpected-status",
    "unauthorized",
    "answer-invalid",
  ] as const) {
    it(`ends when maxConnections groups in a row have met ${code}`, async () => {
      const { failed, untried } = await eachGroup(items(100), 5, () => failing(code));
      assert(failed.length >= 5 && failed.length < 10, `${failed.length} were tried`);
      assert.equal(failed.length + untried.length, 100);
    });
  }

  it("doesn't end while some still get an answer, be it a refusal", async () => {
    const outcomes = [
      () => failing("timed-out"),
      () => failing("service-refused"),
      () => failing("timed-out"),
      () => Promise.resolve(),
    ];
    let turn = 0;
    const { untried } = await eachGroup(items(40), 2, () => outcomes[turn++ % 4]?.() ?? Promise.resolve());
    assert.deepEqual(untried, []);
  });

  it("takes another order each time, so that neighbours that fail can't keep the others from their turn", async () => {
    const orderOfRun = async () => {
      const order: string[] = [];
      await eachGroup(items(50), 1, ({ userGroupId }) => Promise.resolve(void order.push(userGroupId)));
      return order;
    };
    const [first, second] = [await orderOfRun(), await orderOfRun()];
    assert.notDeepEqual(first, second);
    assert.deepEqual(first.sort(), second.sort());
  });

  it("ends with an error that is nobody's but ours", async () => {
    await assert.rejects(
      eachGroup(items(3), 1, () => Promise.reject(new TypeError("a fault"))),
      TypeError,
    );
  });

  describe("that takes long", () => {
    beforeEach(() => {
      mock.timers.enable({ apis: ["setInterval"] });
    });
    afterEach(() => {
      mock.timers.reset();
    });

    it("says every ten seconds how far it is, and nothing after its end", async () => {
      await withWarnings(async (lines) => {
        await eachGroup(items(4), 1, ({ userGroupId }) => {
          mock.timers.tick(9_000);
          return userGroupId === "t0" ? failing("service-refused") : Promise.resolve();
        });
        mock.timers.tick(60_000);
        const reports = lines.filter((line) => line.includes(" are done"));
        assert.equal(reports.length, 3);
        assert.match(reports[2] ?? "", /^3 of 4 user groups are done(, 1 failed)?\.\n$/);
      });
    });

    it("counts those that failed", async () => {
      await withWarnings(async (lines) => {
        await eachGroup(items(2), 1, () => {
          mock.timers.tick(6_000);
          return failing("service-refused");
        });
        const reports = lines.filter((line) => line.includes(" are done"));
        assert.deepEqual(reports, ["1 of 2 user groups are done, 1 failed.\n"]);
      });
    });
  });
});

function items(count: number): { userGroupId: string }[] {
  return Array.from({ length: count }, (_, n) => ({ userGroupId: `t${n}` }));
}

function failing(code: ProblemCode): Promise<never> {
  return Promise.reject(new UserGroupError(code, "It failed."));
}
