/** Whether the API token leads to the account of the states. */
import assert from "node:assert/strict";
import { numbered, tokensOf } from "../support/harness/providers";
import { changedField } from "../support/harness/responseFaults";
import { acme, behavior, beta, both, inModel, many, remapped, single } from "./contract";
import { underOtherNames, type Declare } from "./contract";
import type { Run } from "./drivers";
import { fails, succeeds, type StackContext } from "./stackContext";

const changed = { name: "New" };
const { t0 = {}, ...rest } = numbered(4);
const four = { t0, ...rest };

const operations: Record<string, (context: StackContext, declare: Declare) => Promise<Run>> = {
  "a change": (context, declare) => context.up(declare({ ...four, t0: changed })),
  "a new group": (context, declare) => context.up(declare({ ...four, added: changed })),
  "a group that leaves": (context, declare) => context.up(declare(rest)),
  "a refresh": (context) => context.refresh(),
  "a destroy": (context) => context.destroy(),
};

describe("contract: the API token of another account", () => {
  for (const [what, operation] of Object.entries(operations))
    for (const theirs of [[], [...Object.keys(four), "added"]])
      both(
        `stops ${what}, and changes neither the state nor an account with ${theirs.length} groups`,
        { engine: what === "a refresh" ? "release" : "never" },
        async (context, declare) => {
          await context.applies(declare(four));
          const account = context.enterOtherAccount();
          for (const userGroupId of theirs) account.putGroup({ userGroupId, name: "Theirs" });
          const found = async () => [
            await Promise.all(Object.keys(four).map((userGroupId) => context.group(userGroupId))),
            context.tokens(),
            tokensOf(account),
          ];
          const before = await found();
          context.requests();
          fails(await operation(context, declare), /"t\d[~"].*pulumi state delete.*\[nothing-found\]/s);
          assert.deepEqual(await found(), before);
          const [first] = await context.resources();
          const reads = context.requests().filter((line) => line.startsWith("GET"));
          if (first?.provider === "userGroups") assert.equal(reads.length, 3);
        },
      );

  both(
    "gets the state's values for one group at most, with changes: update",
    { ...inModel, existing: "update", settings: { changes: "update" } },
    async (context, declare) => {
      await context.applies(declare(four));
      const account = context.enterOtherAccount();
      for (const userGroupId of Object.keys(four)) account.putGroup({ userGroupId, name: "Theirs" });
      context.requests();
      const run = await context.up(declare({ ...four, t0: changed }));
      const { errors } = fails(run, /"t\d" may have/, /pulumi refresh/, /\[nothing-found\]/);
      assert.doesNotMatch(errors, /Nothing was .*left there/);
      assert.equal(context.requests().length, 1);
      assert.equal([...account.groups.values()].filter(({ name }) => name !== "Theirs").length, 1);
    },
  );

  behavior("is named with what a read has left there, if the next read fails", inModel, async (context) => {
    await context.applies([many("tenants", four)]);
    const account = context.enterOtherAccount();
    // The first read creates a group. Then the service refuses all.
    context.emulator.fault({ kind: "refuse", skip: 1, times: Infinity });
    const { errors } = fails(
      await context.up([many("tenants", { ...four, t0: changed })]),
      /\[service-refused\]/,
    );
    const left = [...account.groups.keys()];
    assert.equal(left.length, 1);
    assert(errors.includes(`may have created user group "${left[0]}"`), errors);
  });

  behavior("isn't proven by a group that another resource got instead", inModel, async (context) => {
    await context.applies([single("one", acme)]);
    const account = context.enterOtherAccount();
    account.putGroup({ userGroupId: "acme", ...acme });
    context.requests();
    const moved = single("one", { ...acme, userGroupId: "beta" }, { dependsOn: ["two"] });
    fails(await context.up([single("two", acme), moved]), /\[nothing-found\]/);
    assert.deepEqual(context.requests(), ["GET acme returned"]);
    assert.deepEqual([...account.groups.keys()], ["acme"]);
  });
});

describe("contract: another API token of the same account", () => {
  both("costs one request", inModel, async (context, declare) => {
    await context.applies(declare(four));
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    context.requests();
    await context.applies(declare({ ...four, t0: changed }));
    const [proof = "", ...others] = context.requests();
    assert.match(proof, /^GET t\d returned$/);
    assert.deepEqual(others, ["DELETE t0 deleted", "GET t0 created"]);
  });

  // All groups of the old state are in use by the new one, so none is read.
  both("is proven by groups that another resource has got", inModel, async (context, declare) => {
    const overlap = { overlap: true, overlapHours: 0 };
    await context.applies(declare({ t0 }, overlap));
    const former = await context.idOf("t0");
    const program = declare({ t0: changed }, overlap);
    await context.applies(program);
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    await context.applies(underOtherNames(program));
    assert.equal(context.token(former), undefined);
  });

  behavior("is proven by a group that another resource has deleted", inModel, async (context) => {
    await context.applies([many("tenants", { acme })]);
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    // The group of "acme" is deleted by "tenants" before "one" declares it, so its token is known for a deleted group.
    const program = [many("tenants", { acme: remapped }), single("one", { userGroupId: "beta", ...beta })];
    await context.applies(program);
    assert.deepEqual([...context.emulator.groups.keys()].sort(), ["acme", "beta"]);
  });

  behavior("is proven also if the service says new with the state's token", inModel, async (context) => {
    await context.applies([single("one", acme)]);
    const token = context.token("acme");
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    const isNew = changedField("new_user_group", true);
    context.emulator.fault({ ...isNew, method: "GET", userGroupId: "acme" });
    context.requests();
    await context.applies([single("one", acme), single("two", { userGroupId: "beta", ...beta })]);
    assert.deepEqual(context.requests(), ["GET acme returned", "GET beta created"]);
    assert.equal(context.token("acme"), token);
  });
});

describe("contract: the API token of the state", () => {
  both("needs no proof, even if all groups are gone", inModel, async (context, declare) => {
    await context.applies(declare(four));
    const removeAll = () => {
      for (const userGroupId of Object.keys(four)) context.emulator.removeGroup(userGroupId);
    };
    removeAll();
    succeeds(await context.refresh());
    assert.equal(context.emulator.groups.size, 4);
    removeAll();
    await context.applies(declare({ ...four, t0: changed }));
    removeAll();
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });
});
