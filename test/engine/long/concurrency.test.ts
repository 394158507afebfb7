/** Many resources at once: the SDK caches a provider before it has configured it, so operations can begin without the configuration. */
import assert from "node:assert/strict";
import { newFixture, packageProgram, requestsTo, succeeds, tokensOf } from "../harness";

const maxConnections = 5;
const count = 64;
const program = packageProgram(`
  const idsOf = (kind) => Array.from({ length: ${count} }, (_, n) => kind + n);
  const groups = Object.fromEntries(idsOf("many").map((id) => [id, { name: id }]));
  const many = new UserGroups("many", { groups });
  const one = idsOf("one").map((id) => [id, new UserGroup(id, { userGroupId: id, name: id }).token]);
  exports.tokens = pulumi.all([many.tokens, Object.fromEntries(one)]).apply(([some, others]) => ({ ...some, ...others }));
`);

describe(`${count} resources and ${count} groups of one resource at once`, () => {
  const fixture = newFixture(
    ({ baseUrl, apiToken }) => ({
      program,
      env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
      config: {
        "user-groups:baseUrl": baseUrl,
        "user-groups:apiToken": { secret: apiToken },
        "user-groups:maxConnections": String(maxConnections),
      },
    }),
    { latency: 20 },
  );

  it("have the settings of the configuration in each command", async () => {
    const { emulator, stack } = fixture;
    for (const [command, effect] of [
      ["up", "created"],
      ["refresh", "returned"],
      ["destroy", "deleted"],
    ] as const) {
      emulator.clearRequests();
      succeeds(await stack[command]({ flags: ["--parallel", "64"] }));
      assert.deepEqual([requestsTo(emulator).length, emulator.peakConnections], [2 * count, maxConnections]);
      for (const request of emulator.requests) assert(request.authorized && request.effect === effect);
      if (effect === "created") assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
    }
  });
});
