import assert from "node:assert/strict";
import { acme, behavior, declareEach, declareMany, resource } from "./contract";
import { fails, succeeds, type Program } from "./stackContext";

const tenant = { name: "Tenant" };

describe("contract: one group in several resources", () => {
  behavior("is refused in the preview, of new and existing resources", async (context) => {
    const existing = [...declareEach({ single: tenant }), ...declareMany({ "of-many": tenant })];
    await context.applies(existing);
    const one = (userGroupId: string) => resource("other", "userGroup", { userGroupId, ...tenant });
    const many = resource("others", "userGroups", { groups: { "of-many": tenant } });
    for (const [id, added] of [
      ["single", one("single")],
      ["of-many", one("of-many")],
      ["of-many", many],
    ] as const)
      fails(await context.preview([...existing, added]), new RegExp(`"${id}".*\\[declared-twice\\]`, "s"));
  });

  for (const [what, account] of [
    ["to one account is refused when the service returns the same token", undefined],
    ["to two accounts is allowed", "another account"],
  ] as const)
    behavior(`by two connections ${what}`, { drivers: ["provider"] }, async (context) => {
      const { baseUrl, apiToken } = context.emulator;
      const settings = {
        "a.baseUrl": account ? context.other.baseUrl : `${baseUrl}/`,
        "a.apiToken": apiToken,
      };
      Object.assign(context.settings, settings);
      const program: Program = [
        resource("one", "userGroup", { userGroupId: "acme", ...acme }),
        resource("two", "userGroup", { userGroupId: "acme", ...tenant, connection: "a" }),
      ];
      succeeds(await context.preview(program));
      const run = await context.up(program);
      if (account) succeeds(run);
      else fails(run, /"acme" \(connection "a"\).*\[declared-twice\]/);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
      assert.equal((await context.resources()).length, account ? 2 : 1);
    });
});
