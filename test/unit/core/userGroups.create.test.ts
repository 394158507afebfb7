import assert from "node:assert/strict";
import { bodies, inWorld } from "../world";
import { create, effects, many, recordedBy, tokensIn, update } from "./manyGroups";

describe("UserGroups, create", () => {
  it(
    "sends of each group what the program says, and records it with the token",
    inWorld({}, async ({ emulator, warnings }) => {
      const acme = { name: "Acme", mapping: { sales: "one", 7: 42 }, properties: { region: "eu" } };
      const groups = { acme: { ...acme, dataSourceProvidedId: "tab" }, globex: { name: "Globex" } };
      const record = await create({ groups, removed: "retain", deletionLimit: 1 });
      assert.deepEqual(record, {
        groups,
        removed: "retain",
        deletionLimit: 1,
        tokens: tokensIn(emulator),
        adopted: [],
      });
      assert.deepEqual(
        bodies(emulator).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
        [
          { method: "GET", body: { user_group_id: "acme", ...acme } },
          { method: "GET", body: { user_group_id: "globex", name: "Globex" } },
        ],
      );
      assert.deepEqual(warnings, []);
    }),
  );

  it(
    "takes over groups that are there, and says so in one line for all",
    inWorld({}, async ({ emulator, warnings }) => {
      for (const userGroupId of ["t0", "t1", "t2"]) emulator.putGroup({ userGroupId, name: "Tenant" });
      const former = tokensIn(emulator);
      const { adopted, tokens } = await create({ groups: many(5) });
      assert.deepEqual(adopted, ["t0", "t1", "t2"]);
      assert.deepEqual(tokens, { ...tokens, ...former });
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? "",
        /user groups (?=.*"t0")(?=.*"t1")(?=.*"t2").* were there before and are adopted.*can't be confirmed/,
      );
    }),
  );

  it(
    "records other values as the service has them, and says that they differ",
    inWorld({}, async ({ emulator, warnings }) => {
      emulator.putGroup({ userGroupId: "t1", name: "Theirs", properties: { region: "us" } });
      const { groups } = await create({ groups: many(3) });
      assert.deepEqual(groups, { ...many(3), t1: { name: "Theirs", properties: { region: "us" } } });
      assert.match(warnings.join(""), /"t1" has another name or other properties/);
    }),
  );

  it(
    "with adopt: false refuses those that are there, and creates the others",
    inWorld({}, async ({ emulator }) => {
      emulator.putGroup({ userGroupId: "t1", name: "Tenant" });
      const { record, reasons } = await recordedBy(create({ groups: many(3), adopt: false }));
      assert.deepEqual(Object.keys(record.groups), ["t0", "t2"]);
      assert.match(reasons.join("\n"), /"t1": it is there already, and adopt is false.*\[adoption-refused\]/);
      assert.deepEqual(effects(emulator), ["GET t0 created", "GET t1 returned", "GET t2 created"]);
    }),
  );

  it(
    "counts a group whose first answer was lost as created",
    inWorld({}, async ({ emulator, warnings }) => {
      emulator.fault({ kind: "loseAnswer", when: "after", userGroupId: "t1" });
      const { adopted, tokens } = await create({ groups: many(3), adopt: false });
      assert.deepEqual(adopted, []);
      assert.deepEqual(tokens, tokensIn(emulator));
      assert.match(warnings.join(""), /"t1" was there when a request whose answer was lost was repeated/);
    }),
  );

  it(
    "records the groups that were created where others fail, so that an update does the rest",
    inWorld({}, async ({ emulator }) => {
      for (const userGroupId of ["t1", "t4"]) emulator.fault({ kind: "refuse", userGroupId });
      const { record, reasons } = await recordedBy(create({ groups: many(6) }));
      assert.deepEqual(Object.keys(record.groups), ["t0", "t2", "t3", "t5"]);
      assert.deepEqual(record.tokens, tokensIn(emulator));
      assert.match(reasons[0] ?? "", /^Cannot create all user groups: 2 failed\. What was done is recorded/);

      emulator.clearRequests();
      const { tokens } = await update(record, { groups: many(6) });
      assert.deepEqual(effects(emulator), ["GET t1 created", "GET t4 created"]);
      assert.deepEqual(tokens, tokensIn(emulator));
    }),
  );

  it(
    "records no token of another group",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "wrongGroup", userGroupId: "t1" });
      const { record, reasons } = await recordedBy(create({ groups: many(3) }));
      assert.deepEqual(Object.keys(record.tokens), ["t0", "t2"]);
      assert.match(reasons.join("\n"), /"t1".*\[wrong-group\]/);
    }),
  );

  it(
    "records nothing where nothing was created, and stops long before the last group",
    inWorld(
      { env: { USER_GROUPS_MAX_CONNECTIONS: "4", USER_GROUPS_API_TOKEN: "stale" } },
      async ({ emulator }) => {
        await assert.rejects(create({ groups: many(200) }), (error) => {
          assert(error instanceof Error && !("id" in error));
          assert.match(error.message, /\d failed, and 19\d were not tried after that\..*\[unauthorized\]/);
          return true;
        });
        assert(emulator.requests.length < 10);
        assert.equal(emulator.groups.size, 0);
      },
    ),
  );

  it(
    "makes nothing of no groups",
    inWorld({}, async ({ emulator }) => {
      assert.deepEqual(await create({ groups: {} }), { groups: {}, tokens: {}, adopted: [] });
      assert.deepEqual(emulator.requests, []);
    }),
  );

  it(
    "asks once for each of many groups, over no more than maxConnections connections",
    inWorld({ env: { USER_GROUPS_MAX_CONNECTIONS: "5" }, latency: 2 }, async ({ emulator }) => {
      const { tokens } = await create({ groups: many(300) });
      assert.equal(emulator.requests.length, 300);
      assert.deepEqual(tokens, { ...tokensIn(emulator) });
      assert.equal(emulator.peakConnections, 5);
      assert.equal(emulator.connections, 5);
    }),
  );
});
