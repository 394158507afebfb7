import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { behavior, behaviorInModel, declareMany, resource } from "./contract";
import { fails, succeeds } from "./stackContext";

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

  behaviorInModel(
    "with removed: retain are released without a request, and adopted when they come back",
    async (context) => {
      const groups = { a: { name: "A" }, b: { name: "B" } };
      const program = (wanted: object) => declareMany({ ...wanted }, { removed: "retain" });
      await context.applies(program(groups));
      const tokens = context.tokens();
      context.requests();
      await context.applies(program({ b: groups.b }));
      assert.deepEqual([context.requests(), await context.group("a")], [[], undefined]);
      await context.applies(program(groups));
      assert.deepEqual(await context.tokenAndAdopted("a"), [tokens["a"], true]);
      assert.deepEqual(await context.tokenAndAdopted("b"), [tokens["b"], false]);
    },
  );

  for (const [what, path] of [
    ["groups", "groups"],
    ["the name of one", "groups.stays.name"],
  ] as const)
    behavior(
      `lose customers in the up that replaces a resource of which ${what} is made, and their groups are deleted`,
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
      { drivers: what === "groups" ? undefined : ["provider", "plugin"] },
    );

  behaviorInModel("that delete more groups than deletionLimit fail in the preview", async (context) => {
    const tenant = { name: "Tenant" };
    await context.applies(declareMany({ a: tenant, b: tenant, c: tenant }, { deletionLimit: 1 }));
    const program = declareMany({ a: tenant }, { deletionLimit: 1 });
    fails(await context.preview(program), /deletionLimit/);
    fails(await context.up(program), /deletionLimit/);
    assert.equal(context.emulator.groups.size, 3);
  });
});

const oneAtATime = { settings: { maxConnections: "1" } } as const;

describe("contract: the groups of UserGroups", () => {
  behaviorInModel(
    "are adopted and created again with one line for each kind",
    async (context) => {
      for (const userGroupId of ["t0", "t1"]) context.emulator.putGroup({ userGroupId, name: "Tenant" });
      context.emulator.putGroup({ userGroupId: "t2", name: "Theirs", properties: { region: "us" } });
      const adoption = await context.applies(declareMany(many(5)));
      const [adopted = "", different = "", ...others] = adoption.warnings;
      assert.match(
        adopted,
        /^3 user groups existed before.*"t[0-2]", "t[0-2]", "t[0-2]".*can't be verified/s,
      );
      assert.match(different, /^user group "t2" .*another name or other properties/s);
      assert.deepEqual(others, []);
      for (const id of ["t0", "t3"]) context.emulator.removeGroup(id);
      const { warnings } = succeeds(await context.refresh());
      assert.match(warnings.join("\n"), /^2 user groups .*created again.*new tokens.*"t[03]", "t[03]"/s);
      for (const [id, token] of Object.entries(context.tokens()))
        assert.deepEqual(await context.tokenAndAdopted(id), [token, ["t1", "t2"].includes(id)]);
    },
    oneAtATime,
  );

  behavior(
    "need as many requests and as many bytes of state for each group, whatever their number",
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
    { drivers: ["provider"], settings: { maxConnections: "5" } },
  );
});
