import assert from "node:assert/strict";
import { isSecret, newFixture, packageProgram, stepsOf, succeeds } from "./harness";

/** Texts that must be read nowhere; the harness looks for them after each operation. */
const hidden = {
  name: "hidden-name",
  mapping: "hidden-mapping",
  deep: "hidden-deep-property",
  config: "hidden-config",
  later: "hidden-later",
};

describe("a secret", () => {
  const fixture = newFixture(() => ({
    program,
    config: { "tests:region": { secret: hidden.config } },
    secrets: Object.values(hidden),
  }));

  it("reaches the service in plain text, and is hidden also when somebody else has changed it", async () => {
    const { emulator, stack } = fixture;
    const first = succeeds(await stack.preview({ flags: ["--diff"] }));
    assert.match(first.output, /name *: \[secret\]/);
    succeeds(await stack.up());
    const { name, mapping, properties } = emulator.groups.get("acme") ?? {};
    assert.deepEqual([name, mapping], [hidden.name, { sales: hidden.mapping }]);
    assert.deepEqual(properties, { region: hidden.config, plan: { seats: [hidden.deep, "open"] } });

    const drift = { region: hidden.config, plan: { seats: [hidden.later, "open"] } };
    emulator.putGroup({ userGroupId: "acme", name: hidden.later, properties: drift });
    succeeds(await stack.refresh({ flags: ["--diff"] }));
    assert(isSecret((await stack.resource("acme")).inputs["name"]));
    const preview = succeeds(await stack.preview({ flags: ["--diff"] }));
    assert(stepsOf(preview, "acme").includes("replace"));
    assert.match(preview.output, /seats: \[secret\]/);
  });
});

const program = packageProgram(`
  const region = new pulumi.Config().requireSecret("region");
  new UserGroup("acme", {
    userGroupId: "acme",
    name: pulumi.secret("${hidden.name}"),
    mapping: { sales: pulumi.secret("${hidden.mapping}") },
    properties: { region, plan: { seats: [pulumi.secret("${hidden.deep}"), "open"] } },
  });
`);
