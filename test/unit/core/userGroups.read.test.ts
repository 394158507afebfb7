import assert from "node:assert/strict";
import { inWorld } from "../world";
import { create, effects, many, read, remove, tokensIn } from "./manyGroups";

describe("UserGroups, read", () => {
  it(
    "leaves a record as it is that still fits",
    inWorld({ emptyProperties: "null" }, async ({ emulator, warnings }) => {
      const args = {
        groups: { ...many(3), acme: { name: "Acme", mapping: { sales: 1 }, dataSourceProvidedId: "tab" } },
        deletionLimit: 2,
      };
      const record = await create(args);
      emulator.clearRequests();
      assert.deepEqual(await read(record), { outputs: record, inputs: args });
      assert(emulator.requests.every(({ effect }) => effect === "returned"));
      assert.equal(emulator.requests.length, 4);
      assert.deepEqual(warnings, []);
    }),
  );

  it(
    "records other names, properties and tokens, as outputs and as inputs",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(4) });
      emulator.renameGroup("t0", "Theirs");
      emulator.putGroup({ userGroupId: "t1", name: "Tenant", properties: { region: "us" } });
      emulator.rotateToken("t2");
      const { outputs, inputs } = await read(record);
      const groups = {
        ...many(4),
        t0: { name: "Theirs" },
        t1: { name: "Tenant", properties: { region: "us" } },
      };
      assert.deepEqual(outputs, { groups, tokens: tokensIn(emulator), adopted: [] });
      assert.deepEqual(inputs, { groups });
    }),
  );

  it(
    "creates again what was gone, says so in one line for all, and no longer counts it as adopted",
    inWorld({}, async ({ emulator, warnings }) => {
      emulator.putGroup({ userGroupId: "t0", name: "Tenant" });
      emulator.putGroup({ userGroupId: "t1", name: "Tenant" });
      const record = await create({ groups: many(4) });
      assert.deepEqual(record.adopted, ["t0", "t1"]);
      for (const id of ["t0", "t2"]) emulator.removeGroup(id);
      const { outputs } = await read(record);
      assert.deepEqual(outputs.adopted, ["t1"]);
      assert.deepEqual(outputs.tokens, tokensIn(emulator));
      assert.equal(warnings.length, 2);
      assert.match(
        warnings[1] ?? "",
        /user groups .*"t\d".* were gone; they have been created again and have new tokens/,
      );
    }),
  );

  it(
    "fails where a group can't be read, and can be done again",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(3) });
      emulator.fault({ kind: "refuse", userGroupId: "t1" });
      await assert.rejects(read(record), (error) => {
        assert(error instanceof Error && !("id" in error));
        assert.match(
          error.message,
          /^Cannot read all user groups: 1 failed\..*"t1".*Run the same command again/,
        );
        return true;
      });
      assert.deepEqual((await read(record)).outputs, record);
    }),
  );
});

describe("UserGroups, delete", () => {
  it(
    "deletes every group with its own token",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(3) });
      emulator.clearRequests();
      await remove(record);
      assert.deepEqual(effects(emulator), ["DELETE t0 deleted", "DELETE t1 deleted", "DELETE t2 deleted"]);
    }),
  );

  it(
    "goes on where one fails, says so, and deletes the rest when it is done again",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(4) });
      emulator.rotateToken("t1");
      await assert.rejects(remove(record), {
        code: "unfinished",
        message:
          /^Cannot delete all user groups: 1 failed\. Cannot delete user group "t1": the service refused.*pulumi refresh.*\[service-refused\]/,
      });
      assert.deepEqual([...emulator.groups.keys()], ["t1"]);

      const { outputs } = await read({ ...record, groups: { t1: { name: "Tenant" } } });
      await remove({ ...record, tokens: { ...record.tokens, ...outputs.tokens } });
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "tries all, where each alone is refused because its token is stale, or its address says 404",
    inWorld({ env: { USER_GROUPS_MAX_CONNECTIONS: "2" } }, async ({ emulator }) => {
      const record = await create({ groups: many(8) });
      emulator.fault({ kind: "refuse", status: 404, method: "DELETE", userGroupId: "t3" });
      await assert.rejects(remove(record), { message: /1 failed\. Cannot delete user group "t3"/ });
      assert.deepEqual([...emulator.groups.keys()], ["t3"]);
    }),
  );
});
