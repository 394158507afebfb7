import assert from "node:assert/strict";
import { newWorld, requestsTo, succeeds, tokensOf, warningsOf, type Result } from "../harness";
import { countOfMoving, idsOf, manyOf, singleOf } from "./movingPrograms";

const ids = idsOf(countOfMoving);

/** Each way begins where the one before it ended, and no token may change on any of them. */
describe(`moving ${countOfMoving} groups`, () => {
  const world = newWorld(() => ({ program: singleOf(ids, { retainOnDelete: true }), patience: 800 }));
  let former: Record<string, string>;
  before(async () => {
    succeeds(await world.stack.up());
    former = tokensOf(world.emulator);
    assert.equal(Object.keys(former).length, countOfMoving);
  });

  const moved = async (program: string): Promise<Result> => {
    world.emulator.clearRequests();
    await world.stack.program(program);
    return succeeds(await world.stack.up());
  };
  /** The groups were asked for once each, which the service answered with the groups that were there. */
  const assertTakenOver = async () => {
    assert.deepEqual(requestsTo(world.emulator).sort(), ids.map((id) => `GET "${id}" returned 200`).sort());
    assert.deepEqual(tokensOf(world.emulator), former);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: former });
  };
  const assertTypes = async (types: Record<string, number>) => {
    const counts: Record<string, number> = {};
    for (const { type } of await world.stack.resources()) {
      const name = /user-groups:(\w+)$/.exec(type)?.[1];
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    }
    assert.deepEqual(counts, types);
  };

  it("from resources of their own, each with retainOnDelete, into one resource changes no token", async () => {
    await moved(manyOf(ids, { retainOnDelete: true }));
    await assertTakenOver();
    await assertTypes({ UserGroups: 1 });
  });

  it("from one resource, with retainOnDelete, back into resources of their own changes no token", async () => {
    await moved(singleOf(ids, {}));
    await assertTakenOver();
    await assertTypes({ UserGroup: countOfMoving });
  });

  it("into one resource without retainOnDelete changes no token either, and says so", async () => {
    const up = await moved(manyOf(ids, {}));
    await assertTakenOver();
    await assertTypes({ UserGroups: 1 });
    const kept = warningsOf(up).filter((line) => line.includes(" kept"));
    assert.equal(kept.length, countOfMoving);
  });

  it("and back without retainOnDelete changes no token either, and says so in one line", async () => {
    const up = await moved(singleOf(ids, {}));
    await assertTakenOver();
    await assertTypes({ UserGroup: countOfMoving });
    const kept = warningsOf(up).filter((line) => line.includes(" kept"));
    assert.equal(kept.length, 1);
  });
});
