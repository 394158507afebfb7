import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, warningsOf, type Result } from "./harness";

/** Two records of one group in one update: the second gets the group, which the end of the first must not delete. */
describe("a group that another record takes over", () => {
  const world = newWorld(() => ({ program: original }));
  let formerTokens: Record<string, string>;
  let up: Result;
  before(async () => {
    succeeds(await world.stack.up());
    formerTokens = tokensOf(world.emulator);
    world.emulator.clearRequests();
    const [replaced, tainted] = [
      await world.stack.resource("replaced"),
      await world.stack.resource("tainted"),
    ];
    succeeds(await world.stack.run(["state", "taint", "--stack", "dev", "--yes", tainted.urn]));
    await world.stack.program(changed);
    up = succeeds(await world.stack.up({ flags: ["--replace", replaced.urn] }));
  });

  describe("because the resource is renamed without an alias", () => {
    it("keeps its group and token, and says why", () => {
      assert.deepEqual([stepsOf(up, "renamed"), stepsOf(up, "renamed-since")], [["delete"], ["create"]]);
      assert.deepEqual(requestsTo(world.emulator, "renamed"), ['GET "renamed" returned 200']);
      const warnings = warningsOf(up).filter((each) => each.includes('"renamed"'));
      assert.match(warnings.join("\n"), /is kept, with its token: another resource.*alias/);
    });

    it("belongs to the new record alone", async () => {
      const names = (await world.stack.resources()).map(({ name }) => name);
      assert(!names.includes("renamed"));
      const { id, outputs } = await world.stack.resource("renamed-since");
      assert.deepEqual([id, outputs["userGroupId"], outputs["adopted"]], ["renamed", "renamed", true]);
    });
  });

  describe("because the resource is renamed with an alias", () => {
    it("isn't asked for", () => {
      assert.deepEqual(stepsOf(up, "aliased-since"), ["same"]);
      assert.deepEqual(requestsTo(world.emulator, "aliased"), []);
    });
  });

  it("keeps its token, in the service as in the program", async () => {
    assert.deepEqual(tokensOf(world.emulator), formerTokens);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: formerTokens });
  });

  for (const [id, cause] of [
    ["replaced", "up --replace"],
    ["tainted", "pulumi state taint"],
  ] as const) {
    describe(`because of ${cause}`, () => {
      it("is asked for, and not deleted", () => {
        assert.deepEqual(stepsOf(up, id), ["create-replacement", "replace", "delete-replaced"]);
        assert.deepEqual(requestsTo(world.emulator, id), [`GET "${id}" returned 200`]);
      });
    });
  }
});

function programOf(groups: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    exports.tokens = {};
    for (const [name, userGroupId, options] of ${groups})
      exports.tokens[userGroupId] = new UserGroup(name, { userGroupId, name: "Tenant" }, options).token;
  `;
}

const original = programOf(`[
  ["renamed", "renamed"], ["aliased", "aliased"], ["replaced", "replaced"], ["tainted", "tainted"]
]`);
const changed = programOf(`[
  ["renamed-since", "renamed"], ["aliased-since", "aliased", { aliases: [{ name: "aliased" }] }],
  ["replaced", "replaced"], ["tainted", "tainted"]
]`);
