import assert from "node:assert/strict";
import { fails, newFixture, succeeds } from "../harness";
import { upIn, type Outcome } from "./mappings";

/** In these the order of creations and deletions decides whether the provider knows the old mapping in time. */
describe("groups that resources of one program exchange, with other mappings", () => {
  const fixture = newFixture(() => ({ program }));
  let outcomes: Readonly<Record<"first" | "next" | "rotated", Outcome>>;
  before("the exchange, the same program again, and changed keepers", async () => {
    succeeds((await upIn(fixture, "original")).up);
    const [first, next] = [await upIn(fixture, "changed"), await upIn(fixture, "changed")];
    // Long enough for one resource to give a group up while another one is still recreating it.
    fixture.emulator.configure({ latency: 300 });
    const rotated = await upIn(fixture, "rotated");
    // The engine decides on the order. A resource that gives up a group first, with a stale token, fails.
    const isRefused = rotated.up.code !== 0;
    if (isRefused)
      fails(rotated.up, /Cannot delete user group "(left|crossed)-early": [^]*\[service-refused\]/);
    outcomes = { first, next, rotated: isRefused ? await upIn(fixture, "ordered") : rotated };
  });

  for (const { how, ids } of [
    { how: "two UserGroup that swap their IDs", ids: ["swapped-a", "swapped-b"] },
    { how: "UserGroups, and a UserGroup declared before them", ids: ["left-early"] },
    { how: "UserGroups, and a UserGroup declared after them", ids: ["left-next"] },
    { how: "UserGroups, and a UserGroup that depends on them", ids: ["left-late"] },
    { how: "UserGroups, and others declared before them", ids: ["crossed-early"] },
    { how: "UserGroups, and others that depend on them", ids: ["crossed-late"] },
  ])
    it(`have the mappings of the state, or up fails and names them: ${how}`, () => {
      for (const { up, wrong } of [outcomes.first, outcomes.next])
        for (const id of ids)
          for (const difference of wrong.filter((line) => line.startsWith(`"${id}"`))) {
            assert.notEqual(up.code, 0, `up succeeded with ${difference}`);
            fails(up, new RegExp(`"${id}"[^]*mapping[^]*\\[mapping-conflict\\]`));
          }
    });

  it("have the mappings of the program, and new tokens, once keepers change", async () => {
    const { up, tokens, wrong } = outcomes.rotated;
    succeeds(up);
    assert.deepEqual(wrong, []);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens });
  });
});

/** The mapping belongs to the resource, whichever group it has. */
const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const { PHASE: phase } = process.env;
  const isOriginal = phase === "original";
  exports.tokens = {};
  const argsOf = (sales) => ({
    name: "Tenant",
    mapping: { sales },
    ...((phase === "rotated" || phase === "ordered") && { keepers: { rotation: "1" } }),
  });
  const one = (name, userGroupId, sales, opts) => {
    const group = new UserGroup(name, { userGroupId, ...argsOf(sales) }, opts);
    exports.tokens[userGroupId] = group.token;
    return group;
  };
  const after = (...resources) => (phase === "ordered" ? { dependsOn: resources } : {});
  const many = (name, ids, sales, opts) => {
    const groups = Object.fromEntries(ids.map((id) => [id, argsOf(sales)]));
    const resource = new UserGroups(name, { groups }, opts);
    for (const id of ids) exports.tokens[id] = resource.tokens[id];
    return resource;
  };

  one("first", isOriginal ? "swapped-a" : "swapped-b", "one");
  one("second", isOriginal ? "swapped-b" : "swapped-a", "two");

  const early = isOriginal ? [] : [one("early", "left-early", "two")];
  const left = many("left", ["stays", ...(isOriginal ? ["left-early", "left-next", "left-late"] : [])], "one", after(...early));
  if (!isOriginal) one("next", "left-next", "two");
  if (!isOriginal) one("late", "left-late", "two", { dependsOn: left });

  const before = many("before", ["before", ...(isOriginal ? [] : ["crossed-early"])], "two");
  const crossed = many("crossed", ["crossed", ...(isOriginal ? ["crossed-early", "crossed-late"] : [])], "one", after(before));
  many("after", ["after", ...(isOriginal ? [] : ["crossed-late"])], "two", { dependsOn: crossed });
`;
