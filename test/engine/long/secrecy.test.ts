/** What docs/security.md says of tokens and secret arguments: the stack searches what each command prints, and all files of the engine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { succeeds } from "../../support/harness/run";
import { isEncrypted, newFixture, packageProgram } from "../../support/engine";

const secrets = {
  name: "s3cret-name",
  mapping: "s3cret-mapping",
  property: "s3cret-property",
  "configured property": "s3cret-configuration",
  drift: "s3cret-drift",
};

/** TENANT makes another name of each. */
const program = packageProgram(`
  const region = new pulumi.Config().requireSecret("region");
  const name = pulumi.secret("${secrets.name}" + process.env.TENANT);
  new UserGroup("acme", {
    userGroupId: "acme",
    name,
    mapping: { sales: pulumi.secret("${secrets.mapping}") },
    properties: { region, seats: [pulumi.secret("${secrets.property}"), "open"] },
  });
  exports.tokens = new UserGroups("many", { groups: { initech: { name } } }).tokens;
`);

describe("secrecy", () => {
  const fixture = newFixture(({ apiToken }) => ({
    program,
    config: {
      "user-groups:apiToken": { secret: apiToken },
      "tests:region": { secret: secrets["configured property"] },
    },
    env: { PULUMI_EXPERIMENTAL: "true", USER_GROUPS_API_TOKEN: undefined },
    secrets: Object.values(secrets),
  }));

  it("holds for previews, plans, updates by a plan, state, history, outputs, drift and the destruction", async () => {
    const { emulator, stack } = fixture;
    const run = async (command: string, TENANT = "2") =>
      succeeds(await stack.run([...command.split(" "), "--stack", "dev"], { env: { TENANT } })).output;
    // One of the engine's files.
    const plan = join(stack.project.home, "plan");
    for (const tenant of ["1", "2"]) {
      await run(`preview --diff --save-plan ${plan}`, tenant);
      await run(`up --yes --skip-preview --plan ${plan}`, tenant);
    }
    for (const command of ["stack export", "stack history --json", "stack output --json", "preview --json"])
      await run(command);
    const { name, mapping, properties } = emulator.groups.get("acme") ?? {};
    const region = secrets["configured property"];
    assert.deepEqual([name, mapping], [`${secrets.name}2`, { sales: secrets.mapping }]);
    assert.deepEqual(properties, { region, seats: [secrets.property, "open"] });

    const drifted = { region, seats: [secrets.drift, "open"] };
    emulator.putGroup({ userGroupId: "acme", name: secrets.drift, properties: drifted });
    await run("refresh --yes --skip-preview --diff");
    assert(isEncrypted((await stack.resource("acme")).inputs["name"]));
    assert.match(await run("preview --diff"), /seats *: \[secret\]/);
    await run("destroy --yes --skip-preview");
  });
});
