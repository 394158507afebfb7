import assert from "node:assert/strict";
import { userGroups } from "../../../provider/src/provider";
import { inEnvironment } from "../environment";
import { withWarnings } from "../world";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const offline = (test: () => Promise<void>) => inEnvironment({}, test);

describe("UserGroups, diff", () => {
  const record = { groups: { a: { name: "A" }, b: { name: "B" } }, tokens: { a: "1", b: "2" }, adopted: [] };
  const diff = async (news: object, olds: object = record) => {
    let lines: readonly string[] = [];
    let answer: unknown;
    await withWarnings(async (warnings) => {
      answer = await userGroups.diff(
        "user-groups",
        { ...olds, __provider: "text" },
        { ...news, __provider: "text" },
      );
      lines = [...warnings];
    });
    return { answer, lines };
  };

  it(
    "sees no change in the same groups, whatever their order",
    offline(async () => {
      const { answer, lines } = await diff({ groups: { b: { name: "B" }, a: { name: "A", mapping: null } } });
      assert.deepEqual([answer, lines], [{ changes: false, replaces: [] }, []]);
    }),
  );

  it(
    "is an update, and never a replacement, where groups come, go or change",
    offline(async () => {
      const { answer, lines } = await diff({ groups: { a: { name: "X" }, c: { name: "C" } } });
      assert.deepEqual(answer, { changes: true, replaces: [] });
      assert.equal(lines.length, 1);
      assert.match(
        lines[0] ?? "",
        /1 to create \("c"\), 1 to delete \("b"\), 1 to delete and create again with another token \("a"\)/,
      );
    }),
  );

  it(
    "says nothing of the groups where only other arguments change",
    offline(async () => {
      for (const change of [{ adopt: false }, { removed: "retain" }, { deletionLimit: 3 }]) {
        const { answer, lines } = await diff({ ...record, ...change });
        assert.deepEqual([answer, lines], [{ changes: true, replaces: [] }, []]);
      }
    }),
  );

  it(
    "refuses more deletions than the limit allows",
    offline(async () => {
      await assert.rejects(diff({ groups: { a: { name: "X" } }, deletionLimit: 1 }), {
        code: "deletion-limit",
      });
      assert.deepEqual((await diff({ groups: {}, deletionLimit: 2 })).answer, {
        changes: true,
        replaces: [],
      });
    }),
  );

  it(
    "is a replacement where the connection changes, whose deletions count against the limit",
    offline(async () => {
      const { answer, lines } = await diff({ groups: record.groups, connection: "eu" });
      assert.deepEqual(answer, { changes: true, replaces: ["connection"] });
      assert.match(lines.join(""), /2 to create \("a", "b"\), 2 to delete \("a", "b"\)/);
      await assert.rejects(diff({ groups: record.groups, connection: "eu", deletionLimit: 1 }), {
        code: "deletion-limit",
      });
    }),
  );

  it(
    "counts a map that isn't known yet as a change, and can't say of what",
    offline(async () => {
      const { answer, lines } = await diff({ groups: unknown, deletionLimit: 0 });
      assert.deepEqual(answer, { changes: true, replaces: [] });
      assert.deepEqual(lines, []);
    }),
  );
});
