import assert from "node:assert/strict";
import type { GroupValues } from "../../provider/src/testing";
import { acme, acmeSent, both, everyService, returnsStored } from "./contract";
import { succeeds, warnsOfCreatedAgain } from "./stackContext";

/** Trims the name and adds a default property. */
const normalize = (values: GroupValues): GroupValues => ({
  ...values,
  name: values.name.trim(),
  properties: { plan: "basic", ...values.properties },
});

describe("contract: refresh", () => {
  for (const existed of [true, false])
    both(
      `creates a group again that was ${existed ? "adopted" : "created"}, with a warning`,
      { services: everyService, isInModel: existed },
      async (context, declare) => {
        if (existed) context.emulator.putGroup({ userGroupId: "acme", ...acme });
        await context.applies(declare({ acme }));
        context.emulator.removeGroup("acme");
        context.requests();
        warnsOfCreatedAgain(succeeds(await context.refresh()));
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
        assert.deepEqual(context.bodies(), [acmeSent]);
        assert(await context.isUpToDate(declare({ acme })));
      },
    );

  both(
    "records a drift as outputs and inputs until it is undone",
    { services: everyService, drivers: ["provider"] },
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.resources();
      const theirs = { name: "Theirs", properties: { region: "us" } };
      context.emulator.putGroup({ userGroupId: "acme", ...theirs });
      succeeds(await context.refresh());
      const shown = returnsStored(service) ? theirs : acme;
      const { name, properties } = (await context.group("acme")) ?? {};
      assert.deepEqual([name, properties], [shown.name, shown.properties]);
      const inputs = JSON.stringify((await context.resources()).map((each) => each.inputs));
      assert.equal(inputs.includes("Theirs"), returnsStored(service));
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      succeeds(await context.refresh());
      assert.deepEqual(await context.resources(), state);
    },
  );

  both(
    "finds a drift only where somebody changed what the service stores otherwise",
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
});
