/** What the engine makes of the product's lines: at which resource it shows them, and which it counts as warnings. */
import assert from "node:assert/strict";
import { fails, newFixture, packageProgram, pluginProgram, succeeds, type Result } from "../support/engine";

for (const [form, programOf, type] of [
  ["the package", packageProgram, "pulumi-nodejs:dynamic/user-groups:"],
  ["the plugin", pluginProgram, "user-groups:index:"],
] as const)
  describe(`the lines of ${form}`, () => {
    const fixture = newFixture((emulator) => {
      for (const userGroupId of ["acme", "globex"]) emulator.putGroup({ userGroupId, name: "Tenant" });
      emulator.fault({ kind: "refuse", userGroupId: "broken", status: 400 });
      return {
        program: programOf(`
          const parent = new pulumi.ComponentResource("tests:index:Customers", "customers");
          new UserGroup("acme", { userGroupId: "acme", name: "Tenant" }, { parent });
          new UserGroups("tenants", { groups: { globex: { name: "Tenant" }, broken: { name: "Tenant" } } });
        `),
      };
    });

    it("stand at their resources, and the engine counts the warnings, also of an operation that fails", async () => {
      const { stack, emulator } = fixture;
      const preview = succeeds(await stack.preview());
      assert.deepEqual(linesOf(preview), [
        [
          "info",
          `${type}UserGroups::tenants`,
          'user groups in this change: 2 to create or adopt ("broken", "globex").',
        ],
      ]);
      const up = linesOf(fails(await stack.up(), /user group "broken"/));
      const adopted = up.filter(([, , line]) => line.endsWith("[adopted]"));
      assert.deepEqual(
        new Set(
          adopted.map(([severity, resource, line]) => [severity, resource, line.slice(0, 19)].join(" ")),
        ),
        new Set([
          `warning tests:index:Customers$${type}UserGroup::acme user group "acme" e`,
          `warning ${type}UserGroups::tenants user group "globex"`,
        ]),
      );
      emulator.clearFaults();
      succeeds(await stack.up());
      // Without a program, the engine tells a dynamic provider nothing of the stack.
      const [resource, mark] = form === "the plugin" ? [`${type}UserGroups::tenants`, ""] : ["", "tenants: "];
      const deleted = 'user groups to delete with their resource: 2 ("broken", "globex").';
      assert.deepEqual(linesOf(succeeds(await stack.destroy())), [["info", resource, mark + deleted]]);
    });
  });

/** Severity, resource and text of each line of the product; the resource without stack and project. */
function linesOf({ diagnostics }: Result): [severity: string, resource: string, line: string][] {
  return diagnostics
    .filter(({ severity }) => severity !== "error")
    .map(({ severity, urn, message }) => [severity, urn.split("::").slice(2).join("::"), message.trim()]);
}
