import assert from "node:assert/strict";
import { groupsOf } from "../model/groups";
import { acme, behavior, behaviorInModel, declareEach, declareMany, resource } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

const tenant = { name: "Tenant" };

/** Each state has the mapping that the service has. */
async function assertMappingsAreTrue(context: StackContext): Promise<void> {
  const groups = (await context.resources()).flatMap(groupsOf);
  for (const { userGroupId, mapping } of groups)
    assert.deepEqual(mapping, context.emulator.groups.get(userGroupId)?.mapping, userGroupId);
}

describe("contract: a group of another resource", () => {
  for (const isAdopted of [false, true])
    for (const [what, change, isMoved] of [
      ["the same values", { dataSourceProvidedId: "tab" }, true],
      ["another name", { name: "New" }, false],
      ["another mapping", { mapping: { sales: "two" } }, false],
      ["no properties", { properties: {} }, false],
      ["other keepers", { keepers: { month: "2" } }, false],
    ] as const)
      behaviorInModel(
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
          if (!isMoved) assert.match(errors, /user group "acme".*\[mapping-conflict\]/s);
          assert(!context.requests().some((line) => line.startsWith("DELETE acme")));
          assert.deepEqual(await context.tokenAndAdopted("acme"), former);
        },
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

  const one = resource("one", "userGroup", { userGroupId: "acme", ...acme });
  const changed = { ...acme, mapping: { sales: "two" } };
  const pair = (first: string, second: string) => [
    resource("one", "userGroup", { userGroupId: first, ...tenant, mapping: { s: 1 } }),
    resource("two", "userGroup", { userGroupId: second, ...tenant, mapping: { s: 2 } }),
  ];

  /** What conflicts: the former program, and one that fails. */
  const conflicts = {
    "a rename": [[one], [resource("two", "userGroup", { userGroupId: "acme", ...changed })]],
    "a move into UserGroups": [[one], declareMany({ acme: changed })],
    "a move out of UserGroups": [
      declareMany({ acme, t0: tenant }),
      [...declareEach({ acme: changed }), ...declareMany({ t0: tenant })],
    ],
    "a swap": [pair("a", "b"), pair("b", "a")],
  } as const;

  const services = {
    "replaces the token in each get-or-create": { existingToken: "replace" },
    "adds a token in each get-or-create": { existingToken: "add" },
    "updates groups": { existing: "update" },
  } as const;
  const apart = declareEach({ apart: tenant });

  for (const [what, [before, after]] of Object.entries(conflicts))
    for (const [does, service] of Object.entries(services))
      behaviorInModel(
        `is refused in ${what} with another mapping by a service that ${does}, and a refresh restores it`,
        async (context) => {
          await context.applies([...before, ...apart]);
          context.requests();
          const { errors } = await context.up([...after, ...apart]);
          assert.match(errors, /\[mapping-conflict\]/);
          const requests = context.requests().join("\n");
          assert.doesNotMatch(requests, /deleted/);
          if (requests.includes("updated")) assert.match(errors, /updates existing groups.*pulumi refresh/s);
          succeeds(await context.refresh());
          await context.applies([...before, ...apart]);
          assert.equal((await context.resources()).length, before.length + 1);
          await assertMappingsAreTrue(context);
        },
        service,
      );

  const slow = { secondsBetween: 1.5 };

  for (const [existing, isRefreshed] of [
    ["keep", true],
    ["update", false],
  ] as const)
    behaviorInModel(
      `has its mapping again in a slow program that swaps and is restored ${isRefreshed ? "after" : "without"} a refresh, if the service ${existing}s groups`,
      async (context) => {
        const before = pair("a", "b");
        const after = pair("b", "a");
        await context.applies(before, slow);
        for (let runs = 0; runs < 2; runs += 1) fails(await context.up(after, slow), /\[mapping-conflict\]/);
        if (isRefreshed) succeeds(await context.refresh());
        for (let runs = 0; runs < 2; runs += 1) await context.up(before, slow);
        await context.applies(before, slow);
        assert.equal((await context.resources()).length, 2);
        await assertMappingsAreTrue(context);
      },
      { existing },
    );

  behaviorInModel(
    "isn't taken over with another mapping in a slow program, also if retainOnDelete skips its deletion",
    async (context) => {
      const retained = (program: ReturnType<typeof pair>) =>
        program.map((declared) => ({ ...declared, retainOnDelete: true }));
      await context.applies(retained(pair("a", "b")), slow);
      const { errors } = await context.up(retained(pair("b", "c")), slow);
      assert.match(errors, /user group "b".*resource "one".*\[mapping-conflict\]/s);
      assert.deepEqual(await context.tokenAndAdopted("c"), [undefined, undefined]);
    },
  );

  behavior(
    "moves in a slow program with adopt: false",
    async (context) => {
      const options = { secondsBetween: 1.5, continuesOnError: true };
      const giver = (groups: object) => resource("giver", "userGroups", { groups });
      const taker = (groups: object) => resource("taker", "userGroups", { groups, adopt: false });
      await context.applies([taker({}), giver({ acme, t0: tenant })], options);
      const token = context.token("acme");
      const program = [taker({ acme }), giver({ t0: tenant })];
      for (let runs = 0; runs < 2 && !(await context.isUpToDate(program)); runs += 1)
        await context.up(program, options);
      await context.applies(program, options);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      assert(await context.isUpToDate(program));
    },
    { engine: "release" },
  );

  const early =
    /^user group "t0": another resource of this program removes it in the same update\. .*new token\. .*dependsOn.*"retain"\. \[removed-elsewhere\]$/m;
  for (const [what, isFirst, shared, isKept] of [
    ["keeps its token if the other resource declares it before", true, {}, true],
    ["gets a new token if the other resource declares it after, with a warning", false, {}, false],
    ["keeps its token with removed: retain", false, { removed: "retain" }, true],
  ] as const)
    behaviorInModel(`in UserGroups ${what}`, async (context) => {
      await context.applies(declareMany({ t0: tenant, t1: tenant }));
      const token = context.token("t0");
      const parts = [declareEach({ t0: tenant }), declareMany({ t1: tenant }, shared)];
      const { warnings } = await context.applies((isFirst ? parts : parts.reverse()).flat());
      assert.equal((await context.group("t0"))?.token, context.token("t0"));
      assert.equal(context.token("t0") === token, isKept);
      assert.equal(early.test(warnings.join("\n")), !isKept);
      assert.equal(/is kept with its token.*\[kept\]/.test(warnings.join("\n")), isFirst);
    });
});
