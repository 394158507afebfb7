import assert from "node:assert/strict";
import {
  isSecret,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  valuesOf,
  warningsOf,
  type Result,
} from "./harness";

const groups = ["by-id", "by-name", "by-mapping", "by-property", "by-whole", "by-adopt"];

describe("values that aren't known before up", () => {
  const fixture = newFixture(() => ({ program: programOf("first") }));
  let firstPreview: Result;
  before(async () => {
    firstPreview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
    assert.deepEqual(requestsTo(fixture.emulator), []);
    succeeds(await fixture.stack.up());
  });

  it("pass the preview of a new group at any depth, without a request", () => {
    assert.deepEqual(firstPreview.changes, { create: 2 + groups.length });
    assert.deepEqual(warningsOf(firstPreview), []);
    assert.match(firstPreview.output, /region: \[unknown\]/);
  });

  it("reach the service once they are known", () => {
    const none = { name: "Tenant", mapping: undefined, properties: undefined };
    const wanted = {
      "by-id": none,
      "by-name": { ...none, name: "Tenant created" },
      "by-mapping": { ...none, mapping: { sales: 4, stock: "b" } },
      "by-property": { ...none, properties: { at: [{ region: "eu" }, 1] } },
      "by-whole": { ...none, properties: { region: "eu" } },
      "by-adopt": none,
    };
    for (const [id, values] of Object.entries(wanted))
      assert.deepEqual(valuesOf({ ...fixture.emulator.groups.get(id) }), values);
  });

  describe("in groups that are there", () => {
    let preview: Result;
    let up: Result;
    let formerTokens: Record<string, string>;
    before(async () => {
      formerTokens = tokensOf(fixture.emulator);
      fixture.emulator.clearRequests();
      await fixture.stack.program(programOf("second"));
      preview = succeeds(await fixture.stack.preview());
      assert.deepEqual(requestsTo(fixture.emulator), []);
      up = succeeds(await fixture.stack.up());
    });

    it("count as changes in the preview", () => {
      assert.deepEqual(stepsOf(preview, "by-adopt"), ["update"]);
      for (const name of groups.filter((each) => each !== "by-adopt"))
        assert(stepsOf(preview, name).includes("replace"), name);
    });

    it("change nothing where they turn out to be what they were", () => {
      for (const name of groups) {
        assert.deepEqual(stepsOf(up, name), ["same"]);
        assert.deepEqual(requestsTo(fixture.emulator, name), []);
      }
      const { first, second, ...tokens } = tokensOf(fixture.emulator);
      assert.deepEqual({ first: formerTokens["first"], ...tokens }, formerTokens);
      assert(first === undefined && second !== undefined);
    });

    it("leave the token a secret", async () => {
      for (const name of groups) assert(isSecret((await fixture.stack.resource(name)).outputs["token"]));
    });
  });
});

/** All groups take a value from an output of \`upstream\`, which is known only once that is created. */
function programOf(upstream: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const upstream = new UserGroup("${upstream}", { userGroupId: "${upstream}", name: "First" });
    const later = (value) => upstream.adopted.apply(() => value);
    const name = "Tenant";
    new UserGroup("by-id", { userGroupId: later("by-id"), name });
    new UserGroup("by-name", { userGroupId: "by-name", name: later("Tenant created") });
    new UserGroup("by-mapping", { userGroupId: "by-mapping", name, mapping: { sales: later(4), stock: "b" } });
    new UserGroup("by-property", {
      userGroupId: "by-property", name, properties: { at: [{ region: later("eu") }, 1] },
    });
    new UserGroup("by-whole", { userGroupId: "by-whole", name, properties: later({ region: "eu" }) });
    new UserGroup("by-adopt", { userGroupId: "by-adopt", name, adopt: upstream.adopted.apply((adopted) => !adopted) });
  `;
}
