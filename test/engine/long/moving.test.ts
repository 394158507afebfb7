import assert from "node:assert/strict";
import { newFixture, requestsTo, succeeds, tokensOf, warningsOf, type Result } from "../harness";

/** As many as a stack of resources may well have. */
const countOfMoving = 500;
const ids = Array.from({ length: countOfMoving }, (_, n) => `t${n}`);

/** Each way begins where the one before it ended, and no token may change on any of them. */
describe(`moving ${countOfMoving} groups`, () => {
  const fixture = newFixture(() => ({ program: singleOf(ids, { retainOnDelete: true }), patience: 800 }));
  let former: Record<string, string>;
  before(async () => {
    succeeds(await fixture.stack.up());
    former = tokensOf(fixture.emulator);
    assert.equal(Object.keys(former).length, countOfMoving);
  });

  const moved = async (program: string): Promise<Result> => {
    fixture.emulator.clearRequests();
    await fixture.stack.program(program);
    return succeeds(await fixture.stack.up());
  };
  /** One request for each group, which returned the group that existed. */
  const assertMoved = async () => {
    assert.deepEqual(requestsTo(fixture.emulator).sort(), ids.map((id) => `GET "${id}" returned 200`).sort());
    assert.deepEqual(tokensOf(fixture.emulator), former);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
  };
  const assertTypes = async (types: Record<string, number>) => {
    const counts: Record<string, number> = {};
    for (const { type } of await fixture.stack.resources()) {
      const name = /user-groups:(\w+)$/.exec(type)?.[1];
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    }
    assert.deepEqual(counts, types);
  };

  it("from resources of their own, each with retainOnDelete, into one resource changes no token", async () => {
    await moved(manyOf(ids, { retainOnDelete: true }));
    await assertMoved();
    await assertTypes({ UserGroups: 1 });
  });

  it("from one resource, with retainOnDelete, back into resources of their own changes no token", async () => {
    await moved(singleOf(ids, {}));
    await assertMoved();
    await assertTypes({ UserGroup: countOfMoving });
  });

  it("into one resource without retainOnDelete changes no token either, and says so", async () => {
    const up = await moved(manyOf(ids, {}));
    await assertMoved();
    await assertTypes({ UserGroups: 1 });
    const kept = warningsOf(up).filter((line) => line.includes(" kept"));
    assert.equal(kept.length, countOfMoving);
  });
});

/** Each group as a resource of its own. */
function singleOf(ids: readonly string[], options: object): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const options = ${JSON.stringify(options)};
    const groups = ${JSON.stringify(ids)}.map((id) => [id, new UserGroup(id, { userGroupId: id, name: "Tenant" }, options)]);
    exports.tokens = Object.fromEntries(groups.map(([id, { token }]) => [id, token]));
  `;
}

/** All groups in one resource. */
function manyOf(ids: readonly string[], options: object): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const groups = Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, { name: "Tenant" }]));
    exports.tokens = new UserGroups("tenants", { groups }, ${JSON.stringify(options)}).tokens;
  `;
}
