import assert from "node:assert/strict";
import type { Emulator } from "../../../provider/src/testing";
import { newFixture, requestsTo, succeeds, tokensOf } from "../harness";

const maxConnections = 5;
const parallel = { flags: ["--parallel", "64"] };

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
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });

  it("are created with the API token of the configuration by a provider that has just been started", async () => {
    succeeds(await fixture.stack.up(parallel));
    assertDone(fixture.emulator, "GET", "created");
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  });

  it("are read with it", async () => {
    succeeds(await fixture.stack.refresh(parallel));
    assertDone(fixture.emulator, "GET", "returned");
  });

  it("are deleted with it", async () => {
    succeeds(await fixture.stack.destroy(parallel));
    assertDone(fixture.emulator, "DELETE", "deleted");
    assert.equal(fixture.emulator.groups.size, 0);
  });
});

function assertDone(emulator: Emulator, method: string, effect: string): void {
  assert(emulator.requests.every(({ authorized }) => authorized));
  assert.equal(emulator.peakConnections, maxConnections);
  assert.deepEqual(requestsTo(emulator).sort(), ids.map((id) => `${method} "${id}" ${effect} 200`).sort());
}

const ids = Array.from({ length: 64 }, (_, n) => [`one-${n}`, `many-${n}`]).flat();

const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const ids = ${JSON.stringify(ids)};
  const [ones, manies] = ["one", "many"].map((kind) => ids.filter((id) => id.startsWith(kind)));
  const groups = Object.fromEntries(manies.map((id) => [id, { name: id }]));
  const many = new UserGroups("many", { groups });
  const one = ones.map((id) => [id, new UserGroup(id, { userGroupId: id, name: id }).token]);
  exports.tokens = require("@pulumi/pulumi")
    .all([many.tokens, Object.fromEntries(one)])
    .apply(([some, others]) => ({ ...some, ...others }));
`;
