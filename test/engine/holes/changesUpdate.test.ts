import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds } from "../harness";

const theirs = { name: "Theirs", mapping: { sales: "one" }, properties: { region: "eu" } };

/** Get-or-create writes on such a service, so nothing may be requested of a group that must not change. */
describe("changes set to update", () => {
  const world = newWorld(
    (emulator) => {
      for (const userGroupId of ["single", "of-many", "named", "known"])
        emulator.putGroup({ userGroupId, ...theirs });
      return { program, env: { USER_GROUPS_CHANGES: "update" } };
    },
    { existing: "update" },
  );
  const valuesOf = (id: string) => {
    const { name, mapping, properties } = world.emulator.groups.get(id) ?? {};
    return { name, mapping, properties };
  };

  for (const { what, id, resource } of [
    { what: "adopt: false of a UserGroup", id: "single", resource: "single" },
    { what: "adopt: false of UserGroups", id: "of-many", resource: "many" },
    { what: "UserGroup.get with a name only", id: "named", resource: "named" },
  ])
    it(`refuses ${what} before any request`, async () => {
      const failed = fails(await world.stack.up({ env: { DECLARE: resource } }));
      assert.match(errorOf(failed, resource), /changes[^]*\[setting-conflict\]/);
      assert.deepEqual(requestsTo(world.emulator, id), []);
      assert.deepEqual(valuesOf(id), theirs);
    });

  it("allows UserGroup.get with mapping and properties", async () => {
    succeeds(await world.stack.up({ env: { DECLARE: "known" } }));
    assert.deepEqual(valuesOf("known"), theirs);
    assert.equal((await world.stack.plainOutputs())["token"], world.emulator.groups.get("known")?.token);
  });
});

const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const { name, ...rest } = ${JSON.stringify(theirs)};
  const declare = {
    single: () => new UserGroup("single", { userGroupId: "single", name: "Ours", adopt: false }),
    many: () => new UserGroups("many", { groups: { "of-many": { name: "Ours" } }, adopt: false }),
    named: () => UserGroup.get("named", "named", { name }),
    known: () => UserGroup.get("known", "known", { name, ...rest }),
  };
  exports.token = declare[process.env.DECLARE]().token;
`;
