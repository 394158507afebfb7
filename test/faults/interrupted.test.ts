import assert from "node:assert/strict";
import { inContext, type Context } from "../harness/context";
import { fromProgram, type Declared } from "../model/resources";
import type { Kill } from "../model/run";
import { assertEqualToService } from "./assertions";

describe("an update that doesn't come to its end", () => {
  for (const { of, former, later } of [
    { of: "a resource with another name", former: [one("old")], later: [one("new")] },
    { of: "UserGroups instead of a UserGroup", former: [one("old")], later: [many("acme")] },
    { of: "a UserGroup instead of UserGroups", former: [many("acme")], later: [one("new")] },
    { of: "another UserGroups", former: [many("acme"), many("beta", "rest")], later: [many("acme", "rest")] },
  ]) {
    it(`leaves its deletions to the next one, which keeps a group that ${of} has taken over`, () =>
      inContext({}, async (context) => {
        const token = await created(context, former);
        context.emulator.fault({ kind: "refuse", userGroupId: "refused" });
        assert.equal((await context.engine.up([...later, one("last", "refused")])).failures.length, 1);
        await settles(context, [...later, one("last", "refused")]);
        assert.equal(context.emulator.groups.get("acme")?.token, token);
      }));
  }

  it("leaves to the next one the deletion of a group that it has come back to, which is kept", () =>
    inContext({}, async (context) => {
      const token = await created(context, [one("tenant")]);
      context.emulator.fault({ kind: "refuse", method: "DELETE" });
      assert.equal((await context.engine.up([one("tenant", "acme-2")])).failures.length, 1);
      const back = [one("tenant"), one("last", "refused")];
      context.emulator.fault({ kind: "refuse", userGroupId: "refused" });
      assert.equal((await context.engine.up(back)).failures.length, 1);
      await settles(context, back);
      assert.equal(context.emulator.groups.get("acme")?.token, token);
    }));

  it("lets the next one replace again, whatever token the group has got", () =>
    inContext({}, async (context) => {
      await created(context, [one("tenant")]);
      const kill: Kill = { hasHappened: false, loses: "the run" };
      const before = (operation: string) => void (kill.hasHappened = operation === "create");
      const renamed = [one("tenant", "acme", "Acme Ltd")];
      assert((await context.engine.up(renamed, { kill, before })).wasKilled);
      await settles(context, renamed);
    }));

  it("deletes no group that a resource was to take over and couldn't", () =>
    inContext({}, async (context) => {
      const token = await created(context, [one("old")]);
      context.emulator.fault({ kind: "refuse", method: "GET" });
      const { failures } = await context.engine.up([one("new")], { continuesOnError: true });
      assert.deepEqual(
        failures.map(({ operation }) => operation),
        ["create", "delete"],
      );
      await settles(context, [one("new")]);
      assert.equal(context.emulator.groups.get("acme")?.token, token);
    }));

  it("says what it kept", () =>
    inContext({}, async (context) => {
      await created(context, [one("old")]);
      await settles(context, [one("new")]);
      assert.match(context.printed.join("\n"), /Groups are kept .*other resources.*"acme"/);
    }));
});

describe("a replacement that the engine decides on", () => {
  it("deletes the group, though diff would have kept it", () =>
    inContext({}, async (context) => {
      const inputs = fromProgram(one("tenant"));
      await context.engine.up([one("tenant")]);
      const outputs = context.engine.resources[0]?.outputs;
      const { userGroup } = context.startProviders();
      await userGroup.check(inputs, inputs);
      await userGroup.diff("acme", outputs, inputs);
      await userGroup.check({}, inputs);
      await userGroup.delete("acme", outputs);
      assert.equal(context.emulator.groups.size, 0);
    }));
});

describe("a refresh before a deletion", () => {
  it("keeps no group from being deleted", () =>
    inContext({}, async (context) => {
      await created(context, [one("tenant"), many("beta")]);
      assert.deepEqual((await context.engine.destroy({ isRefreshing: true })).failures, []);
      assert.equal(context.emulator.groups.size, 0);
    }));
});

function one(name: string, userGroupId = "acme", groupName = "Acme"): Declared {
  return { name, provider: "userGroup", args: { userGroupId, name: groupName } };
}

function many(userGroupId: string, name = "tenants"): Declared {
  return { name, provider: "userGroups", args: { groups: { [userGroupId]: { name: "Acme" } } } };
}

/** The token that the group "acme" has got. */
async function created(
  { engine, emulator }: Context,
  program: readonly Declared[],
): Promise<string | undefined> {
  assert.deepEqual((await engine.up(program)).failures, []);
  return emulator.groups.get("acme")?.token;
}

/** The next `up` makes service and state equal, and one more does nothing. */
async function settles(context: Context, program: readonly Declared[]): Promise<void> {
  assert.deepEqual((await context.engine.up(program)).failures, []);
  assertEqualToService(context);
  assert.deepEqual((await context.engine.up(program)).steps, []);
}
