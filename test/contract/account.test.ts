/** Whether the API token leads to the account of the states. */
import assert from "node:assert/strict";
import type { Account } from "../../provider/src/testing";
import { many as groupsOf, tokensOf } from "../harness/providers";
import { both, bothInModel, declareEach, inModel, underOtherNames, type Declare } from "./contract";
import type { Run } from "./drivers";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const changed = { name: "New" };
const { t0, ...rest } = groupsOf(4);
const four = { t0: t0 ?? {}, ...rest };

type Operation = (context: StackContext, declare: Declare) => Promise<Run>;

const operations: Record<string, Operation> = {
  "a change": (context, declare) => context.up(declare({ ...four, t0: changed })),
  "a new group": (context, declare) => context.up(declare({ ...four, added: changed })),
  "a group that leaves": (context, declare) => context.up(declare(rest)),
  "a refresh": (context) => context.refresh(),
  "a destroy": (context) => context.destroy(),
};

/** Nothing changes in any state or account. */
async function isRefused(context: StackContext, declare: Declare, account: Account, operation: Operation) {
  const found = async () => [
    await Promise.all(Object.keys(four).map((id) => context.group(id))),
    ...[context.tokens(), tokensOf(account)],
  ];
  const before = await found();
  context.requests();
  const { errors } = fails(await operation(context, declare), /"t0[~"].*\[nothing-found\]/s);
  assert.match(errors, /pulumi state delete/);
  assert.deepEqual(await found(), before);
  const requests = context.requests();
  const reads = requests.filter((line) => line.startsWith("GET")).length;
  if ("groups" in ((await context.resources())[0]?.outputs ?? {})) assert.equal(reads, 3);
  const created = requests.filter((line) => line.endsWith("created")).length;
  assert.equal(requests.filter((line) => line.endsWith("deleted")).length, created);
}

describe("contract: the API token of another account", () => {
  for (const [what, operation] of Object.entries(operations))
    for (const theirs of [false, true])
      bothInModel(
        `stops ${what}, ${theirs ? "where each ID has another group" : "and leaves nothing there"}`,
        async (context, declare) => {
          await context.applies(declare(four));
          const account = context.enterOtherAccount();
          if (theirs)
            for (const userGroupId of [...Object.keys(four), "added"])
              account.putGroup({ userGroupId, name: "Theirs" });
          await isRefused(context, declare, account, operation);
          if (what !== "a new group") return;
          context.heal();
          await context.applies(declare({ ...four, added: changed }));
          assert.deepEqual(await context.tokenAndAdopted("added"), [context.token("added"), false]);
        },
      );

  for (const [what, shared, settings] of [
    ["a change with overlap", { overlap: true }, {}],
    ["an update in place", {}, { changes: "update" }],
  ] as const)
    bothInModel(
      `stops ${what}, and leaves nothing there`,
      { settings, existing: "update" },
      async (context, declare) => {
        await context.applies(declare(four, shared));
        const account = context.enterOtherAccount();
        await isRefused(context, declare, account, () =>
          context.up(declare({ ...four, t0: changed }, shared)),
        );
      },
    );

  both(
    "stops a refresh if every group is gone, and its message says how to go on",
    { engine: "release" },
    async (context, declare) => {
      await context.applies(declare(four));
      for (const userGroupId of Object.keys(four)) context.emulator.removeGroup(userGroupId);
      context.settings["apiToken"] = context.emulator.rotateApiToken();
      fails(await context.refresh(), /pulumi state delete.*\[nothing-found\]/s);
      for (const { name } of await context.resources()) await context.stack.forget(name);
      await context.applies(declare(four));
      assert.equal(context.emulator.groups.size, 4);
    },
  );

  inModel("creates a group declared before all states, and a warning names it", async (context) => {
    await context.applies(declareEach(four));
    const account = context.enterOtherAccount();
    warns(await context.up(declareEach({ added: changed, ...four })), /"added".*\[created-unchecked\]/s);
    assert.deepEqual([...account.groups.keys()], ["added"]);
  });
});

describe("contract: another API token of the same account", () => {
  bothInModel("costs one request", async (context, declare) => {
    await context.applies(declare(four));
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    context.requests();
    await context.applies(declare({ ...four, t0: changed }));
    const [proof = "", ...others] = context.requests();
    assert.match(proof, /^GET t\d returned$/);
    assert.deepEqual(others, ["DELETE t0 deleted", "GET t0 created"]);
  });

  // All groups of the old state are in use by the new one, so none is read.
  bothInModel("is proven by groups that another resource has got", async (context, declare) => {
    const overlap = { overlap: true };
    await context.applies(declare({ t0: four.t0 }, overlap));
    const former = await context.idOf("t0");
    await context.applies(declare({ t0: changed }, overlap));
    context.settings["apiToken"] = context.emulator.rotateApiToken();
    await context.applies(underOtherNames(declare({ t0: changed }, overlap)));
    assert.equal(context.token(former), undefined);
  });
});

describe("contract: the API token of the state needs no proof", () => {
  for (const [what, happens] of [
    ["is gone", (context: StackContext, id: string) => context.emulator.removeGroup(id)],
    ["has another token", (context: StackContext, id: string) => context.emulator.rotateToken(id)],
  ] as const)
    bothInModel(`if each group ${what}: refresh, up and destroy work`, async (context, declare) => {
      await context.applies(declare(four));
      for (const userGroupId of Object.keys(four)) happens(context, userGroupId);
      succeeds(await context.refresh());
      assert.deepEqual(await context.tokenAndAdopted("t3"), [context.token("t3"), what !== "is gone"]);
      assert(await context.isUpToDate(declare(four)));
      await context.applies(declare({ ...four, t0: changed }));
      for (const userGroupId of Object.keys(four)) context.emulator.removeGroup(userGroupId);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    });
});
