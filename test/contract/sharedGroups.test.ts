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

  behavior(
    "is refused whatever the spelling of the service's address",
    async (context) => {
      const { baseUrl, apiToken } = context.emulator;
      Object.assign(context.settings, { "a.baseUrl": `${baseUrl}/`, "a.apiToken": apiToken });
      const program: Program = [...declareEach({ acme }), ...declareMany({ acme }, { connection: "a" })];
      fails(await context.preview(program), /"acme".*\[declared-twice\]/s);
    },
    { drivers: ["provider", "engine"] },
  );

  behavior("is kept when UserGroups give it to a lookup, and only that one", async (context) => {
    await context.applies(declareMany({ acme, gone: tenant }));
    const token = context.token("acme");
    context.requests();
    const args = { userGroupId: "acme", ...acme };
    await context.applies([resource("found", "userGroup", args, { isLookup: true })]);
    assert.deepEqual(context.requests().sort(), ["DELETE gone deleted", "GET acme returned"]);
    assert.equal((await context.group("acme"))?.token, token);
    succeeds(await context.refresh());
    succeeds(await context.destroy());
    assert.deepEqual([context.token("acme"), (await context.resources()).length], [token, 0]);
  });
});
