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
} from "../harness";

describe("UserGroups with changes: update", () => {
  const world = newWorld(() => ({
    program: programOf("{ renamed: { name }, mapped: { name, mapping: { sales: 'one' } }, same: { name } }"),
    config: { "user-groups:changes": "update" },
  }));
  let former: Record<string, string>;
  before(async () => {
    succeeds(await world.stack.up());
    former = tokensOf(world.emulator);
    await world.stack.program(
      programOf(
        "{ renamed: { name: 'After' }, mapped: { name, mapping: { sales: 'two' } }, same: { name } }",
      ),
    );
  });
  const names = async () => {
    const { outputs } = await world.stack.resource("tenants");
    return JSON.stringify(outputs["groups"]);
  };
  const run = async (operation: () => Promise<Result>) => {
    world.emulator.clearRequests();
    return operation();
  };

  it("says in the preview how many groups are updated", async () => {
    const { output } = succeeds(await run(() => world.stack.preview()));
    assert.match(output, /user groups in this change: 2 to update \("mapped", "renamed"\)\./);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("fails where the service keeps what it holds, and leaves group and record as they were", async () => {
    const up = fails(await run(() => world.stack.up()));
    assert.match(
      errorOf(up, "tenants"),
      /Cannot update all user groups: 1 failed\.[^]*"renamed": .*still returns the former name/,
    );
    assert.equal(world.emulator.groups.get("renamed")?.name, "Before");
    assert.match(await names(), /"renamed":\{"name":"Before"\}/);
    assert.deepEqual(tokensOf(world.emulator), former);
  });

  it("updates in place where the service does, by one request for what is left to do", async () => {
    world.emulator.configure({ existing: "update" });
    const up = succeeds(await run(() => world.stack.up()));
    assert.deepEqual(stepsOf(up, "tenants"), ["update"]);
    assert.deepEqual(requestsTo(world.emulator), ['GET "renamed" updated 200']);
    assert.match(await names(), /"renamed":\{"name":"After"\}/);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: former });
  });

  it("warns of a mapping that can't be verified", async () => {
    await world.stack.program(
      programOf(
        "{ renamed: { name: 'After' }, mapped: { name, mapping: { sales: 'three' } }, same: { name } }",
      ),
    );
    const up = succeeds(await run(() => world.stack.up()));
    assert.match(warningsOf(up).join("\n"), /"mapped".*mapping.*can't be verified/);
    assert.deepEqual(world.emulator.groups.get("mapped")?.mapping, { sales: "three" });
    assert.deepEqual(tokensOf(world.emulator), former);
  });
});

describe("UserGroups with adopt: false", () => {
  const world = newWorld((emulator) => {
    emulator.putGroup({ userGroupId: "theirs", name: "Before" });
    return { program: programOf("{ theirs: { name }, ours: { name } }, adopt: false") };
  });

  it("refuses the groups that are there, leaves them as they were, and records the others", async () => {
    const { theirs } = tokensOf(world.emulator);
    const up = fails(await world.stack.up());
    assert.match(errorOf(up, "tenants"), /"theirs".*\[adoption-refused\]/);
    assert.deepEqual(requestsTo(world.emulator).sort(), [
      'GET "ours" created 200',
      'GET "theirs" returned 200',
    ]);
    const { outputs } = await world.stack.resource("tenants");
    assert.deepEqual(outputs["groups"], { ours: { name: "Before" } });
    assert.equal(tokensOf(world.emulator)["theirs"], theirs);
  });

  it("leaves them where everything is destroyed", async () => {
    succeeds(await world.stack.destroy());
    assert.deepEqual([...world.emulator.groups.keys()], ["theirs"]);
  });
});

function programOf(groups: string): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const name = "Before";
    exports.tokens = new UserGroups("tenants", { groups: ${groups} }).tokens;
  `;
}
