import assert from "node:assert/strict";
import { isSecret, newFixture, stepsOf, succeeds, warningsOf, type Result } from "./harness";

/** Texts that must be read nowhere; the harness looks for them after each operation. */
const hidden = {
  name: "hidden-name",
  mapping: "hidden-mapping",
  property: "hidden-property",
  deep: "hidden-deep-property",
  config: "hidden-config",
  later: "hidden-later",
};
const secretFields = {
  named: "name",
  mapped: "mapping",
  propertied: "properties",
  deep: "properties",
  configured: "properties",
};

describe("a secret", () => {
  const fixture = newFixture(() => ({
    program,
    config: { "tests:region": { secret: hidden.config } },
    secrets: Object.values(hidden),
  }));
  let preview: Result;
  let created: Result;
  before(async () => {
    preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    created = succeeds(await fixture.stack.up());
  });

  const areSecret = async () => {
    for (const [name, field] of Object.entries(secretFields)) {
      const { inputs, outputs } = await fixture.stack.resource(name);
      assert(holdsSecret(inputs[field]), `input ${field} of ${name}`);
      assert(holdsSecret(outputs[field]), `output ${field} of ${name}`);
      assert(isSecret(outputs["token"]), `token of ${name}`);
    }
  };

  it("reaches the service in plain text", () => {
    const { groups } = fixture.emulator;
    assert.equal(groups.get("named")?.name, hidden.name);
    assert.deepEqual(groups.get("mapped")?.mapping, { sales: hidden.mapping });
    assert.deepEqual(groups.get("propertied")?.properties, { region: hidden.property });
    assert.deepEqual(groups.get("deep")?.properties, { plan: { seats: [hidden.deep, "open"] } });
    assert.deepEqual(groups.get("configured")?.properties, { region: hidden.config });
  });

  it("is shown as [secret] in the preview, and is one in the state", async () => {
    assert.match(preview.output, /name *: \[secret\]/);
    assert.deepEqual(warningsOf(created), []);
    await areSecret();
  });

  it("stays one after a refresh", async () => {
    succeeds(await fixture.stack.refresh());
    await areSecret();
  });

  describe("that somebody else has changed", () => {
    let preview: Result;
    before(async () => {
      const seats = [hidden.later, "open"];
      fixture.emulator.renameGroup("named", hidden.later);
      fixture.emulator.putGroup({
        userGroupId: "propertied",
        name: "Tenant",
        properties: { region: hidden.later },
      });
      fixture.emulator.putGroup({ userGroupId: "deep", name: "Tenant", properties: { plan: { seats } } });
      succeeds(await fixture.stack.refresh({ flags: ["--diff"] }));
      preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    });

    it("stays one after a refresh", areSecret);

    it("is shown as [secret] in the preview of its correction", () => {
      for (const name of ["named", "propertied", "deep"])
        assert(stepsOf(preview, name).includes("replace"), name);
      assert.match(preview.output, /seats: \[secret\]/);
    });
  });
});

/** Whether the value or a part of it is secret; the harness sees to it that nothing secret is in the rest. */
function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

const program = `
  const pulumi = require("@pulumi/pulumi");
  const { UserGroup } = require("pulumi-user-groups");
  const region = new pulumi.Config().requireSecret("region");
  for (const [userGroupId, args] of Object.entries({
    named: { name: pulumi.secret("${hidden.name}") },
    mapped: { mapping: { sales: pulumi.secret("${hidden.mapping}") } },
    propertied: { properties: pulumi.secret({ region: "${hidden.property}" }) },
    deep: { properties: { plan: { seats: [pulumi.secret("${hidden.deep}"), "open"] } } },
    configured: { properties: { region } },
  }))
    new UserGroup(userGroupId, { userGroupId, name: "Tenant", ...args });
`;
