import assert from "node:assert/strict";
import { newFixture, requestsTo, succeeds, tokensOf, warningsOf, type Result } from "../harness";

/** The resource that some groups leave lives on, so its update can delete them before other resources adopt them. */
describe("moving some groups out of UserGroups", () => {
  const fixture = newFixture(() => ({ program: programOf({ many: ["a", "b", "c"] }) }));
  let former: Record<string, string>;
  let late: Result;
  before(async () => {
    succeeds(await fixture.stack.up());
    former = tokensOf(fixture.emulator);
    await fixture.stack.program(programOf({ many: ["b", "c"], single: ["a"], first: "many" }));
    late = succeeds(await fixture.stack.preview());
  });
  const moved = async (program: string): Promise<Result> => {
    fixture.emulator.clearRequests();
    await fixture.stack.program(program);
    return succeeds(await fixture.stack.up());
  };
  const assertNobodyLost = async () => {
    assert.deepEqual(tokensOf(fixture.emulator), former);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
  };

  it("that declares them too late is warned of in the preview", () => {
    const warnings = warningsOf(late).filter((line) => line.includes("new token"));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /Another resource .*deletes user group "a".*dependsOn.*"retain"/);
  });

  it("changes no token where UserGroups depends on the resources that adopt them", async () => {
    const up = await moved(programOf({ many: ["b", "c"], single: ["a"], first: "single" }));
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "a" returned 200']);
    assert.match(warningsOf(up).join("\n"), /"a" is kept with its token/);
    await assertNobodyLost();
  });

  it("changes no token where UserGroups is told to forget what leaves", async () => {
    const up = await moved(programOf({ many: ["c"], single: ["a", "b"], removed: "retain" }));
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "b" returned 200']);
    assert(!warningsOf(up).some((line) => line.includes("new token")));
    await assertNobodyLost();
  });

  it("changes no token on the way back, whatever the order", async () => {
    await moved(programOf({ many: ["a", "b", "c"] }));
    assert.deepEqual(requestsTo(fixture.emulator).sort(), ['GET "a" returned 200', 'GET "b" returned 200']);
    await assertNobodyLost();
  });
});

interface Layout {
  readonly many: readonly string[];
  readonly single?: readonly string[];
  readonly removed?: "retain";
  /** What the others depend on; without it the engine takes them as they come. */
  readonly first?: "many" | "single";
}

function programOf({ many, single = [], removed, first }: Layout): string {
  return `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const groups = Object.fromEntries(${JSON.stringify(many)}.map((id) => [id, { name: "Tenant" }]));
    const removed = ${JSON.stringify(removed)};
    const [isManyFirst, isSingleFirst] = [${first === "many"}, ${first === "single"}];
    const tokens = {};
    const declareMany = (dependsOn) => {
      const tenants = new UserGroups("tenants", { groups, removed }, { dependsOn });
      for (const id of ${JSON.stringify(many)}) tokens[id] = tenants.tokens[id];
      return tenants;
    };
    const declareSingles = (dependsOn) =>
      ${JSON.stringify(single)}.map((userGroupId) => {
        const group = new UserGroup(userGroupId, { userGroupId, name: "Tenant" }, { dependsOn });
        tokens[userGroupId] = group.token;
        return group;
      });
    if (isSingleFirst) {
      declareMany(declareSingles([]));
    } else {
      const tenants = declareMany([]);
      declareSingles(isManyFirst ? [tenants] : []);
    }
    exports.tokens = tokens;
  `;
}
