import assert from "node:assert/strict";
import { userGroup } from "../../provider/src/provider";
import { assertEqualToService } from "./judgement";
import type { Declared } from "./model/records";
import { inRun, type Death } from "./model/run";
import { inPlace, type Place } from "./place";
import { playScenes } from "./scene";

describe("an update that doesn't come to its end", () => {
  playScenes();

  for (const { of, former, later } of [
    { of: "a resource with another name", former: [one("old")], later: [one("new")] },
    { of: "UserGroups instead of a UserGroup", former: [one("old")], later: [many("acme")] },
    { of: "a UserGroup instead of UserGroups", former: [many("acme")], later: [one("new")] },
    { of: "another UserGroups", former: [many("acme"), many("beta", "rest")], later: [many("acme", "rest")] },
  ]) {
    it(`leaves its deletions to the next one, which keeps a group that ${of} has taken over`, () =>
      inPlace({}, async (place) => {
        const token = await created(place, former);
        place.emulator.fault({ kind: "refuse", userGroupId: "refused" });
        assert.equal((await place.engine.up([...later, one("last", "refused")])).failures.length, 1);
        await settles(place, [...later, one("last", "refused")]);
        assert.equal(place.emulator.groups.get("acme")?.token, token);
      }));
  }

  it("leaves to the next one the deletion of a group that it has come back to, which is kept", () =>
    inPlace({}, async (place) => {
      const token = await created(place, [one("tenant")]);
      place.emulator.fault({ kind: "refuse", method: "DELETE" });
      assert.equal((await place.engine.up([one("tenant", "acme-2")])).failures.length, 1);
      const back = [one("tenant"), one("last", "refused")];
      place.emulator.fault({ kind: "refuse", userGroupId: "refused" });
      assert.equal((await place.engine.up(back)).failures.length, 1);
      await settles(place, back);
      assert.equal(place.emulator.groups.get("acme")?.token, token);
    }));

  it("lets the next one replace again, whatever token the group has got", () =>
    inPlace({}, async (place) => {
      await created(place, [one("tenant")]);
      const death: Death = { hasCome: false, forgets: "the run" };
      const before = (operation: string) => void (death.hasCome = operation === "create");
      const renamed = [one("tenant", "acme", "Acme Ltd")];
      assert((await place.engine.up(renamed, { death, before })).wasKilled);
      await settles(place, renamed);
    }));

  it("deletes no group that a resource was to take over and couldn't", () =>
    inPlace({}, async (place) => {
      const token = await created(place, [one("old")]);
      place.emulator.fault({ kind: "refuse", method: "GET" });
      assert.equal((await place.engine.up([one("new")], { continuesOnError: true })).failures.length, 1);
      await settles(place, [one("new")]);
      assert.equal(place.emulator.groups.get("acme")?.token, token);
    }));

  it("says what it kept", () =>
    inPlace({}, async (place) => {
      await created(place, [one("old"), one("new")]);
      await settles(place, [one("new")]);
      assert.match(place.scene.printed.join(""), /user group "acme" is kept, .*another resource/);
    }));
});

describe("a replacement that the engine decides on", () => {
  playScenes();

  it("deletes the group, though diff would have kept it", () =>
    inPlace({}, async ({ emulator }) => {
      const args = { userGroupId: "acme", name: "Acme" };
      const { outs } = await userGroup.create(args);
      await inRun(async () => {
        await userGroup.check(args, args);
        await userGroup.diff("acme", outs, args);
        await userGroup.check({}, args);
        await userGroup.delete("acme", outs);
      });
      assert.equal(emulator.groups.size, 0);
    }));
});

describe("a refresh before a deletion", () => {
  playScenes();

  it("keeps no group from being deleted", () =>
    inPlace({}, async (place) => {
      await created(place, [one("tenant"), many("beta")]);
      assert.deepEqual((await place.engine.destroy({ isRefreshing: true })).failures, []);
      assert.equal(place.emulator.groups.size, 0);
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
  { engine, emulator }: Place,
  program: readonly Declared[],
): Promise<string | undefined> {
  assert.deepEqual((await engine.up(program)).failures, []);
  return emulator.groups.get("acme")?.token;
}

/** The next `up` makes service and state equal, and one more does nothing. */
async function settles(place: Place, program: readonly Declared[]): Promise<void> {
  assert.deepEqual((await place.engine.up(program)).failures, []);
  assertEqualToService(place);
  assert.deepEqual((await place.engine.up(program)).steps, []);
}
