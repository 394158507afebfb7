import assert from "node:assert/strict";
import { newFixture, packageProgram, requestsTo, succeeds, tokensOf } from "../harness";

const maxConnections = 5;
const parallel = { flags: ["--parallel", "64"] };
const ids = Array.from({ length: 64 }, (_, n) => [`one-${n}`, `many-${n}`]).flat();

/** The SDK caches a provider before it has configured it, so that operations can begin without the configuration. */
describe("64 resources and 64 groups of one resource at once", () => {
  const fixture = newFixture(
    (emulator) => ({
      program,
      env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
      config: {
        "user-groups:baseUrl": emulator.baseUrl,
        "user-groups:apiToken": { secret: emulator.apiToken },
        "user-groups:maxConnections": String(maxConnections),
      },
    }),
    { latency: 20 },
  );

  for (const [command, method, effect] of [
    ["up", "GET", "created"],
    ["refresh", "GET", "returned"],
    ["destroy", "DELETE", "deleted"],
  ] as const)
    it(`have the settings of the configuration in ${command}`, async () => {
      const { emulator, stack } = fixture;
      emulator.clearRequests();
      succeeds(await stack[command](parallel));
      assert(emulator.requests.every(({ authorized }) => authorized));
      assert.equal(emulator.peakConnections, maxConnections);
      const lines = ids.map((id) => `${method} "${id}" ${effect} 200`);
      assert.deepEqual(requestsTo(emulator).sort(), lines.sort());
      if (command === "up") assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
    });
});

const program = packageProgram(`
  const ids = ${JSON.stringify(ids)};
  const [ones, manies] = ["one", "many"].map((kind) => ids.filter((id) => id.startsWith(kind)));
  const groups = Object.fromEntries(manies.map((id) => [id, { name: id }]));
  const many = new UserGroups("many", { groups });
  const one = ones.map((id) => [id, new UserGroup(id, { userGroupId: id, name: id }).token]);
  exports.tokens = pulumi.all([many.tokens, Object.fromEntries(one)]).apply(([some, others]) => ({ ...some, ...others }));
`);
