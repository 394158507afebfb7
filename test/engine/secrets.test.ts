import assert from "node:assert/strict";
import { isSecret, newFixture, packageProgram, stepsOf, succeeds } from "./harness";

/** Texts that must be read nowhere; the harness looks for them after each operation. */
const hidden = {
  name: "hidden-name",
  mapping: "hidden-mapping",
  property: "hidden-property",
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

  it("is shown as [secret] in the preview, and reaches the service in plain text", async () => {
    const preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    assert.match(preview.output, /name *: \[secret\]/);
    succeeds(await fixture.stack.up());
    const { groups } = fixture.emulator;
    assert.equal(groups.get("named")?.name, hidden.name);
    assert.deepEqual(groups.get("mapped")?.mapping, { sales: hidden.mapping });
    assert.deepEqual(groups.get("propertied")?.properties, { region: hidden.property });
    assert.deepEqual(groups.get("deep")?.properties, { plan: { seats: [hidden.deep, "open"] } });
    assert.deepEqual(groups.get("configured")?.properties, { region: hidden.config });
  });

  it("that somebody else has changed stays one after a refresh, and in the preview of its correction", async () => {
    const { emulator, stack } = fixture;
    const put = (userGroupId: string, properties: object) =>
      emulator.putGroup({ userGroupId, name: "Tenant", properties: { ...properties } });
    emulator.renameGroup("named", hidden.later);
    put("propertied", { region: hidden.later });
    put("deep", { plan: { seats: [hidden.later, "open"] } });
    succeeds(await stack.refresh({ flags: ["--diff"] }));
    assert(isSecret((await stack.resource("named")).inputs["name"]));
    const preview = succeeds(await stack.preview({ flags: ["--diff"] }));
    for (const name of ["named", "propertied", "deep"])
      assert(stepsOf(preview, name).includes("replace"), name);
    assert.match(preview.output, /seats: \[secret\]/);
  });
});

const program = packageProgram(`
  const region = new pulumi.Config().requireSecret("region");
  for (const [userGroupId, args] of Object.entries({
    named: { name: pulumi.secret("${hidden.name}") },
    mapped: { mapping: { sales: pulumi.secret("${hidden.mapping}") } },
    propertied: { properties: pulumi.secret({ region: "${hidden.property}" }) },
    deep: { properties: { plan: { seats: [pulumi.secret("${hidden.deep}"), "open"] } } },
    configured: { properties: { region } },
  }))
    new UserGroup(userGroupId, { userGroupId, name: "Tenant", ...args });
`);
