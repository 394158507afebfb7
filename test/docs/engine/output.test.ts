import assert from "node:assert/strict";
import { fails, newFixture, succeeds } from "../../engine/harness";
import { assertPrinted } from "./printed";
import { programOf, snippetOf } from "./pagePrograms";

describe("docs/existing-groups.md", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme Incorporated" });
    return { program: programOf("docs/existing-groups.md", ["name:", "adopt: false, name:"]) };
  });

  it("shows the error where adoption isn't wanted", async () => {
    assertPrinted(fails(await fixture.stack.up()), snippetOf("docs/existing-groups.md", "text", 2));
  });

  it("shows the warning of an adoption", async () => {
    await fixture.stack.program(programOf("docs/existing-groups.md"));
    assertPrinted(succeeds(await fixture.stack.up()), snippetOf("docs/existing-groups.md", "text", 0));
  });

  it("shows the preview that follows where the service has other values", async () => {
    assertPrinted(succeeds(await fixture.stack.preview()), snippetOf("docs/existing-groups.md", "text", 1));
  });
});

describe("docs/pull-requests.md and docs/changes.md", () => {
  const fixture = newFixture(() => ({ program: before, secrets: ["gold-licence"] }));

  it("show what a preview prints", async () => {
    succeeds(await fixture.stack.up());
    await fixture.stack.program(after);
    const preview = succeeds(await fixture.stack.preview());
    assertPrinted(preview, snippetOf("docs/pull-requests.md", "text", 0));
    assertPrinted(preview, snippetOf("docs/pull-requests.md", "text", 1));
    assertPrinted(preview, snippetOf("docs/changes.md", "text"));
  });

  it("show what a preview prints with --diff, secrets aside", async () => {
    const preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    assertPrinted(preview, snippetOf("docs/pull-requests.md", "text", 2));
    assert.match(preview.output, /licence: \[secret\]/);
  });

  it("show the preview that follows a refresh with drift", async () => {
    await fixture.stack.program(before);
    fixture.emulator.renameGroup("g-1", "Globex GmbH");
    succeeds(await fixture.stack.refresh());
    const preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    assertPrinted(preview, snippetOf("docs/pull-requests.md", "text", 3));
  });

  it("are right that to the engine another token is no change", async () => {
    fixture.emulator.rotateToken("acme");
    succeeds(await fixture.stack.refresh({ flags: ["--expect-no-changes"] }));
  });
});

const before = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
  new UserGroup("globex", { userGroupId: "g-1", name: "Globex" });
  new UserGroup("hooli", { userGroupId: "h-1", name: "Hooli" });
  new UserGroups("tenants", { groups: { hooli: { name: "Hooli" }, globex: { name: "Globex" } } });
`;

const after = `
  const { secret } = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Acme Corporation", mapping: { sales: 1 } });
  new UserGroup("globex", { userGroupId: "g-1", name: "Globex International" });
  const properties = { licence: secret("gold-licence") };
  new UserGroup("initech", { userGroupId: "i-1", name: "Initech", properties });
  new UserGroups("tenants", {
    groups: { globex: { name: "Globex International" }, initech: { name: "I" }, umbrella: { name: "U" } },
  });
`;
