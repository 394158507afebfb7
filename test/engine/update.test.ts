import assert from "node:assert/strict";
import {
  errorOf,
  fails,
  isSecret,
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  valuesOf,
  warningsOf,
  type Result,
} from "./harness";

describe("a change with changes: update", () => {
  const world = newWorld(() => ({
    program: programOf(original),
    config: { "user-groups:changes": "update" },
  }));
  let formerTokens: Record<string, string>;
  before(async () => {
    succeeds(await world.stack.up());
    formerTokens = tokensOf(world.emulator);
  });

  describe("to a service that keeps what it holds", () => {
    let lost: Result;
    before(async () => {
      world.emulator.clearRequests();
      await world.stack.program(programOf({ ...original, renamed: { name: "After" } }));
      lost = fails(await world.stack.up());
    });

    it("fails, and names the group and what was lost", () => {
      assert.match(
        errorOf(lost, "renamed"),
        /user group "renamed".*still returns the former name.*\[update-not-applied\]/,
      );
      assert.deepEqual(requestsTo(world.emulator), ['GET "renamed" returned 200']);
    });

    it("leaves group and record as they were", async () => {
      const { inputs, outputs } = await world.stack.resource("renamed");
      assert.deepEqual([inputs["name"], outputs["name"], outputs["adopted"]], ["Before", "Before", false]);
      assert(isSecret(outputs["token"]));
      assert.equal(world.emulator.groups.get("renamed")?.name, "Before");
    });
  });

  describe("to a service that updates", () => {
    let up: Result;
    before(async () => {
      world.emulator.configure({ existing: "update" });
      world.emulator.removeGroup("gone");
      world.emulator.clearRequests();
      await world.stack.program(programOf(changed));
      up = succeeds(await world.stack.up());
    });

    it("updates in place, by one request and with the same token", () => {
      assert.deepEqual(requestsTo(world.emulator, "propertied"), ['GET "propertied" updated 200']);
      assert.deepEqual(stepsOf(up, "propertied"), ["update"]);
      const { gone: formerOfGone, ...former } = formerTokens;
      const { gone, ...tokens } = tokensOf(world.emulator);
      assert.deepEqual(tokens, former);
      assert.notEqual(gone, formerOfGone);
    });

    it("reaches the service and the record", async () => {
      for (const [id, change] of Object.entries(changed)) {
        const wanted = { name: "Before", mapping: undefined, properties: undefined, ...change };
        assert.deepEqual(valuesOf((await world.stack.resource(id)).outputs), wanted);
        assert.deepEqual(valuesOf({ ...world.emulator.groups.get(id) }), wanted);
      }
    });

    it("warns of a mapping that can't be verified, and of nothing that can", () => {
      const warnings = warningsOf(up).filter((each) => !each.includes('"gone"'));
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /"mapped".*mapping.*can't be verified/);
    });

    it("warns of a group that was gone, whose new token it records", async () => {
      assert.deepEqual(requestsTo(world.emulator, "gone"), ['GET "gone" created 200']);
      const warnings = warningsOf(up).filter((each) => each.includes('"gone"'));
      assert.match(warnings.join(), /was gone.*new token/);
      assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
    });
  });
});

function programOf(groups: object): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    exports.tokens = {};
    for (const [userGroupId, args] of Object.entries(${JSON.stringify(groups)}))
      exports.tokens[userGroupId] = new UserGroup(userGroupId, { userGroupId, name: "Before", ...args }).token;
  `;
}

const original = {
  renamed: {},
  mapped: { mapping: { sales: "one" } },
  propertied: { properties: { seats: 1 } },
  gone: {},
};
const changed = {
  renamed: { name: "After" },
  mapped: { mapping: { sales: "two" } },
  propertied: { properties: { seats: 2 } },
  gone: { name: "After" },
};
