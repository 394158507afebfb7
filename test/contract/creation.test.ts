import assert from "node:assert/strict";
import { groupsOf } from "../model/groups";
import { behavior, behaviorOfBoth, declareMany, fails, succeeds } from "./contract";
import { changedField, otherGroup } from "../harness/responseFaults";

const acme = { name: "Acme", mapping: { sales: "one" }, properties: { region: "eu" } };

describe("contract: creation", () => {
  behaviorOfBoth("creates the group, and records its token", async (context, declare) => {
    await context.applies(declare({ acme }));
    const group = context.emulator.groups.get("acme");
    assert(group);
    assert.deepEqual(
      [group.name, group.mapping, group.properties],
      ["Acme", { sales: "one" }, { region: "eu" }],
    );
    const { token, adopted } = (await context.group("acme")) ?? {};
    assert.deepEqual([token, adopted], [group.token, false]);
    const { name, mapping, properties } = acme;
    assert.deepEqual(context.bodies(), [{ user_group_id: "acme", name, mapping, properties }]);
    assert.deepEqual(context.requests(), ["GET acme created"]);
    assert.deepEqual((await context.applies(declare({ acme }))).warnings, []);
    assert.deepEqual(context.requests(), []);
  });

  behaviorOfBoth("adopts a group that exists, with a warning about its mapping", async (context, declare) => {
    context.emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { sales: "theirs" } });
    const { warnings } = await context.applies(
      declare({ acme: { name: "Acme", mapping: { sales: "ours" } } }),
    );
    assert.match(warnings.join("\n"), /acme.*mapping/s);
    const { token, adopted } = (await context.group("acme")) ?? {};
    assert.deepEqual([token, adopted], [context.token("acme"), true]);
    assert.deepEqual(context.requests(), ["GET acme returned"]);
  });

  behaviorOfBoth(
    "without adoption refuses a group that exists, and records nothing",
    async (context, declare) => {
      context.emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      fails(await context.up(declare({ acme }, { adopt: false })), /"acme".*\[adoption-refused\]/);
      assert.equal(await context.group("acme"), undefined);
      succeeds(await context.destroy());
      assert(context.token("acme"));
    },
  );

  for (const when of ["before", "after"] as const)
    behaviorOfBoth(
      `without adoption refuses a group that a failed attempt may have created (lost ${when} the effect)`,
      async (context, declare) => {
        if (when === "before") context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
        context.emulator.fault({ kind: "drop", when });
        fails(await context.up(declare({ acme }, { adopt: false })), /"acme".*\[adoption-ambiguous\]/);
        assert.equal(await context.group("acme"), undefined);
        succeeds(await context.destroy());
        assert(context.token("acme"));
      },
    );

  behaviorOfBoth(
    "records as sent what the service stores otherwise, and settles",
    async (context, declare) => {
      const program = declare({ acme: { name: " Acme ", properties: { seats: 2 } } });
      const normalize = (name: string, properties: object) => ({
        name: name.trim(),
        properties: { plan: "basic", ...properties },
      });
      context.emulator.configure({
        normalize: ({ name, properties = {}, ...values }) => ({ ...values, ...normalize(name, properties) }),
      });
      await context.applies(program);
      const token = context.token("acme");
      for (let round = 0; round < 2; round += 1) {
        assert.doesNotMatch(
          JSON.stringify((await context.preview(program)).changes),
          /update|replace|create/,
        );
        await context.applies(program);
        succeeds(await context.refresh());
      }
      assert.equal(context.token("acme"), token);
      assert.equal((await context.group("acme"))?.name, " Acme ");
    },
  );

  behaviorOfBoth("never records another group's token", async (context, declare) => {
    context.emulator.putGroup({ userGroupId: "other", name: "Other" });
    context.emulator.fault({ ...otherGroup(context.emulator), times: Infinity });
    fails(await context.up(declare({ acme })), /"acme".*\[wrong-group\]/);
    assert.equal(await context.group("acme"), undefined);
  });

  behaviorOfBoth(
    "takes an empty name in a response, and the state stays usable",
    async (context, declare) => {
      context.emulator.fault({ ...changedField("user_group.name", ""), times: 2 });
      await context.applies(declare({ acme }));
      succeeds(await context.refresh());
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  behavior("one bad group stops no other, and the next up does the rest", async (context) => {
    const ids = Array.from({ length: 30 }, (_, n) => `t${n}`);
    const program = declareMany(Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])));
    context.settings["maxConnections"] = "1";
    context.emulator.fault({ ...changedField("user_group.token"), userGroupId: "t3" });
    fails(await context.up(program), /1 failed.*\[partial-failure\]/s, /"t3".*\[response-invalid\]/s);
    assert.equal(groupsOf(await context.resource("tenants")).length, 29);
    await context.applies(program);
    assert.equal((await context.group("t3"))?.token, context.token("t3"));
  });

  behavior("20 groups without a service in a row stop the rest", async (context) => {
    const ids = Array.from({ length: 60 }, (_, n) => `t${n}`);
    const program = declareMany(Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])));
    context.settings["maxConnections"] = "1";
    context.emulator.fault({ kind: "status", status: 501, times: Infinity });
    fails(await context.up(program), /20 failed/, /40 .*not tried/);
    assert.equal(context.requests().length, 20);
  });

  behavior(
    "waiting for a connection is neither a time-out nor an attempt",
    async (context) => {
      const ids = Array.from({ length: 10 }, (_, n) => `t${n}`);
      context.emulator.configure({ latency: 300 });
      Object.assign(context.settings, { maxConnections: "1", timeout: "2" });
      await context.applies(
        declareMany(Object.fromEntries(ids.map((id) => [id, { name: "T" }])), { adopt: false }),
      );
      assert.deepEqual(
        context.requests().sort(),
        ids.map((id) => `GET ${id} created`),
      );
    },
    { drivers: ["plugin", "engine"] },
  );
});
