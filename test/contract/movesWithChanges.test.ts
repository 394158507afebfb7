import assert from "node:assert/strict";
import { acme, behavior, declareEach, declareMany, resource } from "./contract";
import { fails } from "./stackContext";

const tenant = { name: "Tenant" };
const notOnEngine = { drivers: ["provider", "plugin"] } as const;

describe("contract: a group of another resource", () => {
  for (const isAdopted of [false, true])
    for (const [what, change, isMoved] of [
      ["the same values", { dataSourceProvidedId: "tab" }, true],
      ["another name", { name: "New" }, false],
      ["another mapping", { mapping: { sales: "two" } }, false],
      ["no properties", { properties: {} }, false],
      ["other keepers", { keepers: { month: "2" } }, false],
    ] as const)
      behavior(
        `${isAdopted ? "that adopted it " : ""}is ${isMoved ? "taken over with its token" : "refused, and nothing is lost,"} with ${what}`,
        async (context) => {
          const group = { userGroupId: "acme", ...acme };
          if (isAdopted) context.emulator.putGroup(group);
          await context.applies([resource("one", "userGroup", group)]);
          const former = [context.token("acme"), isAdopted];
          context.requests();
          const { errors } = await context.up([
            resource("one", "userGroup", { userGroupId: "other", name: "Other" }),
            resource("two", "userGroup", { ...group, ...change }),
          ]);
          assert.equal(errors === "", isMoved, errors);
          if (!isMoved) assert.match(errors, /Nothing was deleted or recorded\. .*\[mapping-conflict\]/);
          assert(!context.requests().some((line) => line.startsWith("DELETE acme")));
          assert.deepEqual(await context.tokenAndAdopted("acme"), former);
        },
        notOnEngine,
      );

  behavior(
    "isn't deleted for two resources that swap their IDs, so the former program loses nothing",
    async (context) => {
      const before = declareEach({
        a: { ...tenant, mapping: { s: 1 } },
        b: { ...tenant, mapping: { s: 2 } },
      });
      await context.applies(before);
      const tokens = context.tokens();
      const swapped = [
        resource("a", "userGroup", { ...tenant, userGroupId: "b", mapping: { s: 1 } }),
        resource("b", "userGroup", { ...tenant, userGroupId: "a", mapping: { s: 2 } }),
      ];
      fails(await context.up(swapped), /\[mapping-conflict\]/);
      await context.applies(before);
      assert.deepEqual(context.tokens(), tokens);
      assert.equal((await context.resources()).length, 2);
    },
  );

  const early =
    /^user group "t0": another resource of this program removes it in the same update\. .*new token\. .*dependsOn.*"retain"\.$/m;
  for (const [what, isFirst, shared, isKept] of [
    ["keeps its token if the other resource declares it before", true, {}, true],
    ["gets a new token if the other resource declares it after, with a warning", false, {}, false],
    ["keeps its token with removed: retain", false, { removed: "retain" }, true],
  ] as const)
    behavior(
      `in UserGroups ${what}`,
      async (context) => {
        await context.applies(declareMany({ t0: tenant, t1: tenant }));
        const token = context.token("t0");
        const parts = [declareEach({ t0: tenant }), declareMany({ t1: tenant }, shared)];
        const { warnings } = await context.applies((isFirst ? parts : parts.reverse()).flat());
        assert.equal((await context.group("t0"))?.token, context.token("t0"));
        assert.equal(context.token("t0") === token, isKept);
        assert.equal(early.test(warnings.join("\n")), !isKept);
        assert.equal(/is kept with its token.*\[kept\]/.test(warnings.join("\n")), isFirst);
      },
      notOnEngine,
    );
});
