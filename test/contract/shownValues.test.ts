import assert from "node:assert/strict";
import type { GroupValues } from "../../provider/src/testing";
import { changedField } from "../harness/responseFaults";
import { acme, both, bothInModel } from "./contract";
import { succeeds } from "./stackContext";

const tenant = { name: "Tenant" };

/** Trims the name and adds a default property. */
const normalize = (values: GroupValues): GroupValues => ({
  ...values,
  name: values.name.trim(),
  properties: { plan: "basic", ...values.properties },
});

describe("contract: values that the service shows otherwise", () => {
  both(
    "are drift only if somebody changed them",
    { engine: "release", normalize },
    async (context, declare) => {
      const { emulator } = context;
      const program = declare({ acme: { ...acme, name: " Acme " }, bare: { name: "Bare" } });
      await context.applies(program);
      emulator.renameGroup("acme", "Theirs");
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic", seats: 5 } });
      succeeds(await context.refresh());
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic" } });
      succeeds(await context.refresh());
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
      succeeds(await context.refresh());
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), []);
    },
  );

  bothInModel("as {}, null or no properties are no drift", async (context, declare) => {
    const { emulator } = context;
    const shapes = { empty: {}, null: null, absent: undefined };
    const ids = Object.keys(shapes);
    const program = declare(Object.fromEntries(ids.map((id) => [id, tenant])));
    await context.applies(program);
    for (const userGroupId of ids)
      emulator.putGroup({ userGroupId, ...tenant, properties: { region: "eu" } });
    succeeds(await context.refresh());
    assert.equal(await context.isUpToDate(program), false);
    for (const [userGroupId, value] of Object.entries(shapes)) {
      emulator.putGroup({ userGroupId, ...tenant });
      emulator.fault({ ...changedField("user_group.properties", value), userGroupId, times: Infinity });
    }
    succeeds(await context.refresh());
    assert.equal(await context.isUpToDate(program), true);
  });

  bothInModel("as an empty name are no drift", async (context, declare) => {
    const fault = changedField("user_group.name", "");
    context.emulator.fault({ ...fault, userGroupId: "acme", times: Infinity });
    await context.applies(declare({ acme }));
    succeeds(await context.refresh());
    context.requests();
    await context.applies(declare({ acme, beta: tenant }));
    assert.deepEqual(context.requests(), ["GET beta created"]);
  });
});
