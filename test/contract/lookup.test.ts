import assert from "node:assert/strict";
import { acme, behavior, behaviorInModel, everyService, resource, returnsStored } from "./contract";
import { fails, succeeds, warnsOfCreatedAgain } from "./stackContext";

function lookup(args: object) {
  return [resource("found", "userGroup", { userGroupId: "acme", ...args }, { isLookup: true })];
}

describe("contract: a lookup", () => {
  for (const service of everyService)
    behavior(
      `returns what the service has (${Object.values(service).join(", ")})`,
      async (context) => {
        const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
        assert.deepEqual((await context.applies(lookup({ name: "Ours" }))).warnings, []);
        const group = await context.group("acme");
        const [name, properties] = returnsStored(service) ? ["Acme", acme.properties] : ["Ours", undefined];
        assert.deepEqual([group?.token, group?.name, group?.properties], [token, name, properties]);
        assert.equal(group?.adopted, true);
        succeeds(await context.destroy());
        assert.equal(context.token("acme"), token);
      },
      { ...service, drivers: service === everyService[0] ? ["provider", "plugin", "engine"] : ["provider"] },
    );

  behavior(
    "of a group that doesn't exist creates it, with a warning",
    async (context) => {
      warnsOfCreatedAgain(await context.applies(lookup({ name: "Acme" })));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
      assert.deepEqual(context.bodies(), [{ user_group_id: "acme", name: "Acme" }]);
    },
    { drivers: ["provider"] },
  );

  behavior(
    "of a group that doesn't exist fails in other languages, which import by lookups, and leaves none",
    async (context) => {
      const { warnings, errors } = await context.up(lookup({ name: "Acme" }));
      assert.match(errors, /user group "acme": it doesn't exist.*\[no-such-group\]/s);
      assert.doesNotMatch(errors, /import/);
      assert.deepEqual(context.requests(), ["GET acme created", "DELETE acme deleted"]);
      assert.deepEqual([warnings, context.emulator.groups.size], [[], 0]);
    },
    { drivers: ["plugin"] },
  );

  behaviorInModel("of a group that a lost response may have created says so", async (context) => {
    context.emulator.fault({ kind: "drop", when: "after", method: "GET" });
    const { warnings } = await context.up(lookup({ name: "Acme" }));
    assert.match(warnings.join("\n"), /^user group "acme" was possibly created by .*\[possibly-created\]$/m);
  });

  behaviorInModel(
    "with changes: update needs mapping and properties, which it would clear",
    async (context) => {
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const { mapping, properties } = acme;
      for (const known of [{}, { mapping }, { properties }])
        fails(await context.up(lookup({ name: "Acme", ...known })), /\[setting-conflict\]/);
      assert.equal(context.emulator.connections, 0);
      await context.applies(lookup(acme));
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, mapping);
    },
    { existing: "update", settings: { changes: "update" } },
  );

  for (const [what, service] of [
    ["updates groups, which keeps its mapping", { existing: "update" }],
    ["replaces the token in each get-or-create, which keeps its token", { existingToken: "replace" }],
  ] as const)
    behaviorInModel(
      `of a group of another resource sends no request to a service that ${what}`,
      async (context) => {
        const declared = resource("acme", "userGroup", { userGroupId: "acme", ...acme });
        await context.applies([declared]);
        const token = context.token("acme");
        context.requests();
        await context.applies([declared, ...lookup({ name: "Ours" })]);
        assert.deepEqual(context.requests(), []);
        assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
        const found = await context.resource("found");
        assert.equal(context.token("acme"), token);
        assert(JSON.stringify(found.outputs).includes(String(token)));
      },
      service,
    );
});
