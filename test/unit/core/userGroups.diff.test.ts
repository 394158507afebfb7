import assert from "node:assert/strict";
import { unknownValue as unknown } from "../../../provider/src/values";
import { failureOf, inContext } from "../../harness/providers";

const [one, two] = ["https://one.example", "https://two.example"];
const args = { groups: { a: { name: "A" }, b: { name: "B" } } };
const state = { ...args, tokens: { a: "1", b: "2" }, adopted: [], baseUrl: one };
const env = { USER_GROUPS_BASE_URL: one, USER_GROUPS_EU_BASE_URL: two };

describe("UserGroups, diff", () => {
  const cases: [
    what: string,
    news: object,
    diff: { changes: boolean; replaces?: string[] },
    line?: RegExp,
  ][] = [
    [
      "no change, whatever the order",
      { groups: { b: { name: "B" }, a: { name: "A", mapping: null } } },
      { changes: false },
    ],
    [
      "an update if groups are added, removed or changed",
      { groups: { a: { name: "X" }, c: { name: "C" } } },
      { changes: true },
      /1 to create \("c"\), 1 to delete \("b"\), 1 to delete and create again with a new token \("a"\)/,
    ],
    ["an update without a line for adopt", { ...args, adopt: false }, { changes: true }],
    ["an update without a line for removed", { ...args, removed: "retain" }, { changes: true }],
    ["an update without a line for deletionLimit", { ...args, deletionLimit: 0 }, { changes: true }],
    [
      "an update within the limit",
      { groups: {}, deletionLimit: 2 },
      { changes: true },
      /2 to delete \("a", "b"\)/,
    ],
    ["an update of unknown groups, without a line", { groups: unknown, deletionLimit: 0 }, { changes: true }],
    [
      "a replacement for another service",
      { ...args, connection: "eu" },
      { changes: true, replaces: ["connection"] },
      /2 to create \("a", "b"\), 2 to delete \("a", "b"\)/,
    ],
  ];
  for (const [what, news, diff, line] of cases)
    it(
      `is ${what}`,
      inContext({ env }, async ({ emulator, lines, userGroups }) => {
        await userGroups.check(news, args, "many");
        assert.deepEqual(await userGroups.diff(state, news), {
          replaces: [],
          deleteBeforeReplace: false,
          ...diff,
        });
        assert.equal(lines.length, line ? 1 : 0, lines.join());
        assert.match(lines.join(), line ?? /^$/);
        assert.equal(emulator.connections, 0);
      }),
    );

  it(
    "is an error for more deletions than the limit allows, those of a move included",
    inContext({ env }, async ({ userGroups }) => {
      for (const news of [
        { groups: { a: { name: "X" } }, deletionLimit: 1 },
        { ...args, connection: "eu", deletionLimit: 1 },
      ]) {
        await userGroups.check(news, args, "many");
        assert.equal((await failureOf(userGroups.diff(state, news))).code, "deletion-limit");
      }
    }),
  );

  it(
    "is an error for another address, and an update for one that has moved",
    inContext({ env: { ...env, USER_GROUPS_BASE_URL: two } }, async ({ environment, userGroups }) => {
      assert.equal((await failureOf(userGroups.diff(state, args))).code, "service-changed");
      environment["USER_GROUPS_FORMER_BASE_URL"] = one;
      assert.deepEqual(await userGroups.diff(state, args), {
        changes: true,
        replaces: [],
        deleteBeforeReplace: false,
      });
    }),
  );

  it(
    "has neither a line nor a limit without a program, as in a refresh",
    inContext({ env }, async ({ lines, userGroups }) => {
      await userGroups.diff(state, { groups: {}, deletionLimit: 0 });
      assert.deepEqual(lines, []);
    }),
  );
});
