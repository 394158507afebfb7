import assert from "node:assert/strict";
import { fails, newWorld, succeeds } from "../../engine/harness";
import { assertPrinted } from "./printed";
import { programOf, snippetOf } from "./program";

describe("docs/adoption.md", () => {
  const world = newWorld((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme Incorporated" });
    return { program: programOf("docs/adoption.md", ["name:", "adopt: false, name:"]) };
  });

  it("shows the error where adoption isn't wanted", async () => {
    assertPrinted(fails(await world.stack.up()), snippetOf("docs/adoption.md", "text", 2));
  });

  it("shows the warning of an adoption", async () => {
    await world.stack.program(programOf("docs/adoption.md"));
    assertPrinted(succeeds(await world.stack.up()), snippetOf("docs/adoption.md", "text", 0));
  });

  it("shows the preview that follows where the service has other values", async () => {
    assertPrinted(succeeds(await world.stack.preview()), snippetOf("docs/adoption.md", "text", 1));
  });
});

describe("docs/previews.md and docs/changes.md", () => {
  const world = newWorld(() => ({ program: before, secrets: ["gold-licence"] }));

  it("show what a preview prints", async () => {
    succeeds(await world.stack.up());
    await world.stack.program(after);
    const preview = succeeds(await world.stack.preview());
    assertPrinted(preview, snippetOf("docs/previews.md", "text", 0));
    assertPrinted(preview, snippetOf("docs/previews.md", "text", 1));
    assertPrinted(preview, snippetOf("docs/changes.md", "text"));
  });

  it("show what a preview prints with --diff, secrets aside", async () => {
    const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    assertPrinted(preview, snippetOf("docs/previews.md", "text", 2));
    assert.match(preview.output, /licence: \[secret\]/);
  });

  it("show the preview that follows a refresh with drift", async () => {
    await world.stack.program(before);
    world.emulator.renameGroup("g-1", "Globex GmbH");
    succeeds(await world.stack.refresh());
    const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    assertPrinted(preview, snippetOf("docs/previews.md", "text", 3));
  });

  it("are right that to the engine another token is no change", async () => {
    world.emulator.rotateToken("acme");
    succeeds(await world.stack.refresh({ flags: ["--expect-no-changes"] }));
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
