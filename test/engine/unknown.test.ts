/** Values that aren't known before up: the engine passes them on in its own form. */
import assert from "node:assert/strict";
import {
  fails,
  newFixture,
  packageProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
} from "../support/engine";

const ones = ["by-id", "by-name", "by-mapping", "by-property", "by-whole", "by-adopt"];
const manies = ["many-field", "many-group", "many-map"];

describe("values that aren't known before up", () => {
  const fixture = newFixture(() => ({ program: programOf("first") }));

  it("reach the service once they are known, and change nothing where they turn out to be what they were", async () => {
    const { stack, emulator } = fixture;
    const preview = succeeds(await stack.preview({ flags: ["--diff"] }));
    assert.deepEqual(preview.changes, { create: 2 + ones.length + manies.length });
    assert.match(preview.output, /region: \[unknown\]/);
    succeeds(await stack.up());
    const { groups } = emulator;
    assert.equal(groups.get("by-name")?.name, "Tenant created");
    assert.deepEqual(groups.get("by-mapping")?.mapping, { sales: 4, stock: "b" });
    assert.deepEqual(groups.get("by-property")?.properties, { at: [{ region: "eu" }, 1] });
    assert.deepEqual(groups.get("by-whole")?.properties, { region: "eu" });

    const { first: _, ...former } = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf("second"));
    const changed = succeeds(await stack.preview());
    // Only the diff that knows the values may replace a resource.
    for (const name of [...ones, ...manies]) assert.deepEqual(stepsOf(changed, name), ["update"]);
    const warnings = warningsOf(changed).join("\n");
    for (const id of ones.slice(0, -1))
      assert.match(warnings, new RegExp(`"${id}" is possibly .*\\[possible-new-token\\]`));
    for (const id of ["in-field", "in-group"])
      assert(warnings.includes(`possibly 1 to delete and create again with a new token ("${id}"`));

    const up = succeeds(await stack.up());
    for (const name of ones) assert.deepEqual(stepsOf(up, name), ["same"]);
    assert.deepEqual(requestsTo(emulator), ['GET "second" created 200', 'DELETE "first" deleted 200']);
    const { second: __, ...tokens } = tokensOf(emulator);
    assert.deepEqual(tokens, former);
  });

  // The engine compares them with unknown values before it deletes what they depend on.
  it("keep their groups while the resource that they depend on is deleted and created again", async () => {
    const { stack, emulator } = fixture;
    const { second: _, ...before } = tokensOf(emulator);
    emulator.clearRequests();
    await stack.program(programOf("second", "Renamed"));
    const up = succeeds(await stack.up());
    assert(stepsOf(up, "second").includes("delete-replaced"));
    for (const name of [...ones, ...manies]) assert.deepEqual(stepsOf(up, name), ["same"]);
    assert.deepEqual(requestsTo(emulator), ['DELETE "second" deleted 200', 'GET "second" created 200']);
    const { second: __, ...tokens } = tokensOf(emulator);
    assert.deepEqual(tokens, before);
  });
});

describe("a text that a program made of an output", () => {
  const program = (id: string) =>
    packageProgram(`
      const upstream = new UserGroup("upstream", { userGroupId: "upstream", name: "First" });
      new UserGroup("cust", { userGroupId: ${id}, name: "Customer" });
    `);
  const fixture = newFixture(() => ({ program: program('"cust-" + upstream.adopted') }));

  it("fails the program in the preview, and one by pulumi.interpolate is the group's ID", async () => {
    const { stack, emulator } = fixture;
    const problem = "The argument userGroupId contains an Output: use pulumi.interpolate";
    fails(await stack.preview(), new RegExp(`${problem}.*\\[argument-invalid\\]`));
    assert.deepEqual(emulator.requests, []);
    await stack.program(program("require('@pulumi/pulumi').interpolate`cust-${upstream.adopted}`"));
    succeeds(await stack.up());
    assert.deepEqual([...emulator.groups.keys()], ["upstream", "cust-false"]);
  });
});

/** All groups take a value from an output of `upstream`, which is known only once that is created. */
function programOf(upstream: string, name = "First"): Record<string, string> {
  return packageProgram(`
    const upstream = new UserGroup("${upstream}", { userGroupId: "${upstream}", name: "${name}" });
    const later = (value) => upstream.adopted.apply(() => value);
    const name = "Tenant";
    new UserGroup("by-id", { userGroupId: later("by-id"), name });
    new UserGroup("by-name", { userGroupId: "by-name", name: later("Tenant created") });
    new UserGroup("by-mapping", { userGroupId: "by-mapping", name, mapping: { sales: later(4), stock: "b" } });
    const properties = { at: [{ region: later("eu") }, 1] };
    new UserGroup("by-property", { userGroupId: "by-property", name, properties });
    new UserGroup("by-whole", { userGroupId: "by-whole", name, properties: later({ region: "eu" }) });
    new UserGroup("by-adopt", { userGroupId: "by-adopt", name, adopt: later(false) });
    new UserGroups("many-field", { deletionLimit: 0, groups: { "in-field": { name: later(name) }, one: { name } } });
    new UserGroups("many-group", { deletionLimit: 0, groups: { "in-group": later({ name }), two: { name } } });
    new UserGroups("many-map", { deletionLimit: 0, groups: later({ "in-map": { name }, three: { name } }) });
  `);
}
