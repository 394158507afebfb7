import { newFixture, succeeds } from "../engine/harness";
import { assertPictured } from "./printed";

describe("docs/pictures/preview.txt", () => {
  const fixture = newFixture(() => ({ program: programOf(before) }));

  it("is what a preview prints", async () => {
    succeeds(await fixture.stack.up());
    await fixture.stack.program(programOf(after));
    const { stdout } = succeeds(await fixture.stack.preview({ flags: ["--suppress-progress"] }));
    assertPictured(stdout, "preview.txt");
  });
});

const before = { acme: "Acme", globex: "Globex", hooli: "Hooli" };
const after = { acme: "Acme", globex: "Globex International", initech: "Initech" };

function programOf(customers: Readonly<Record<string, string>>): Record<string, string> {
  const program = `
    const { UserGroup } = require("pulumi-user-groups");
    const customers = ${JSON.stringify(customers)};
    for (const [id, name] of Object.entries(customers)) new UserGroup(id, { userGroupId: id, name });
  `;
  return { "Pulumi.yaml": "name: customers\nruntime: nodejs\nmain: index.js\n", "index.js": program };
}
