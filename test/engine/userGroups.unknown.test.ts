import assert from "node:assert/strict";
import { newFixture, requestsTo, stepsOf, succeeds, tokensOf, warningsOf, type Result } from "./harness";

/** What isn't known before up here is whether the group "other" was there before. */
describe("UserGroups, of which something isn't known before up", () => {
  const fixture = newFixture(() => ({ program: programOf({ withOther: false }) }));
  let preview: Result;
  let up: Result;
  let former: Record<string, string>;
  before(async () => {
    const { emulator, stack } = fixture;
    succeeds(await stack.up());
    former = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf({ withOther: true }));
    preview = succeeds(await stack.preview({ flags: ["--diff"] }));
    assert.deepEqual(requestsTo(emulator), []);
    up = succeeds(await stack.up());
  });

  it("counts as changed in the preview, which says what may come of it", () => {
    for (const name of ["field", "group", "map"]) assert.deepEqual(stepsOf(preview, name), ["update"]);
    assert.deepEqual(warningsOf(preview).sort(), [
      'user groups in this change: possibly 1 to delete and create again with a new token ("in-field").',
      'user groups in this change: possibly 1 to delete and create again with a new token ("in-group").',
    ]);
  });

  it("isn't held up by a deletionLimit that may not be reached", () => {
    assert.equal(preview.code, 0);
    assert.match(preview.output, /deletionLimit *: 0/);
  });

  it("is left alone by up, where the values turn out to be the same", () => {
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "other" created 200']);
    assert.deepEqual(warningsOf(up), []);
    const { other, ...others } = tokensOf(fixture.emulator);
    assert(other);
    assert.deepEqual(others, former);
  });
});

/** Each resource holds a group beside the one in question, which is known all the time. */
function programOf({ withOther }: { withOther: boolean }): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const name = "Tenant";
    const other = ${withOther} && new UserGroup("other", { userGroupId: "other", name });
    const known = other ? (value) => other.adopted.apply(() => value) : (value) => value;
    new UserGroups("field", { deletionLimit: 0, groups: { "in-field": { name: known(name) }, one: { name } } });
    new UserGroups("group", { deletionLimit: 0, groups: { "in-group": known({ name }), two: { name } } });
    new UserGroups("map", { deletionLimit: 0, groups: known({ "in-map": { name }, three: { name } }) });
  `;
}
