import assert from "node:assert/strict";
import {
  errorOf,
  fails,
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "./harness";

describe("adopt", () => {
  const world = newWorld((emulator) => {
    emulator.putGroup({ userGroupId: "known", name: "Known", properties: { region: "eu" } });
    emulator.putGroup({ userGroupId: "other", name: "Theirs", properties: { region: "us" } });
    return { program: adopting };
  });
  let adopted: Result;
  before(async () => {
    adopted = succeeds(await world.stack.up());
  });

  describe("a group with the same values", () => {
    it("keeps its token, and warns that the mapping can't be verified", async () => {
      const { outputs } = await world.stack.resource("known");
      assert.equal(outputs["adopted"], true);
      assert.deepEqual(requestsTo(world.emulator, "known"), ['GET "known" returned 200']);
      const [warning, ...others] = warningsOf(adopted).filter((each) => each.includes('"known"'));
      assert.match(warning ?? "", /adopted.*mapping can't be verified/);
      assert.deepEqual(others, []);
    });
  });

  describe("a group with other values", () => {
    it("records the service's values, and says that they differ", async () => {
      const { outputs } = await world.stack.resource("other");
      assert.equal(outputs["adopted"], true);
      assert.equal(outputs["name"], "Theirs");
      assert.deepEqual(outputs["properties"], { region: "us" });
      const warnings = warningsOf(adopted).filter((each) => each.includes('"other"'));
      assert.match(warnings.join("\n"), /another name or other properties/);
    });
  });

  it("records the tokens that the groups had", async () => {
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  describe("refused by adopt: false", () => {
    let refused: Result;
    let formerToken: string | undefined;
    before(async () => {
      world.emulator.putGroup({ userGroupId: "taken", name: "Taken" });
      world.emulator.clearRequests();
      formerToken = tokensOf(world.emulator)["other"];
      await world.stack.program(adopting + refusing);
      refused = fails(await world.stack.up({ flags: ["--continue-on-error"] }));
    });

    it("fails with an error that names the group and the way out", () => {
      assert.match(errorOf(refused, "taken"), /user group "taken".*\[adoption-refused\]/);
      assert.match(errorOf(refused, "taken"), /adopt to true/);
    });

    it("asks the service once, records nothing, and leaves the group as it was", async () => {
      assert.deepEqual(requestsTo(world.emulator, "taken"), ['GET "taken" returned 200']);
      const names = (await world.stack.resources()).map(({ name }) => name);
      assert(!names.includes("taken"));
      assert.equal(world.emulator.groups.get("taken")?.name, "Taken");
    });

    it("doesn't keep other groups from being corrected: the one with other values is replaced", async () => {
      assert.deepEqual(stepsOf(refused, "other"), ["delete-replaced", "replace", "create-replacement"]);
      assert.deepEqual(requestsTo(world.emulator, "other"), [
        'DELETE "other" deleted 200',
        'GET "other" created 200',
      ]);
      assert.notEqual(tokensOf(world.emulator)["other"], formerToken);
      assert.equal((await world.stack.resource("other")).outputs["adopted"], false);
      assert.deepEqual(requestsTo(world.emulator, "known"), []);
    });
  });
});

const adopting = `
  const { UserGroup } = require("pulumi-user-groups");
  const known = new UserGroup("known", { userGroupId: "known", name: "Known", properties: { region: "eu" } });
  const other = new UserGroup("other", { userGroupId: "other", name: "Ours", properties: { region: "eu" } });
  exports.tokens = { known: known.token, other: other.token };
`;
const refusing = `
  new UserGroup("taken", { userGroupId: "taken", name: "Taken", adopt: false });
`;
