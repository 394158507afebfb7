import assert from "node:assert/strict";
import {
  fails,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "../harness";

/** An update that fails creates, and leaves the deletions to the next one: the state then has the group twice. */
describe("a group that another resource adopted in an update that failed", () => {
  const fixture = newFixture(() => ({ program: programOf(["renamed"], ["replaced"]) }));
  let formerTokens: Record<string, string>;
  let next: Result;
  before(async () => {
    const { emulator, stack } = fixture;
    succeeds(await stack.up());
    formerTokens = tokensOf(emulator);
    const { urn } = await stack.resource("replaced");
    await stack.program(programOf(["renamed-since", "renamed"], ["replaced"], ["refused"]));
    emulator.fault({ kind: "refuse", userGroupId: "refused" });
    fails(await stack.up({ flags: ["--replace", urn] }), /service-refused/);
    const ids = (await stack.resources()).map(({ id }) => id);
    for (const id of ["renamed", "replaced"]) assert.equal(ids.filter((each) => each === id).length, 2);
    emulator.clearRequests();
    next = succeeds(await stack.up());
  });

  for (const id of ["renamed", "replaced"]) {
    it(`is not deleted by the next one with the former resource (${id})`, () => {
      assert.deepEqual(requestsTo(fixture.emulator, id), []);
      assert.match(warningsOf(next).join("\n"), new RegExp(`"${id}".* kept`));
    });
  }

  it("keeps its token, in the service as in the program", async () => {
    const { refused, ...tokens } = tokensOf(fixture.emulator);
    assert.deepEqual(tokens, formerTokens);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: { ...formerTokens, refused } });
    assert.deepEqual(stepsOf(next, "renamed"), ["delete"]);
  });
});

function programOf(...groups: (readonly [name: string, userGroupId?: string])[]): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const made = [];
    exports.tokens = {};
    for (const [name, userGroupId = name] of ${JSON.stringify(groups)}) {
      const group = new UserGroup(name, { userGroupId, name: "Tenant" }, { dependsOn: [...made] });
      made.push(group);
      exports.tokens[userGroupId] = group.token;
    }
  `;
}
