import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { userGroup } from "../../../provider/src/provider";
import { currentRun, findRunBy, isForecast, Run } from "../../../provider/src/provider/claims";
import { inWorld, type World } from "../world";
import { acme, configure, create, remove } from "./oneGroup";

const kept = /^warning: user group "acme" is kept, with its token: another resource /;

describe("claims: in one run", () => {
  it(
    "a group goes over to a resource of another name, with its token",
    inRun(async ({ emulator, warnings }) => {
      const { token } = emulator.putGroup(acme);
      await userGroup.check({}, acme);
      assert.equal((await create(acme))["token"], token);
      await remove({ ...acme, token, adopted: false });
      assert.equal(emulator.groups.get("acme")?.token, token);
      assert.deepEqual(
        emulator.requests.map(({ method }) => method),
        ["GET"],
      );
      assert.match(warnings.at(-1) ?? "", kept);
    }),
  );

  it(
    "a group that went over in an earlier run, which didn't come to the deletion, stays",
    inRun(async ({ emulator, warnings }) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: true };
      await userGroup.check(acme, acme);
      await userGroup.diff("acme", recorded, acme);
      await remove(recorded);
      assert.equal(emulator.groups.size, 1);
      assert.equal(emulator.connections, 0);
      assert.match(warnings.at(-1) ?? "", kept);
    }),
  );

  it(
    "a group that is replaced is deleted",
    inRun(async ({ emulator }) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      const args = { ...acme, name: "Acme Ltd" };
      await userGroup.check(acme, args);
      await userGroup.diff("acme", recorded, args);
      await remove(recorded);
      assert.equal(emulator.groups.size, 0);
      await userGroup.check({}, args);
      assert.equal((await create(args))["adopted"], false);
    }),
  );

  it(
    "a group that is replaced on demand, where nothing changed, is deleted",
    inRun(async ({ emulator }) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      await userGroup.check(acme, acme);
      await userGroup.diff("acme", recorded, acme);
      await userGroup.check({}, acme);
      await remove(recorded);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "a group that only a refresh compared is deleted",
    inRun(async ({ emulator }) => {
      const recorded = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
      await userGroup.diff("acme", recorded, acme);
      await remove(recorded);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "other groups, and the same ID in another service, are deleted",
    inRun(async ({ emulator }) =>
      inWorld({}, async ({ emulator: other }) => {
        const ours = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
        const globex = { userGroupId: "globex", name: "Globex" };
        const { token } = other.putGroup(globex);
        await create(acme);
        await remove({ ...globex, token, adopted: false });
        process.env["USER_GROUPS_BASE_URL"] = emulator.baseUrl;
        process.env["USER_GROUPS_API_TOKEN"] = emulator.apiToken;
        await remove(ours);
        assert.deepEqual([emulator.groups.size, [...other.groups.keys()]], [0, ["acme"]]);
      })(),
    ),
  );
});

describe("claims: a refresh", () => {
  it(
    "forecasts nothing of what it finds",
    inRun(async ({ warnings }) => {
      assert.equal(isForecast(), false);
      const recorded = { ...acme, token: "t0ken", adopted: false };
      const { replaces } = await userGroup.diff("acme", recorded, { ...acme, name: "B" });
      assert.deepEqual([replaces, warnings], [["name"], []]);
      await userGroup.check(acme, acme);
      assert.equal(isForecast(), true);
      await userGroup.diff("acme", recorded, { ...acme, name: "B" });
      assert.equal(warnings.length, 1);
    }),
  );
});

describe("claims: across runs", () => {
  it(
    "nothing is kept from one to the next",
    inWorld({}, async ({ emulator }) => {
      for (const run of [new Run(), new Run()]) {
        findRunBy(() => run);
        if (emulator.groups.size === 0) await create(acme);
        else await remove({ ...acme, token: emulator.groups.get("acme")?.token ?? "", adopted: false });
      }
      findRunBy(() => undefined);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it("a process that isn't the engine's has none, so that a test of many runs loses no deletion", () => {
    assert.equal(currentRun(), undefined);
    assert.equal(isForecast(), true);
  });

  it("the engine's process of dynamic providers is one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "user-groups-run-"));
    try {
      const main = join(folder, "dynamic-provider", "index.js");
      const claims = resolve(__dirname, "../../../provider/src/provider/claims");
      await mkdir(join(folder, "dynamic-provider"));
      await writeFile(main, `console.log(typeof require(${JSON.stringify(claims)}).currentRun())`);
      const args = ["--require", "ts-node/register", main];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: resolve(__dirname, "../../.."),
      });
      assert.equal(stdout, "object\n");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Runs a test as one run of the engine. */
function inRun(test: (world: World) => Promise<void>): () => Promise<void> {
  return inWorld({}, async (world) => {
    const run = new Run();
    findRunBy(() => run);
    try {
      await configure();
      await test(world);
    } finally {
      findRunBy(() => undefined);
    }
  });
}
