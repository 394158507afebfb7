import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { behavior, declareMany, resource } from "./contract";

describe("contract: UserGroups", () => {
  behavior("of groups add and remove them, and one line says how many", async (context) => {
    const tenant = { name: "Tenant" };
    await context.applies(declareMany({ a: tenant, b: tenant, c: tenant }));
    const [, tokenOfB] = [context.requests(), context.token("b")];
    const program = declareMany({ b: tenant, c: { name: "New" }, d: tenant });
    const { changes, warnings } = await context.preview(program);
    assert.deepEqual(changes["tenants"], "update");
    assert.match(
      warnings.join("\n"),
      /1 to create .*1 to delete .*1 to delete and create again with a new token/,
    );
    await context.applies(program);
    assert.deepEqual(context.requests().sort(), [
      "DELETE a deleted",
      "DELETE c deleted",
      "GET c created",
      "GET d created",
    ]);
    assert.equal(context.token("b"), tokenOfB);
  });

  for (const [what, path] of [
    ["groups", "groups"],
    ["the name of one", "groups.stays.name"],
  ] as const)
    behavior(
      `lose a customer in the up that replaces what ${what} is made of`,
      { drivers: what === "groups" ? undefined : ["provider", "plugin"] },
      async (context) => {
        const program = (name: string, groups: object) => [
          resource("sheet", "userGroup", { userGroupId: "sheet", name }),
          resource("tenants", "userGroups", { groups }, { valuesFrom: { [path]: "sheet" } }),
        ];
        const stays = { name: "Stays" };
        await context.applies(program("One", { stays, leaves: { name: "Leaves" } }));
        const { errors } = await context.up(program("Two", { stays }));
        const isLost = context.token("leaves") !== undefined && (await context.group("leaves")) === undefined;
        assert(!isLost, "The group is in the service, and in no state");
        assert.deepEqual([errors, [...context.emulator.groups.keys()].sort()], ["", ["sheet", "stays"]]);
      },
    );
});

describe("contract: the groups of UserGroups", () => {
  behavior(
    "need as many requests and bytes each, whatever their number",
    { drivers: ["provider"], settings: { maxConnections: "5" } },
    async (context) => {
      const sizes: number[] = [];
      const requestsOf = async (run: Promise<unknown>, expected: number) => {
        await run;
        assert.equal(context.requests().length, expected);
      };
      for (const count of [25, 100]) {
        await requestsOf(context.applies(declareMany(many(count))), count);
        sizes.push(JSON.stringify(await context.resource("tenants")).length / count);
        await requestsOf(context.refresh(), count);
        await requestsOf(context.applies(declareMany(many(count))), 0);
        await requestsOf(context.applies(declareMany(many(count, { name: "New" }))), 2 * count);
        await requestsOf(context.destroy(), count);
        assert.equal(context.emulator.groups.size, 0);
      }
      const [few = 0, more = Infinity] = sizes;
      assert(few - more < 30 && more - few < 4, `${few} and ${more} bytes a group`);
      assert.deepEqual([context.emulator.connections, context.emulator.peakConnections], [5, 5]);
    },
  );
});
