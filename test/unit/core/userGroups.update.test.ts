import assert from "node:assert/strict";
import { bodies, inWorld } from "../world";
import { create, effects, many, recordedBy, tokensIn, update } from "./manyGroups";

describe("UserGroups, update", () => {
  it(
    "creates what is added, deletes what leaves, and leaves the rest alone",
    inWorld({}, async ({ emulator, warnings }) => {
      const record = await create({ groups: many(4) });
      emulator.clearRequests();
      const { t0, t3, ...kept } = record.groups;
      const next = await update(record, { groups: { ...kept, added: { name: "Added" } } });
      assert.deepEqual(effects(emulator), ["DELETE t0 deleted", "DELETE t3 deleted", "GET added created"]);
      assert.deepEqual(Object.keys(next.groups), ["added", "t1", "t2"]);
      assert.deepEqual(next.tokens, tokensIn(emulator));
      assert.deepEqual(warnings, []);
      assert(t0 && t3);
    }),
  );

  it(
    "deletes with the token and the data source of the record",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: { acme: { name: "Acme", dataSourceProvidedId: "tab" } } });
      emulator.clearRequests();
      await update(record, { groups: {} });
      assert.deepEqual(bodies(emulator), [
        {
          method: "DELETE",
          body: {
            user_group_id: "acme",
            current_token: record.tokens["acme"],
            data_source_provided_id: "tab",
          },
        },
      ]);
    }),
  );

  it(
    "only forgets what leaves, with removed: retain, and takes it over when it comes back",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(3) });
      emulator.clearRequests();
      const less = await update(record, { groups: many(1), removed: "retain" });
      assert.deepEqual(emulator.requests, []);
      assert.deepEqual(Object.keys(less.tokens), ["t0"]);
      assert.equal(emulator.groups.size, 3);

      const again = await update(less, { groups: many(3), removed: "retain" });
      assert.deepEqual(again.tokens, record.tokens);
      assert.deepEqual(again.adopted, ["t1", "t2"]);
    }),
  );

  it(
    "deletes a group whose values change, and creates it again with another token",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(3) });
      emulator.clearRequests();
      const groups = { ...many(3), t1: { name: "Renamed" } };
      const next = await update(record, { groups });
      assert.deepEqual(
        emulator.requests.map(({ method, userGroupId, effect }) => [method, userGroupId, effect]),
        [
          ["DELETE", "t1", "deleted"],
          ["GET", "t1", "created"],
        ],
      );
      assert.deepEqual(next.groups, groups);
      assert.notEqual(next.tokens["t1"], record.tokens["t1"]);
      assert.deepEqual(next.tokens, tokensIn(emulator));
    }),
  );

  it(
    "changes what is only recorded without a request",
    inWorld({}, async ({ emulator }) => {
      const record = await create({ groups: many(2) });
      emulator.clearRequests();
      const args = {
        groups: { ...many(2), t1: { name: "Tenant", dataSourceProvidedId: "tab" } },
        adopt: false,
      };
      assert.deepEqual(await update(record, args), { ...record, ...args });
      assert.deepEqual(emulator.requests, []);
    }),
  );

  describe("with changes: update", () => {
    const env = { USER_GROUPS_CHANGES: "update" };

    it(
      "changes the values of the group in place, and keeps its token",
      inWorld({ env, existing: "update" }, async ({ emulator, warnings }) => {
        const record = await create({ groups: many(3) });
        emulator.clearRequests();
        const groups = {
          ...many(3),
          t1: { name: "New", mapping: { sales: 1 } },
          t2: { name: "Tenant", mapping: { sales: 2 } },
        };
        const next = await update(record, { groups });
        assert.deepEqual(effects(emulator), ["GET t1 updated", "GET t2 updated"]);
        assert.deepEqual(next, { ...record, groups });
        assert.equal(warnings.length, 1);
        assert.match(
          warnings[0] ?? "",
          /user groups .* have got their new mappings by an update that can't be confirmed/,
        );
      }),
    );

    it(
      "fails where the service doesn't, with the record of that group as it was",
      inWorld({ env, existing: "keep" }, async ({ emulator }) => {
        const record = await create({ groups: many(2) });
        const { record: unfinished, reasons } = await recordedBy(
          update(record, { groups: { t0: { name: "New" }, t1: { name: "Tenant" }, t2: { name: "Added" } } }),
        );
        assert.match(
          reasons.join("\n"),
          /"t0": the service still shows another name.*\[update-not-applied\]/,
        );
        assert.deepEqual(unfinished.groups, { ...record.groups, t2: { name: "Added" } });
        assert.deepEqual(unfinished.tokens, tokensIn(emulator));
      }),
    );
  });
});
