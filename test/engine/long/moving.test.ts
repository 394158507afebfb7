import assert from "node:assert/strict";
import { newFixture, packageProgram, requestsTo, succeeds, tokensOf, warningsOf } from "../harness";

/** As many as a stack of resources may well have. */
const count = 500;
const ids = Array.from({ length: count }, (_, n) => `t${n}`);

const ones = packageProgram(`
  const groups = ${JSON.stringify(ids)}.map((id) => [id, new UserGroup(id, { userGroupId: id, name: "Tenant" })]);
  exports.tokens = Object.fromEntries(groups.map(([id, { token }]) => [id, token]));
`);

const many = packageProgram(`
  const groups = Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, { name: "Tenant" }]));
  exports.tokens = new UserGroups("tenants", { groups }).tokens;
`);

/** At the engine's default parallelism. Each way begins where the one before it ended, and no token may change on any of them. */
describe(`moving ${count} groups`, () => {
  const fixture = newFixture(() => ({ program: ones, patience: 800 }));
  let former: Record<string, string>;
  before(async () => {
    succeeds(await fixture.stack.up());
    former = tokensOf(fixture.emulator);
  });

  for (const [what, program, kept] of [
    ["from resources of their own into one resource", many, count],
    ["back into resources of their own", ones, 1],
  ] as const)
    it(`${what} changes no token`, async () => {
      const { stack, emulator } = fixture;
      emulator.clearRequests();
      await stack.program(program);
      const up = succeeds(await stack.up());
      assert.deepEqual(requestsTo(emulator).sort(), ids.map((id) => `GET "${id}" returned 200`).sort());
      assert.deepEqual(await stack.plainOutputs(), { tokens: former });
      assert.equal(warningsOf(up).filter((line) => line.includes(" kept")).length, kept);
      const again = succeeds(await stack.preview());
      assert.deepEqual(Object.keys(again.changes), ["same"]);
    });
});
