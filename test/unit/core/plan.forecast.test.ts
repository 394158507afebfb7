import assert from "node:assert/strict";
import { enforceDeletionLimit, forecast, planSteps, type Rules } from "../../../provider/src/provider/plan";
import { withWarnings } from "../world";
import { many } from "./manyGroups";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const replacing: Rules = { changes: "replace", removed: undefined };

describe("the limit of deletions", () => {
  const steps = planSteps(
    { a: { name: "A" }, b: { name: "B" }, c: { name: "C" } },
    { a: { name: "X" }, d: {} },
    replacing,
  );

  it("counts groups that are created again with those that go", () => {
    assert.throws(
      () => {
        enforceDeletionLimit(steps, 2);
      },
      {
        code: "deletion-limit",
        message: /would delete 3 user groups \("b", "c", "a"\).*deletionLimit is 2.*\[deletion-limit\]$/,
      },
    );
  });

  it("allows as many as it says, and any number where it isn't given or known", () => {
    for (const limit of [3, undefined, unknown]) enforceDeletionLimit(steps, limit);
  });
});

describe("the forecast of a change", () => {
  const linesOf = async (olds: object, news: object, rules: Partial<Rules> = {}) => {
    let lines: readonly string[] = [];
    await withWarnings((warnings) => {
      forecast(planSteps(olds, news, { ...replacing, ...rules }));
      lines = [...warnings];
      return Promise.resolve();
    });
    return lines;
  };

  it("is one line, with the first few of each kind", async () => {
    assert.deepEqual(
      await linesOf(
        { ...many(7, { name: "Old" }), gone: { name: "G" } },
        { ...many(7, { name: "New" }), added: { name: "A" } },
      ),
      [
        'warning: user groups in this change: 1 to create ("added"), 1 to delete ("gone"), 7 to delete and create ' +
          'again with another token ("t0", "t1", "t2", "t3", "t4" and 2 more).\n',
      ],
    );
  });

  it("sets apart what rests on values that aren't known yet", async () => {
    const news = { t0: { name: "New" }, t1: { name: unknown }, t2: { name: "Old" } };
    assert.deepEqual(await linesOf(many(3, { name: "Old" }), news), [
      'warning: user groups in this change: 1 to delete and create again with another token ("t0"), ' +
        'perhaps 1 to delete and create again with another token ("t1").\n',
    ]);
  });

  it("is no warning where nothing is deleted", async () => {
    const news = { ...many(1, { name: "New" }), added: { name: "A" } };
    assert.deepEqual(
      await linesOf(many(2, { name: "Old" }), news, { changes: "update", removed: "retain" }),
      ['user groups in this change: 1 to create ("added"), 1 to update ("t0"), 1 to forget ("t1").\n'],
    );
  });

  it("says nothing where nothing happens to a group", async () => {
    assert.deepEqual(await linesOf(many(2, { name: "Old" }), many(2, { name: "Old" })), []);
  });
});
