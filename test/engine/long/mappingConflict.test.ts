import assert from "node:assert/strict";
import { errorOf, fails, newFixture, requestsTo, succeeds } from "../harness";
import { upIn, type Outcome } from "./mappings";

/** In each the engine creates the group's second resource before it deletes the first one. */
const operations = {
  replaced: "up --replace",
  tainted: "pulumi state taint",
  triggered: "replacementTrigger",
  linked: "replaceWith",
  renamed: "another resource name without an alias",
  reparented: "another parent",
  merged: "a move to new UserGroups",
  joined: "a move to existing UserGroups",
};

describe("a group that a second resource adopts with another mapping", () => {
  const fixture = newFixture(() => ({ program }));
  let outcomes: Readonly<Record<"original" | "first" | "next" | "resolved", Outcome>>;
  before(
    "an operation on each group, the same program again, and one that resolves the conflicts",
    async () => {
      const original = await upIn(fixture, "original");
      succeeds(original.up);
      const urns = (await fixture.stack.resources()).map(({ urn }) => urn);
      const tainted = urns.filter((urn) => urn.includes("::tainted-"));
      succeeds(await fixture.stack.run(["state", "taint", "--stack", "dev", "--yes", ...tainted]));
      const replaced = urns.filter((urn) => urn.includes("::replaced-")).flatMap((urn) => ["--replace", urn]);
      const first = await upIn(fixture, "changed", replaced);
      const next = await upIn(fixture, "changed");
      outcomes = { original, first, next, resolved: await upIn(fixture, "resolved") };
    },
  );

  for (const kind of ["UserGroup", "UserGroups"])
    for (const [operation, description] of Object.entries(operations)) {
      if (kind === "UserGroups" && description.startsWith("a move")) continue;
      describe(`because of ${description}: ${kind}`, () => {
        const id = (way: string) => `${operation}-${kind}-${way}`;

        for (const which of ["first", "next"] as const)
          it(`fails the ${which} up, which names group and mapping and deletes nothing`, () => {
            const { original, [which]: outcome } = outcomes;
            for (const each of [id("back"), id("keepers")]) {
              const difference = outcome.wrong.find((line) => line.startsWith(`"${each}"`)) ?? "";
              assert.notEqual(outcome.up.code, 0, `up succeeded with ${difference}`);
              const expected = new RegExp(`"${each}"[^]*mapping[^]*\\[mapping-conflict\\]`);
              assert.match(errorOf(fails(outcome.up), each), expected);
              assert.equal(outcome.tokens[each], original.tokens[each]);
            }
          });

        it("is resolved by setting the mapping back, or by changing keepers", () => {
          const { original, resolved } = outcomes;
          succeeds(resolved.up);
          assert.deepEqual(fixture.emulator.groups.get(id("back"))?.mapping, { sales: "one" });
          assert.deepEqual(fixture.emulator.groups.get(id("keepers"))?.mapping, { sales: "two" });
          assert.notEqual(resolved.tokens[id("keepers")], original.tokens[id("keepers")]);
        });

        it("keeps its token where the mapping is the same", () => {
          const { original, first, next, resolved } = outcomes;
          for (const { up, tokens } of [first, next, resolved]) {
            assert.equal(errorOf(up, id("same")), "");
            assert.equal(tokens[id("same")], original.tokens[id("same")]);
          }
          assert(!requestsTo(fixture.emulator, id("same")).some((line) => line.startsWith("DELETE")));
        });
      });
    }

  it("has the mapping of the state, and the token that the program exports, once up succeeds", async () => {
    const { up, tokens, wrong } = outcomes.resolved;
    succeeds(up);
    assert.deepEqual(wrong, []);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens });
  });
});

const program = `
  const { ComponentResource } = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const { PHASE: phase } = process.env;
  const isOriginal = phase === "original";
  exports.tokens = {};
  const one = (name, userGroupId, args, opts) => {
    const resource = new UserGroup(name, { userGroupId, ...args }, opts);
    exports.tokens[userGroupId] = resource.token;
    return resource;
  };
  const many = (name, userGroupId, args, opts, groups = {}) => {
    const resource = new UserGroups(name, { groups: { [userGroupId]: args, ...groups } }, opts);
    for (const each of [userGroupId, ...Object.keys(groups)]) exports.tokens[each] = resource.tokens[each];
  };

  for (const way of ["back", "keepers", "same"]) {
    const isChanged = way !== "same" && !isOriginal && !(way === "back" && phase === "resolved");
    const args = {
      name: "Tenant",
      mapping: { sales: isChanged ? "two" : "one" },
      ...(way === "keepers" && phase === "resolved" && { keepers: { rotation: "1" } }),
    };
    const parent = isOriginal ? undefined : new ComponentResource("tests:index:Parent", "parent-" + way);
    const replacementTrigger = isOriginal ? "1" : "2";
    const cause = one("cause-" + way, "cause-" + way, { name: "Tenant" }, { replacementTrigger });
    for (const [kind, declare] of Object.entries({ UserGroup: one, UserGroups: many })) {
      const id = (operation) => [operation, kind, way].join("-");
      declare(id("replaced"), id("replaced"), args);
      declare(id("tainted"), id("tainted"), args);
      declare(id("triggered"), id("triggered"), args, { replacementTrigger });
      declare(id("linked"), id("linked"), args, { replaceWith: [cause] });
      declare(id("renamed") + (isOriginal ? "" : "-since"), id("renamed"), args);
      declare(id("reparented"), id("reparented"), args, { parent });
    }
    const [merged, joined, home] = ["merged", "joined", "home"].map((each) => each + "-UserGroup-" + way);
    if (isOriginal) for (const each of [merged, joined]) one(each, each, args);
    else many(merged + "-since", merged, args);
    many(home, home, { name: "Home" }, {}, isOriginal ? {} : { [joined]: args });
  }
`;
