import assert from "node:assert/strict";
import { newFixture, packageProgram, requestsTo, succeeds, tokensOf } from "../harness";

const maxConnections = 5;
const parallel = { flags: ["--parallel", "64"] };
const ids = Array.from({ length: 64 }, (_, n) => [`one-${n}`, `many-${n}`]).flat();

/** The SDK caches a provider before it has configured it, so that operations can begin without the configuration. */
describe("64 resources and 64 groups of one resource at once", () => {
  const fixture = newFixture(
    (emulator) => ({
      program: programOf("one", "many"),
      env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
      config: {
        "user-groups:baseUrl": emulator.baseUrl,
        "user-groups:apiToken": { secret: emulator.apiToken },
        "user-groups:maxConnections": String(maxConnections),
      },
    }),
    { latency: 20 },
  );
  let former: Record<string, string>;

  for (const [command, what, method, effect] of [
    ["up", "a creation", "GET", "created"],
    ["up", "a move of all between the resources", "GET", "returned"],
    ["refresh", "a refresh", "GET", "returned"],
    ["destroy", "a destroy", "DELETE", "deleted"],
  ] as const)
    it(`have the settings of the configuration in ${what}`, async () => {
      const { emulator, stack } = fixture;
      emulator.clearRequests();
      if (effect === "returned") await stack.program(programOf("many", "one"));
      succeeds(await stack[command](parallel));
      assert(emulator.requests.every(({ authorized }) => authorized));
      assert.equal(emulator.peakConnections, maxConnections);
      const lines = ids.map((id) => `${method} "${id}" ${effect} 200`);
      assert.deepEqual(requestsTo(emulator).sort(), lines.sort());
      if (effect === "created") former = tokensOf(emulator);
      if (command !== "destroy") assert.deepEqual(await stack.plainOutputs(), { tokens: former });
    });
});

/** The groups whose IDs begin with `single` have a resource each, and those with `shared` one for all. */
function programOf(single: string, shared: string): Record<string, string> {
  return packageProgram(`
    const idsOf = (kind) => ${JSON.stringify(ids)}.filter((id) => id.startsWith(kind));
    const groups = Object.fromEntries(idsOf("${shared}").map((id) => [id, { name: id }]));
    const many = new UserGroups("many", { groups });
    const one = idsOf("${single}").map((id) => [id, new UserGroup(id, { userGroupId: id, name: id }).token]);
    exports.tokens = pulumi.all([many.tokens, Object.fromEntries(one)]).apply(([some, others]) => ({ ...some, ...others }));
  `);
}
