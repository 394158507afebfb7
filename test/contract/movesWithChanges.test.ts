import assert from "node:assert/strict";
import { acme, behavior, declareEach, declareMany, resource } from "./contract";

const tenant = { name: "Tenant" };
const notOnEngine = { drivers: ["provider", "plugin"] } as const;

describe("contract: a group of another resource", () => {
  for (const [what, change, isKept] of [
    ["the same values", { dataSourceProvidedId: "tab" }, true],
    ["another name", { name: "New" }, false],
    ["another mapping", { mapping: { sales: "two" } }, false],
    ["no properties", { properties: {} }, false],
    ["other keepers", { keepers: { month: "2" } }, false],
  ] as const)
    behavior(
      `is ${isKept ? "taken over with its token" : "deleted and created again, with a warning,"} with ${what}`,
      async (context) => {
        const group = { userGroupId: "acme", ...acme };
        await context.applies([resource("one", "userGroup", group)]);
        const former = context.token("acme");
        context.requests();
        const { warnings } = await context.applies([
          resource("one", "userGroup", { userGroupId: "other", name: "Other" }),
          resource("two", "userGroup", { ...group, ...change }),
        ]);
        const again = isKept ? [] : ["DELETE acme deleted", "GET acme created"];
        assert.deepEqual(context.requests(), ["GET other created", "GET acme returned", ...again]);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
        assert.equal(context.token("acme") === former, isKept);
        const recreated =
          "Groups existed, and this stack's state has other values for them. They were deleted and created";
        assert.equal(warnings.join("\n").includes(recreated), !isKept);
      },
      notOnEngine,
    );

  const early =
    /^Another resource of this program removes groups in the same update\. .*new tokens\. .*dependsOn.*"retain": user group "t0"\.$/m;
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
        assert.equal(warnings.join("\n").includes("Groups are kept with their tokens"), isFirst);
      },
      notOnEngine,
    );

  for (const isFirst of [true, false])
    behavior(
      `is announced with other values if it is declared ${isFirst ? "before" : "after"} the former resource`,
      async (context) => {
        await context.applies(declareMany({ t0: tenant, t1: tenant }));
        const parts = [declareEach({ t0: { ...tenant, mapping: { a: 1 } } }), declareMany({ t1: tenant })];
        const { warnings } = await context.preview((isFirst ? parts : parts.reverse()).flat());
        const moved =
          "Groups move to another resource of this program with another name, mapping or properties.";
        assert.equal(warnings.filter((line) => line.startsWith(moved)).length, 1, warnings.join("\n"));
      },
      notOnEngine,
    );
});
