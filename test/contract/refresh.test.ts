import assert from "node:assert/strict";
import { acme, acmeSent, both, bothInModel, everyService, returnsStored } from "./contract";
import { succeeds, warns, warnsOfCreatedAgain } from "./stackContext";

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

  bothInModel(
    "adopts the token of somebody else, with a warning",
    { services: everyService },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const { token } = context.emulator.rotateToken("acme");
      warns(succeeds(await context.refresh()), /^user group "acme" .*\[token-changed\]/s);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
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
});
